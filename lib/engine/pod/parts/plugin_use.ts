/** The artifact plugins that a template needs. */
import type { Artifact, ArtifactLocation, Template } from "@tiphys/model/api";
import { hasStore } from "@tiphys/model/artifact/stores";
import type { ArtifactDriver } from "../request.ts";

/** Names of the plugins that load and save a template's artifacts, without duplicates. */
export interface PluginUse {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The plugins of a template with a resolved archive location. Archived logs count as outputs. */
export function pluginsOf({ inputs, outputs, archiveLocation }: Template): PluginUse {
  const fallback = archiveLocation?.plugin?.name || undefined;
  const logs = archiveLocation?.archiveLogs && fallback ? [fallback] : [];
  return {
    inputs: [...new Set(pluginNames(inputs?.artifacts ?? [], fallback))],
    outputs: [...new Set([...pluginNames(outputs?.artifacts ?? [], fallback), ...logs])],
  };
}

/** The artifacts' own plugins, or `fallback`, the plugin of the archive location, for artifacts without a store. */
function pluginNames(artifacts: readonly Artifact[], fallback: string | undefined): string[] {
  return artifacts.flatMap((artifact) =>
    artifact.plugin?.name || (artifact.plugin || !hasStore(artifact) ? fallback : undefined) || []
  );
}

/** Adds each plugin's connection timeout to artifacts of the template that do not set one. */
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
