/** The commands of `argoexec` except the emissary. Commands with large dependencies are imported on demand. */
import { EXIT } from "@tiphys/base/constants";
import type { TypesRunBy } from "@tiphys/model/templates";
import { VERSION } from "@tiphys/base/version";
import { artifactPluginInit, artifactPluginSidecar } from "./before_main/artifact_plugins.ts";
import { reportEnded } from "./command/ended.ts";
import { kill } from "./command/kill.ts";
import { init, wait } from "./before_main/legacy.ts";
import { runReadyProbe } from "./before_main/ready.ts";
import { supervisor } from "./before_main/supervisor.ts";
import type { Stores } from "./surroundings.ts";
import type { World } from "./world.ts";

/** Runs a command with the arguments after its name. Resolves to the exit code of the process. */
export type Command = (world: World, args: readonly string[]) => Promise<number>;

/** Provides artifact stores to a world. They are opened on first use, because most commands have no artifacts. */
export function provideStores(world: World): void {
  let stores: Stores | undefined;
  world.driverFor = async (location) => {
    stores ??= (await import("./surroundings.ts")).openStores(world);
    return await stores.driverFor(location);
  };
  world.redact = (text) => stores?.redact(text) ?? text;
}

/** The commands by name. */
export const COMMANDS: Readonly<Record<string, Command> & Record<TypesRunBy<"executor">, Command>> = {
  supervisor,
  init,
  wait,
  kill,
  ended: reportEnded,
  ready: runReadyProbe,
  async resource(world, args) {
    await (await import("./node_require.ts")).provideRequire();
    return await (await import("./resource/mod.ts")).resource(world, args);
  },
  async artifact(world, [what]) {
    if (what === "delete") return await (await import("./garbage/delete_artifacts.ts")).deleteArtifacts(world);
    world.log(`unknown command "artifact ${what ?? ""}", expected "artifact delete"`);
    return EXIT.executorError;
  },
  async agent(world, [what]) {
    await (await import("./node_require.ts")).provideRequire();
    if (what === "init") return (await import("./agent/tokens.ts")).makeTokens(world);
    if (what === "main") return await (await import("./agent/agent.ts")).agent(world);
    world.log(`unknown command "agent ${what ?? ""}", expected "agent init" or "agent main"`);
    return EXIT.executorError;
  },
  data: async (world) => (await import("./data/data.ts")).data(world),
  "artifact-plugin-sidecar": artifactPluginSidecar,
  "artifact-plugin-init": artifactPluginInit,
  version() {
    console.log(VERSION);
    return Promise.resolve(0);
  },
};
