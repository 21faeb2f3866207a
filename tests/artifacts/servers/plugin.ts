/** An artifact plugin in Python, written with the gRPC library that authors of plugins typically use. */
import { DESCRIPTOR } from "../../../lib/stores/plugin/gen/descriptor.ts";
import { pluginDriver } from "../../../lib/stores/plugin/plugin_driver.ts";
import { pythonProgram } from "./programs.ts";
import type { ServerKind } from "./server.ts";

const REMOVAL_COUNT = "plugins do not report how many objects they removed";

const CANNOT: Readonly<Record<string, string>> = {
  "AR-03": "plugins have no call for empty folders",
  "AR-04": REMOVAL_COUNT,
  "AR-05": "artifacts are files, so a and a/b cannot both exist",
  "AR-07": REMOVAL_COUNT,
  "AR-11": "plugins have no call for empty folders",
  "AR-27":
    "after hundreds of canceled streams within seconds, gRPC resets other streams (CANCEL) and holds buffers until V8 collects them",
  "AR-25": "plugins stream a file from its beginning, so a range beyond its end is empty and not an error",
  "AR-30": "the plugin writes the error message, which may not contain the key",
  "AR-58": "plugins do not report unfinished uploads",
  "AR-141": REMOVAL_COUNT,
};

/** A plugin that stores artifacts as files in a folder. */
export const pythonPlugin: ServerKind = {
  name: "plugin in Python",
  async start() {
    const python = await pythonProgram("python", "grpcio==1.85.3", "protobuf==7.36.2");
    const folder = await Deno.makeTempDir({ prefix: "tiphys-plugin-" });
    await Deno.mkdir(`${folder}/content`);
    const socket = `${folder}/socket`;
    const program = new URL("./plugin.py", import.meta.url).pathname;
    const child = new Deno.Command(python, {
      args: [program, socket, `${folder}/content`, DESCRIPTOR],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    return {
      subjects: [{
        name: "plugin in Python",
        driver: () => pluginDriver({ plugin: "python", socket, readyMillis: 60_000 }),
        place: (key) => ({ store: "plugin", key, settings: { name: "python", configuration: "none" } }),
        cannot: CANNOT,
      }],
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await child.status;
        await Deno.remove(folder, { recursive: true });
      },
    };
  },
};
