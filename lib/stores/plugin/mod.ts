/** Artifacts of plugins: third-party servers, each on a socket alongside this process. */
import { PATH } from "@tiphys/base/constants";
import { type MakeDriver, type Place, StoreError } from "@tiphys/model/artifact";
import { type PluginDriver, pluginDriver } from "./plugin_driver.ts";

interface PluginSettings {
  readonly name?: string;
  readonly connectionTimeoutSeconds?: number;
}

/**
 * Returns the socket of the plugin of a place.
 * @throws {StoreError} `final` when the place names no plugin.
 */
export function socketOf({ settings }: Place, env: (name: string) => string | undefined): string {
  const { name } = settings as PluginSettings;
  if (!name || /[/\0]|^\.{1,2}$/.test(name)) throw new StoreError("plugin: the artifact names no plugin", "final");
  return `${env("TIPHYS_ARTIFACT_PLUGINS") ?? PATH.artifactPlugins}/${name}/socket`;
}

/** Creates the driver of a plugin. */
export const makeDriver: MakeDriver = (location, { env }): PluginDriver => {
  const socket = socketOf(location, env);
  const { name, connectionTimeoutSeconds } = location.settings as PluginSettings;
  return pluginDriver({
    plugin: name!,
    socket,
    ...connectionTimeoutSeconds ? { readyMillis: connectionTimeoutSeconds * 1000 } : {},
  });
};
