/** A plugin in Python, with the library of gRPC that others write theirs with. */
import { DESCRIPTOR } from "../../../lib/stores/plugin/gen/descriptor.ts";
import { pluginDriver } from "../../../lib/stores/plugin/plugin_driver.ts";
import { pythonProgram } from "./programs.ts";
import type { ServerKind } from "./server.ts";

const ONE_REMOVAL = "plugins do not tell how many objects they removed";

const CANNOT: Readonly<Record<string, string>> = {
  "AR-03": "plugins have no call for empty folders",
  "AR-04": ONE_REMOVAL,
  "AR-05": "files of a folder: a and a/b are not there together",
  "AR-07": ONE_REMOVAL,
  "AR-11": "plugins have no call for empty folders",
  "AR-27":
    "after hundreds of streams that were given up within seconds gRPC resets others (CANCEL), and keeps buffers until V8 collects them",
  "AR-25": "plugins stream a file from its beginning, and what lies beyond its end is nothing",
  "AR-30": "the words are those of the plugin, which need not have the key in them",
  "AR-58": "plugins tell nothing of what was begun",
  "AR-141": ONE_REMOVAL,
};

/** Files of a folder, behind the socket of a plugin. */
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
      asked: [{
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
