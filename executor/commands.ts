/** Every command of `argoexec` but the emissary; those with libraries of their own are loaded when asked for. */
import { VERSION } from "../lib/version.ts";
import { artifactPluginInit, artifactPluginSidecar } from "./artifact_plugins.ts";
import { kill } from "./kill.ts";
import { init, wait } from "./legacy.ts";
import { ready } from "./ready.ts";
import { supervisor } from "./supervisor.ts";
import type { World } from "./world.ts";

/** Runs a command with the words behind its name; resolves to the exit code of the process. */
export type Command = (world: World, args: readonly string[]) => Promise<number>;

/** The commands by their names. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  supervisor,
  init,
  wait,
  kill,
  ready,
  async resource(world, args) {
    await (await import("./node_require.ts")).provideRequire();
    return await (await import("./resource/mod.ts")).resource(world, args);
  },
  data: async (world) => (await import("./data/data.ts")).data(world),
  "artifact-plugin-sidecar": artifactPluginSidecar,
  "artifact-plugin-init": artifactPluginInit,
  version() {
    console.log(VERSION);
    return Promise.resolve(0);
  },
};
