/** Signals, by number, between containers that do not see each other's processes: a file in the receiver's folder. */
import { untilFile, writeWhole } from "../lib/watch/mod.ts";
import { containerFolder, makeSharedFolder, type World } from "./world.ts";

/** How often to look for the file although no change was heard of: only for the case that a watch was lost. */
const POLL_MILLIS = 10_000;

/** The signals that may be sent by file, with their numbers. */
export const SIGNAL_NUMBERS: Partial<Record<Deno.Signal, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
  SIGCONT: 18,
  SIGSTOP: 19,
};

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

/**
 * The name of a signal's number.
 * @throws {RangeError} for a number that is not sent by file.
 */
export function signalName(number: number): Deno.Signal {
  const found = Object.entries(SIGNAL_NUMBERS).find(([, each]) => each === number);
  if (!found) throw new RangeError(`Expected the number of a signal, got ${number}`);
  return found[0] as Deno.Signal;
}

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
  receive: (signal: Deno.Signal) => void,
  stop: AbortSignal,
): Promise<void> {
  const file = `${containerFolder(world, container)}/signal`;
  while (!stop.aborted) {
    try {
      receive(await untilFile(file, () => takeSignal(file), { signal: stop, pollMillis: POLL_MILLIS }));
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }
}

/**
 * Takes the file away and reads it; what is not a signal's number is gone too, or it would be read again for ever. It is
 * moved before it is read: the next signal could replace it in between, and must not be removed unread.
 */
async function takeSignal(file: string): Promise<Deno.Signal | undefined> {
  const taken = `${file}.taken`;
  try {
    await Deno.rename(file, taken);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const text = await Deno.readTextFile(taken);
  await Deno.remove(taken);
  try {
    return signalName(Number(text));
  } catch {
    return undefined;
  }
}
