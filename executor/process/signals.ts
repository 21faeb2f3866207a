/**
 * Signals, by number, between containers that do not share a process namespace: through a file in the receiver's
 * folder.
 */
import { waitForFile } from "@tiphys/base/watch";
import { containerFolder, type World } from "../world.ts";

/** The maximum length of a signal file, in bytes. */
const MAX_SIGNAL_BYTES = 64;

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
 * Signals without a listener. No process can handle the first two. SIGPIPE concerns writes of this process, and Deno
 * ignores it only until a listener for it is removed: after that, the next write to a closed pipe would end the
 * process.
 */
const NOT_FORWARDED: ReadonlySet<string> = new Set(["SIGKILL", "SIGSTOP", "SIGPIPE"]);

/**
 * The signals that are forwarded to the command when the kernel delivers them. SIGCHLD and SIGURG concern this process;
 * the other missing ones indicate a crash. By file, all of {@link SIGNAL_NUMBERS} are accepted.
 */
export const FORWARDED: readonly Deno.Signal[] = (Object.keys(SIGNAL_NUMBERS) as Deno.Signal[])
  .filter((signal) => !NOT_FORWARDED.has(signal));

/**
 * Whether listeners of signals stay until the end of the process. After the last listener of a signal was removed, Deno
 * ends the process by that signal, and aborts if it survives: the first process of a container does, and would exit
 * with code 139.
 */
export const KEEPS_LISTENERS = Deno.pid === 1;

/**
 * Returns the name of a signal number.
 * @throws {RangeError} for a number that cannot be sent by file.
 */
export function signalName(number: number): Deno.Signal {
  const found = Object.entries(SIGNAL_NUMBERS).find(([, each]) => each === number);
  if (!found) throw new RangeError(`Expected the number of a signal, got ${number}`);
  return found[0] as Deno.Signal;
}

/** Sends a signal to the work of a container. */
export function sendSignal(world: World, container: string, signal: number): void {
  const folder = containerFolder(world, container);
  world.files.makeFolder(folder);
  world.files.write(`${folder}/signal`, String(signal), 0o666);
}

/**
 * Calls `receive` for every signal that is sent to a container by file, until `stop` is aborted. The folder must exist.
 */
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
        await waitForFile(file, () => Promise.resolve(takeSignal(world, file)), {
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

/**
 * Removes the signal file and returns its signal. A file without a valid number is removed too; otherwise it would be
 * read again and again.
 */
function takeSignal(world: World, file: string): Deno.Signal | undefined {
  const text = world.files.readAndRemove(file, MAX_SIGNAL_BYTES);
  if (text === undefined) return undefined;
  try {
    return signalName(Number(text));
  } catch {
    return undefined;
  }
}
