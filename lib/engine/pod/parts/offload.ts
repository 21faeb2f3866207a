/** Offloading: texts that are too long for a variable or command line are passed in a ConfigMap that the pod mounts. */
import type { ConfigMap, PodContainer } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL, OFFLOAD_LIMIT_BYTES, OFFLOADED, PATH, VOLUME } from "@tiphys/base/constants";
import { isArgoSidecar } from "@tiphys/model/container_names";
import { setEnv } from "./environment.ts";
import type { PodDraft } from "../layout.ts";
import { workflowOwner } from "./metadata.ts";
import { withMounts } from "./template_containers.ts";
import { addVolume } from "./volumes.ts";

const MOUNT = { name: VOLUME.argoEnvConfig, mountPath: PATH.envConfig };

/**
 * Moves an oversized template, and the arguments of the first container that has too many, into a ConfigMap. It has the
 * name of the pod and must exist before it. Undefined if nothing is oversized.
 */
export function offload(draft: PodDraft): ConfigMap | undefined {
  const { pod } = draft;
  const data = { ...offloadTemplate(draft), ...offloadArguments(draft) };
  if (!Object.keys(data).length) return undefined;
  const { name, namespace, annotations = {}, labels = {} } = pod.metadata;
  addVolume(draft, { name: VOLUME.argoEnvConfig, configMap: { name } });
  const workflow = labels[LABEL.workflow];
  const kept = [ANNOTATION.nodeName, ANNOTATION.nodeId].map((key) => [key, annotations[key]]);
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace,
      labels: workflow === undefined ? {} : { [LABEL.workflow]: workflow },
      annotations: Object.fromEntries(kept),
      ownerReferences: [workflowOwner(draft.request)],
    },
    data,
  };
}

function offloadTemplate({ pod }: PodDraft): Record<string, string> {
  const text = [...pod.spec.initContainers ?? [], ...pod.spec.containers]
    .flatMap(({ env }) => env ?? []).find(({ name }) => name === ENV.template)?.value;
  if (text === undefined || !isTooLong(text)) return {};
  const move = (container: PodContainer) => {
    if (!container.env?.some(({ name }) => name === ENV.template)) return container;
    setEnv(container, [{ name: ENV.template, value: OFFLOADED }]);
    return withMounts(container, [MOUNT]);
  };
  pod.spec.initContainers = pod.spec.initContainers?.map(move);
  pod.spec.containers = pod.spec.containers.map(move);
  return { [ENV.template]: text };
}

function offloadArguments({ pod }: PodDraft): Record<string, string> {
  const long = pod.spec.containers.find(({ name, args }) =>
    !isArgoSidecar(name) && args !== undefined && isTooLong(JSON.stringify(args))
  );
  if (long === undefined) return {};
  const { args, ...container } = long;
  setEnv(container, [{ name: ENV.containerArgsFile, value: `${PATH.envConfig}/${ENV.containerArgsFile}` }]);
  const mounted = withMounts(container, [MOUNT]);
  pod.spec.containers = pod.spec.containers.map((container) => container === long ? mounted : container);
  return { [ENV.containerArgsFile]: JSON.stringify(args) };
}

function isTooLong(text: string): boolean {
  return text.length > OFFLOAD_LIMIT_BYTES || new TextEncoder().encode(text).length > OFFLOAD_LIMIT_BYTES;
}
