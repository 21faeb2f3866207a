/** Artifact plugins: images that load and save artifacts for the executor, each with a socket in a dedicated folder. */
import type { PodContainer, Volume, VolumeMount } from "@tiphys/model/api";
import { CONTAINER, ENV, PATH, VOLUME } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";
import { setEnv } from "./environment.ts";
import { executorContainer, logFlags } from "./executor_container.ts";
import { resolveCommand } from "./image_command.ts";
import type { PodDraft } from "../layout.ts";
import { pluginsOf } from "./plugin_use.ts";
import { type ArtifactDriver, type ExecutorConfig, PodBuildError } from "../request.ts";
import { withMounts } from "./template_containers.ts";
import { addVolume } from "./volumes.ts";

/**
 * Adds the sidecars that the aux container calls to load and save artifacts, and passes it their names. Without an aux
 * container nothing would call them, so none is added.
 */
export function addPluginSidecars(draft: PodDraft): void {
  const { layout, template, pod } = draft;
  const use = pluginsOf(template);
  const plugins = layout.sidecarPlugins(use);
  if (!plugins.length) return;
  if (!draft.hasAux) {
    draft.warnings.push(`artifact plugins ${plugins.join(", ")}: the pod has no container that could use them`);
    return;
  }
  addPlugins(draft, plugins, ({ name }) => isAux(name));
  for (const container of pod.spec.containers) {
    if (!isAux(container.name) || !layout.auxLoadsInputs || !use.inputs.length) continue;
    setEnv(container, [{ name: ENV.inputArtifactPluginNames, value: use.inputs.join(",") }]);
  }
}

/** Adds the sidecars of plugins. The containers that use them mount their sockets and get their names. */
export function addPlugins(
  draft: PodDraft,
  plugins: readonly string[],
  uses: (container: PodContainer) => boolean,
): void {
  const { layout, pod } = draft;
  const sidecars = plugins.map((plugin) => {
    const container = pluginContainer(draft, plugin, CONTAINER.artifactPluginPrefix, ["artifact-plugin-sidecar"]);
    return withMounts(container, [socketMount(plugin), layout.executorMount]);
  });
  for (const plugin of plugins) addVolume(draft, socketVolume(plugin));
  pod.spec.containers = pod.spec.containers.map((container) => {
    if (!uses(container)) return container;
    const user = withMounts(container, plugins.map(socketMount));
    setEnv(user, [{ name: ENV.artifactPluginNames, value: sidecars.map(({ name }) => name).join(",") }]);
    return user;
  });
  pod.spec.containers.push(...sidecars);
}

/** The init containers in which plugins load inputs if the aux container does not: one per plugin, with its server. */
export function pluginInitContainers(draft: PodDraft): PodContainer[] {
  return pluginsOf(draft.template).inputs.map((plugin) => {
    const args = ["artifact-plugin-init", "--plugin-name", plugin];
    return withMounts(pluginContainer(draft, plugin, CONTAINER.initArtifactPrefix, args), [
      draft.layout.executorMount,
    ]);
  });
}

/**
 * A container with the plugin's image and argoexec in front of its server. The server gets its socket as an argument.
 */
function pluginContainer(draft: PodDraft, plugin: string, prefix: string, args: string[]): PodContainer {
  const { request, layout } = draft;
  const { image } = driverOf(plugin, request.config);
  const { command: server = [] } = resolveCommand({ name: plugin, image }, request);
  const command = [
    layout.argoexec,
    ...args,
    ...logFlags(request.config),
    "--",
    ...server,
    `${folderOf(plugin)}/socket`,
  ];
  const { args: _, ...container } = executorContainer(`${prefix}${plugin}`, command, request);
  return { ...container, image };
}

function driverOf(plugin: string, { artifactDrivers = [] }: ExecutorConfig): ArtifactDriver {
  const driver = artifactDrivers.find(({ name }) => name === plugin);
  if (!driver) throw new PodBuildError(`artifact driver ${plugin} not found`);
  return driver;
}

function folderOf(plugin: string): string {
  return `${PATH.artifactPlugins}/${plugin}`;
}

function socketVolume(plugin: string): Volume {
  return { name: `${VOLUME.artifactPluginPrefix}${plugin}`, emptyDir: {} };
}

function socketMount(plugin: string): VolumeMount {
  return { name: `${VOLUME.artifactPluginPrefix}${plugin}`, mountPath: folderOf(plugin) };
}
