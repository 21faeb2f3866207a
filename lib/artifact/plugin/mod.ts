/** Artifacts of plugins: servers of somebody else, each behind a socket beside this process. */
import { type MakeDriver, StoreError } from "../driver.ts";
import { type PluginDriver, pluginDriver } from "./plugin_driver.ts";

/** The folder with a folder for each plugin, its socket in that. */
const SOCKETS = "/tmp/artifact-plugins";

/** Makes the driver of a plugin. */
export const makeDriver: MakeDriver = ({ settings }, { env }): PluginDriver => {
  const { name, connectionTimeoutSeconds } = settings as {
    readonly name?: string;
    readonly connectionTimeoutSeconds?: number;
  };
  if (!name || /[/\0]|^\.{1,2}$/.test(name)) throw new StoreError("plugin: the artifact names no plugin", "final");
  const folder = env("TIPHYS_ARTIFACT_PLUGINS") ?? SOCKETS;
  return pluginDriver({
    plugin: name,
    socket: `${folder}/${name}/socket`,
    ...connectionTimeoutSeconds ? { readyMillis: connectionTimeoutSeconds * 1000 } : {},
  });
};
