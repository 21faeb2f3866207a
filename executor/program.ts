/** `argoexec COMMAND`: one function per command. All but the emissary, which is in every container, is loaded when asked for. */
import { EXIT } from "../lib/constants.ts";
import { emissary } from "./emissary.ts";
import { lastWords } from "./last_words.ts";
import type { World } from "./world.ts";

type Command = (world: World, args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  emissary,
  supervisor: async (world) => (await import("./supervisor.ts")).supervisor(world),
  init: async (world) => (await import("./legacy.ts")).init(world),
  wait: async (world) => (await import("./legacy.ts")).wait(world),
  "artifact-plugin-sidecar": async (world, args) =>
    (await import("./artifact_plugins.ts")).artifactPluginSidecar(world, args),
  "artifact-plugin-init": async (world, args) =>
    (await import("./artifact_plugins.ts")).artifactPluginInit(world, args),
  resource: async (world, args) => {
    await (await import("./node_require.ts")).provideRequire();
    return await (await import("./resource/mod.ts")).resource(world, args);
  },
  data: async (world) => (await import("./data/data.ts")).data(world),
  kill: async (world, args) => (await import("./kill.ts")).kill(world, args),
  ready: async (world) => (await import("./ready.ts")).ready(world),
  version: async () => {
    console.log((await import("../lib/version.ts")).VERSION);
    return 0;
  },
};

/** Runs a command; resolves to the exit code of the process, whatever happens. */
export async function runProgram(world: World, [command = "", ...args]: readonly string[]): Promise<number> {
  const run = COMMANDS[command];
  if (!run) {
    console.error(`argoexec: unknown command "${command}"; expected one of ${Object.keys(COMMANDS).join(", ")}`);
    return EXIT.executorError;
  }
  const isSupervisor = command === "supervisor";
  // A bug in what nobody awaits would end the process without a word.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => {
    lastWords(world, reason, isSupervisor);
    Deno.exit(EXIT.executorError);
  });
  try {
    return await run(world, args);
  } catch (error) {
    lastWords(world, error, isSupervisor);
    return EXIT.executorError;
  }
}
