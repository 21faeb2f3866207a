/** `argoexec COMMAND`: runs the command and reports every error, also after a crash. */
import { EXIT } from "@tiphys/base/constants";
import type { Command } from "./commands.ts";
import { emissary } from "./command/emissary.ts";
import { reportCrash } from "./last_words.ts";
import { withoutStores, type World } from "./world.ts";

/** Runs a command. Always resolves to the exit code of the process. */
export async function runProgram(world: World, [name = "", ...args]: readonly string[]): Promise<number> {
  const isSupervisor = name === "supervisor";
  // Without a handler, an unhandled rejection would end the process without a termination message.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => {
    reportCrash(world, reason, isSupervisor);
    Deno.exit(EXIT.executorError);
  });
  try {
    const command = await commandOf(world, name);
    if (command) return await command(world, args);
    console.error(`argoexec: unknown command "${name}"`);
  } catch (error) {
    reportCrash(world, error, isSupervisor);
  }
  return EXIT.executorError;
}

/** Returns a command. For the emissary, which wraps every user's command, no other module is imported. */
async function commandOf(world: World, name: string): Promise<Command | undefined> {
  if (name === "emissary") return emissary;
  const { COMMANDS, provideStores } = await import("./commands.ts");
  if (world.driverFor === withoutStores) provideStores(world);
  return COMMANDS[name];
}
