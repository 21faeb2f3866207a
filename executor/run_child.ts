/** Starting a command in its own process group, and learning how it ended. */
import { EXIT } from "../lib/constants.ts";
import { ExecutorError } from "./failure.ts";
import { FORWARDED } from "./signals.ts";
import type { World } from "./world.ts";

/** A command that runs. */
export interface Child {
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /** Sends a signal to the command and everything it started. */
  kill(signal: Deno.Signal): void;
}

/** After the command ended, how long processes it left behind may still hold its output open, milliseconds. */
const OUTPUT_GRACE_MILLIS = 100;

/**
 * Starts a command. Its output is our own; with `captureFolder` it is also written to the files `stdout` and `combined`
 * there. Signals that this process gets are passed on for as long as it runs.
 */
export function runChild(command: readonly string[], options: { readonly captureFolder?: string }): Child {
  const stream = options.captureFolder ? "piped" : "inherit";
  const child = start(command, stream);
  let ended = false;
  const kill = (signal: Deno.Signal) => {
    if (ended) return;
    try {
      Deno.kill(-child.pid, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound || error instanceof TypeError)) throw error;
    }
  };
  const forwarders = FORWARDED.map((signal) => [signal, () => kill(signal)] as const);
  for (const [signal, forward] of forwarders) Deno.addSignalListener(signal, forward);
  const copying = options.captureFolder ? capture(child, options.captureFolder) : undefined;
  return {
    kill,
    exit: (async () => {
      const status = await child.status;
      ended = true;
      for (const [signal, forward] of forwarders) Deno.removeSignalListener(signal, forward);
      if (copying) await Promise.race([copying, grace()]);
      return exitCodeOf(status);
    })(),
  };
}

function start(command: readonly string[], output: "piped" | "inherit"): Deno.ChildProcess {
  const [program, ...args] = command;
  try {
    return new Deno.Command(program, { args, stdin: "inherit", stdout: output, stderr: output, detached: true }).spawn();
  } catch (error) {
    throw new ExecutorError(`failed to start "${program}": ${(error as Error).message}`, EXIT.executorError, { cause: error });
  }
}

function exitCodeOf(status: Deno.CommandStatus): number {
  if (status.signal === null) return status.code;
  // Deno reports 128 + n here already; where it could not tell, the kernel killed it.
  return status.code > 128 ? status.code : EXIT.undetermined;
}

function grace(): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, OUTPUT_GRACE_MILLIS)));
}

async function capture(child: Deno.ChildProcess, folder: string): Promise<void> {
  const append = { append: true, create: true, mode: 0o666 };
  using stdout = await Deno.open(`${folder}/stdout`, append);
  using combined = await Deno.open(`${folder}/combined`, append);
  await Promise.all([
    copy(child.stdout, [Deno.stdout, stdout, combined]),
    copy(child.stderr, [Deno.stderr, combined]),
  ]);
}

interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

async function copy(source: ReadableStream<Uint8Array>, sinks: readonly Sink[]): Promise<void> {
  for await (const chunk of source) {
    for (const sink of sinks) {
      for (let done = 0; done < chunk.length;) done += await sink.write(chunk.subarray(done));
    }
  }
}

/**
 * The file of a program: a path as it is, a name looked up in PATH.
 * @throws {ExecutorError} when it is not there.
 */
export async function findInPath(world: World, program: string): Promise<string> {
  if (program.includes("/")) return program;
  const path = world.env("PATH") ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  for (const folder of path.split(":")) {
    const file = `${folder || "."}/${program}`;
    if (await isExecutable(file)) return file;
  }
  throw new ExecutorError(`failed to find name in PATH: exec: "${program}": executable file not found in $PATH`);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    const { isFile, mode } = await Deno.stat(file);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}
