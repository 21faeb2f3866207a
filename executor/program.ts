/** `argoexec COMMAND`: runs it, and sees to it that whatever happens somebody hears of it. */
import { EXIT } from "../lib/constants.ts";
import type { Command } from "./commands.ts";
import { emissary } from "./command/emissary.ts";
import { lastWords } from "./last_words.ts";
import { withoutStores, type World } from "./world.ts";

/** Runs a command; resolves to the exit code of the process, whatever happens. */
export async function runProgram(world: World, [name = "", ...args]: readonly string[]): Promise<number> {
  const isSupervisor = name === "supervisor";
  // A bug in a promise that nobody awaits would end the process without a word.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => {
    lastWords(world, reason, isSupervisor);
    Deno.exit(EXIT.executorError);
  });
  try {
    const command = await commandOf(world, name);
    if (command) return await command(world, args);
    console.error(`argoexec: unknown command "${name}"`);
  } catch (error) {
    lastWords(world, error, isSupervisor);
  }
  return EXIT.executorError;
}

/** The emissary is in front of every user's command: nothing else is loaded for it. */
async function commandOf(world: World, name: string): Promise<Command | undefined> {
  if (name === "emissary") return emissary;
  const { COMMANDS, provideStores } = await import("./commands.ts");
  if (world.driverFor === withoutStores) provideStores(world);
  return COMMANDS[name];
}
