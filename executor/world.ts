/**
 * The world that the executor touches, handed in: its files, its environment, the time, the stores of artifacts. A test
 * puts everything below a folder of its own.
 */
import type { Driver, Place, TreeDriver } from "../lib/artifact/driver.ts";
import { type Clock, systemClock } from "../lib/clock/mod.ts";
import { DEFAULT_GRACE_SECONDS, ENV, PATH } from "../lib/constants.ts";
import { PLAIN_FILES, type SharedFiles } from "./pod/shared_files.ts";

/** The surroundings of an executor process. */
export interface World {
  /** Put before every path the protocol names; empty in a pod. */
  readonly root: string;
  env(name: string): string | undefined;
  /** Files that the containers of the pod share; an auxiliary container replaces this by what follows no link. */
  files: SharedFiles;
  /** A line for the container's log, about the executor itself. */
  log(message: string): void;
  /** The same for lines that only `--loglevel debug` shows: a container's log is the user's first of all. */
  detail(message: string): void;
  /** The streams for the output of a command that is captured on its way. */
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** The container's terminal, where it has one (`tty: true`). */
  readonly terminal?: Terminal;
  readonly clock: Clock;
  /** The driver of a place; rejects when there is none for its store. */
  driverFor(place: Place): Promise<Driver | TreeDriver>;
  /** A text without the secrets that this process has read, and without what looks like a credential. */
  redact(text: string): string;
}

/** Something that takes bytes, perhaps not all at once. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** A terminal at which somebody may sit. */
export interface Terminal {
  /** Whether the container's streams are pipes all the same: nobody sits there. */
  readonly isLent?: boolean;
  /** Reads the bytes that are typed; null when nobody can type any more. */
  read(bytes: Uint8Array): Promise<number | null>;
  /** Whether every key is handed on as it is, unseen. */
  setRaw(raw: boolean): void;
  /** In characters. */
  size(): TerminalSize;
}

/** The size of a terminal, in characters. */
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

/** Stands for the stores until a command brings them: the emissary, which is in front of every user's command, has none. */
export const withoutStores: World["driverFor"] = () => Promise.reject(new Error("This command has no artifacts"));

/** The world of a real pod. */
export const realWorld: World = {
  root: "",
  files: PLAIN_FILES,
  env: (name) => Deno.env.get(name),
  log: (message) => console.error(`argoexec: ${realWorld.redact(message)}`),
  detail(message) {
    if (Deno.args[Deno.args.indexOf("--loglevel") + 1] === "debug") this.log(message);
  },
  stdout: Deno.stdout,
  stderr: Deno.stderr,
  terminal: ownTerminal(),
  clock: systemClock,
  driverFor: withoutStores,
  redact: (text) => text,
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

/** The time in seconds that a process has between being asked to end and being killed. */
export function graceSeconds(world: World): number {
  const text = world.env(ENV.terminationGracePeriodSeconds);
  return text ? Number(text) : DEFAULT_GRACE_SECONDS;
}
