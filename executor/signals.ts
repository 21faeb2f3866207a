/** Signals, by number, between containers that do not see each other's processes: a file in the receiver's folder. */
import { untilFile, writeWhole } from "../lib/watch/mod.ts";
import { containerFolder, makeSharedFolder, readIfThere, type World } from "./world.ts";

/** Sends a signal to what a container runs. */
export async function sendSignal(world: World, container: string, signal: number): Promise<void> {
  const folder = containerFolder(world, container);
  await makeSharedFolder(folder);
  await writeWhole(`${folder}/signal`, String(signal), 0o666);
}

/** Calls `receive` for every signal sent to a container, until the abort signal. The folder must exist. */
export async function receiveSignals(
  world: World,
  container: string,
  receive: (signal: number) => void,
  stop: AbortSignal,
): Promise<void> {
  const file = `${containerFolder(world, container)}/signal`;
  while (!stop.aborted) {
    try {
      receive(await untilFile(file, () => takeSignal(file), { signal: stop }));
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }
}

async function takeSignal(file: string): Promise<number | undefined> {
  const text = await readIfThere(file);
  if (text === undefined || !/^\d+$/.test(text.trim())) return undefined;
  await Deno.remove(file).catch(() => {});
  return Number(text);
}

/** All signals of Linux that Deno can listen for and hand on; SIGCHLD and SIGURG are about ourselves. */
export const FORWARDED: readonly Deno.Signal[] = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGPIPE",
  "SIGALRM",
  "SIGTERM",
  "SIGCONT",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
  "SIGWINCH",
];

/** The name of a signal's number, for the few that are sent by file. */
export function signalName(number: number): Deno.Signal {
  const names: Record<number, Deno.Signal> = {
    1: "SIGHUP",
    2: "SIGINT",
    3: "SIGQUIT",
    9: "SIGKILL",
    10: "SIGUSR1",
    12: "SIGUSR2",
    15: "SIGTERM",
    18: "SIGCONT",
    19: "SIGSTOP",
  };
  const name = names[number];
  if (!name) throw new RangeError(`Expected the number of a signal, got ${number}`);
  return name;
}
