/**
 * The surroundings of the executor: files, environment, clock and artifact stores. They are passed in, so that a test
 * can redirect all paths to a test folder.
 */
import type { Driver, Place, TreeDriver } from "@tiphys/model/artifact";
import { type Clock, systemClock } from "@tiphys/base/clock";
import { DEFAULT_GRACE_SECONDS, ENV, PATH } from "@tiphys/base/constants";
import { PLAIN_FILES, type SharedFiles } from "./pod/shared_files.ts";

/** The surroundings of an executor process. */
export interface World {
  /** The prefix of every path of the protocol; empty in a pod. */
  readonly root: string;
  env(name: string): string | undefined;
  /**
   * Files that the containers of the pod share. An auxiliary container replaces this by an implementation that follows
   * no links.
   */
  files: SharedFiles;
  /** Logs a line about the executor to the container's log. */
  log(message: string): void;
  /** Logs a line only with `--loglevel debug`, because a container's log belongs to the user. */
  detail(message: string): void;
  /** The destinations of a captured command's output. */
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** The container's terminal, if any (`tty: true`). */
  readonly terminal?: Terminal;
  readonly clock: Clock;
  /** Returns the driver of a location. Rejects if its store has no driver. */
  driverFor(location: Place): Promise<Driver | TreeDriver>;
  /** Removes the secrets that this process has read, and text that looks like a credential. */
  redact(text: string): string;
}

/** A destination for bytes. `write` may accept only a part; it resolves to the number of bytes written. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** A terminal. */
export interface Terminal {
  /** Set if the container's streams are pipes, although it should have a terminal: there is no input. */
  readonly isLent?: boolean;
  /** Reads input; null when no more can follow. */
  read(bytes: Uint8Array): Promise<number | null>;
  /** Enables raw mode, in which keys are passed on unprocessed and without echo. */
  setRaw(raw: boolean): void;
  /** In characters. */
  size(): TerminalSize;
}

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns the terminal of the container's process, or a substitute if the environment requests one. Undefined if the
 * streams are pipes.
 */
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

/** A placeholder until a command provides stores. The emissary, which wraps every user's command, has no stores. */
export const withoutStores: World["driverFor"] = () =>
  Promise.reject(new Error("This command does not support artifacts"));

/** The surroundings of a real pod. */
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

/** Returns a path of the protocol in this world. */
export function at(world: World, path: string): string {
  return `${world.root}${path}`;
}

/** Returns the folder of a container's signal, exit code and captured output. */
export function containerFolder(world: World, container: string): string {
  return at(world, `${PATH.containers}/${container}`);
}

/** Returns the name of this container. */
export function ownContainerName(world: World): string {
  return world.env(ENV.containerName) ?? "main";
}

/** Returns the grace period: the seconds between SIGTERM and SIGKILL. */
export function graceSeconds(world: World): number {
  const text = world.env(ENV.terminationGracePeriodSeconds);
  return text ? Number(text) : DEFAULT_GRACE_SECONDS;
}
