/**
 * What the executor touches, handed in: where its files are, its environment, the time, the stores of artifacts. A test
 * puts everything below a folder of its own.
 */
import type { ArtifactLocation, Driver } from "../lib/artifact/driver.ts";
import { DEFAULT_GRACE_SECONDS, ENV, PATH } from "../lib/constants.ts";
import { type Clock, systemClock } from "../lib/watch/mod.ts";

/** The surroundings of an executor process. */
export interface World {
  /** Put before every path the protocol names; empty in a pod. */
  readonly root: string;
  env(name: string): string | undefined;
  /** A line for the container's log, about the executor itself. */
  log(message: string): void;
  /** The same for lines that only `--loglevel debug` shows: a container's log is the user's first of all. */
  detail(message: string): void;
  /** Where the output of a command goes that is captured on its way. */
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** The container's terminal, where it has one (`tty: true`). */
  readonly terminal?: Terminal;
  readonly clock: Clock;
  /** The driver of the store that an artifact names; rejects when there is none. */
  driverFor(artifact: ArtifactLocation): Promise<Driver>;
}

/** Something that takes bytes, perhaps not all at once. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** A terminal at which somebody may sit. */
export interface Terminal {
  /** Whether the container's streams are pipes all the same: nobody sits there. */
  readonly isLent?: boolean;
  /** What is typed; null when nobody can type any more. */
  read(bytes: Uint8Array): Promise<number | null>;
  /** Whether every key is handed on as it is, unseen. */
  setRaw(raw: boolean): void;
  /** In characters. */
  size(): TerminalSize;
}

/** How large a terminal is. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal that a container's process has as its streams, or is lent; undefined when they are pipes. */
function ownTerminal(): Terminal | undefined {
  if (Deno.env.get(ENV.lendTerminal) === "true") return LENT;
  if (!Deno.stdin.isTerminal()) return undefined;
  return {
    read: (bytes) => Deno.stdin.read(bytes),
    setRaw: (raw) => Deno.stdin.setRaw(raw),
    size: () => Deno.consoleSize(),
  };
}

const LENT: Terminal = {
  isLent: true,
  read: () => Promise.resolve(null),
  setRaw() {},
  size: () => ({ columns: 80, rows: 24 }),
};

/** The world of a real pod. */
export const realWorld: World = {
  root: "",
  env: (name) => Deno.env.get(name),
  log: (message) => console.error(`argoexec: ${message}`),
  detail(message) {
    if (Deno.args[Deno.args.indexOf("--loglevel") + 1] === "debug") this.log(message);
  },
  stdout: Deno.stdout,
  stderr: Deno.stderr,
  terminal: ownTerminal(),
  clock: systemClock,
  // Loaded when it is asked for: most commands have no artifacts.
  driverFor: async (artifact) => (await import("../lib/artifact/mod.ts")).driverFor(artifact),
};

/** A path of the protocol in this world. */
export function at(world: World, path: string): string {
  return `${world.root}${path}`;
}

/** The folder of a container's signal, exit code and captured output. */
export function containerFolder(world: World, container: string): string {
  return at(world, `${PATH.containers}/${container}`);
}

/** The name of this container. */
export function ownName(world: World): string {
  return world.env(ENV.containerName) ?? "main";
}

/** How long a process has between being asked to end and being killed. */
export function graceSeconds(world: World): number {
  const text = world.env(ENV.terminationGracePeriodSeconds);
  return text ? Number(text) : DEFAULT_GRACE_SECONDS;
}

/** Makes a folder that containers of other users may write to as well. */
export async function makeSharedFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  try {
    await Deno.chmod(folder, 0o777);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable)) throw error;
    // Somebody else made it, and made it so that all may write.
  }
}

/** The text of a file; undefined when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
