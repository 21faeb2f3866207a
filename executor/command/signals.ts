/** Signals, by number, between containers that do not see each other's processes: a file in the receiver's folder. */
import { untilFile } from "../../lib/watch/mod.ts";
import { containerFolder, type World } from "../world.ts";

/** The longest number of a signal, bytes. */
const LONGEST_SIGNAL = 64;

/** The signals that may be sent by file, with their numbers on Linux. */
export const SIGNAL_NUMBERS: Partial<Record<Deno.Signal, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};

/**
 * Signals without a listener of ours: no process can listen for the first two. SIGPIPE is about a write of our own, and Deno
 * ignores it only until a listener for it has come and gone: then the next write to a peer that has left ends the process.
 */
const UNHEARD: ReadonlySet<string> = new Set(["SIGKILL", "SIGSTOP", "SIGPIPE"]);

/**
 * The signals of the kernel that we hand on to the command. SIGCHLD and SIGURG are about ourselves, the others that are
 * missing about a broken program. By file all of {@link SIGNAL_NUMBERS} may come.
 */
export const FORWARDED: readonly Deno.Signal[] = (Object.keys(SIGNAL_NUMBERS) as Deno.Signal[])
  .filter((signal) => !UNHEARD.has(signal));

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
export function sendSignal(world: World, container: string, signal: number): void {
  const folder = containerFolder(world, container);
  world.files.makeFolder(folder);
  world.files.write(`${folder}/signal`, String(signal), 0o666);
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
      receive(
        await untilFile(file, () => Promise.resolve(takeSignal(world, file)), {
          signal: stop,
          clock: world.clock,
          warn: world.detail,
        }),
      );
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }
}

/** Takes the file away, also one that holds no signal's number, or it would be read again for ever. */
function takeSignal(world: World, file: string): Deno.Signal | undefined {
  const text = world.files.take(file, LONGEST_SIGNAL);
  if (text === undefined) return undefined;
  try {
    return signalName(Number(text));
  } catch {
    return undefined;
  }
}
