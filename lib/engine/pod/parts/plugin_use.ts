/** The artifact plugins that a template needs. */
import type { Artifact, ArtifactLocation, Template } from "@tiphys/model/api";
import { hasStore } from "@tiphys/model/artifact/stores";
import type { ArtifactDriver } from "../request.ts";

/** Names of the plugins that a template's artifacts go through, each once. */
export interface PluginUse {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The plugins of a template whose archive location is settled; the logs that are kept count as outputs. */
export function pluginsOf({ inputs, outputs, archiveLocation }: Template): PluginUse {
  const fallback = archiveLocation?.plugin?.name || undefined;
  const logs = archiveLocation?.archiveLogs && fallback ? [fallback] : [];
  return {
    inputs: [...new Set(pluginNames(inputs?.artifacts ?? [], fallback))],
    outputs: [...new Set([...pluginNames(outputs?.artifacts ?? [], fallback), ...logs])],
  };
}

/** An artifact's own plugin, else that of the place where artifacts go that name none. */
function pluginNames(artifacts: readonly Artifact[], fallback: string | undefined): string[] {
  return artifacts.flatMap((artifact) =>
    artifact.plugin?.name || (artifact.plugin || !hasStore(artifact) ? fallback : undefined) || []
  );
}

/** The template with the time that each plugin has to answer, where the artifact does not say it itself. */
export function withPluginTimeouts(template: Template, drivers: readonly ArtifactDriver[] = []): Template {
  if (!drivers.some(({ connectionTimeoutSeconds }) => connectionTimeoutSeconds)) return template;
  const timed = <T extends ArtifactLocation>(place: T): T => {
    const driver = drivers.find(({ name }) => name === place.plugin?.name);
    if (!place.plugin || place.plugin.connectionTimeoutSeconds || !driver?.connectionTimeoutSeconds) return place;
    return { ...place, plugin: { ...place.plugin, connectionTimeoutSeconds: driver.connectionTimeoutSeconds } };
  };
  const { inputs, outputs, archiveLocation } = template;
  return {
    ...template,
    ...(inputs?.artifacts ? { inputs: { ...inputs, artifacts: inputs.artifacts.map(timed) } } : {}),
    ...(outputs?.artifacts ? { outputs: { ...outputs, artifacts: outputs.artifacts.map(timed) } } : {}),
    ...(archiveLocation ? { archiveLocation: timed(archiveLocation) } : {}),
  };
}
