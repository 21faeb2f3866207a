/** The emissary in front of the user's command. */
import type { PodContainer } from "@tiphys/model/api";
import { CONTAINER, ENV, VOLUME } from "@tiphys/base/constants";
import { isArgoSidecar } from "@tiphys/model/container_names";
import { ownEnv, setEnv } from "./environment.ts";
import { logFlags } from "./executor_container.ts";
import { resolveCommand } from "./image_command.ts";
import type { PodDraft } from "../layout.ts";
import { pluginsOf } from "./plugin_use.ts";
import { startupGate } from "./startup_gate.ts";
import { withMounts } from "./template_containers.ts";
import { SHARED_OUTPUTS_MOUNT, VAR_RUN_ARGO_MOUNT } from "./volumes.ts";

/**
 * Puts the emissary in front of the command of each container of the user, including those of a podSpecPatch, and adds
 * the mounts and variables of the protocol to all containers. Runs after the patch, so a patch cannot undo it.
 */
export function wrapCommands(draft: PodDraft): void {
  const { pod, request, template } = draft;
  const grace = pod.spec.terminationGracePeriodSeconds;
  const savesByPlugin = pluginsOf(template).outputs.length > 0;
  pod.spec.containers = pod.spec.containers.map((original, index) => {
    const wrapped = isArgoSidecar(original.name) ? { ...original } : wrap(original, draft);
    if (grace !== undefined) setEnv(wrapped, [{ name: ENV.terminationGracePeriodSeconds, value: String(grace) }]);
    const scratch = original.image === request.config.image
      ? [{ name: VOLUME.tmpDirArgo, mountPath: "/tmp", subPath: String(index) }]
      : [];
    const outputs = savesByPlugin && isArgoSidecar(original.name) ? [SHARED_OUTPUTS_MOUNT] : [];
    return withMounts(wrapped, [...scratch, ...outputs, VAR_RUN_ARGO_MOUNT]);
  });
}

function wrap(container: PodContainer, draft: PodDraft): PodContainer {
  const { request, layout } = draft;
  const resolved = resolveCommand(container, request);
  const command = [layout.argoexec, "emissary", ...logFlags(request.config), "--", ...resolved.command ?? []];
  const wrapped: PodContainer = { ...resolved, command };
  // A patch may have added the container or removed its environment.
  if (!wrapped.env?.some(({ name }) => name === ENV.containerName)) setEnv(wrapped, ownEnv(wrapped.name, request));
  if (draft.isSingle && wrapped.name === CONTAINER.main) {
    setEnv(wrapped, [{ name: ENV.singleContainer, value: "true" }]);
  }
  if (layout.waitsForReady(draft)) {
    setEnv(wrapped, [{ name: ENV.waitForReady, value: "true" }]);
    const gate = startupGate(wrapped, draft);
    if (gate) wrapped.startupProbe = gate;
  }
  // The executor's image has a link of this name to its root; runtimes reject a mount over a link to "/".
  if (container.image === request.config.image) return wrapped;
  return withMounts(wrapped, [layout.executorMount]);
}
