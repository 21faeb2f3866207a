/** Start of a command in its own process group, with its exit code and captured output. */
import type { Clock } from "@tiphys/base/clock";
import { EXIT } from "@tiphys/base/constants";
import { describeError, ExecutorError } from "../failure.ts";
import type { CommandLine } from "./command_line.ts";
import { reapOrphans } from "./reap_orphans.ts";
import { type StartedCommand, startError } from "./started.ts";
import type { Sink, World } from "../world.ts";

/** A running command. */
export interface Child {
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /** Sends a signal to the command and everything it started. */
  kill(signal: Deno.Signal): void;
}

/**
 * The time between two checks for more output after the command has exited, in milliseconds, when leftover processes
 * hold it open. A check during which a sink was busy does not count: a slow disk or a throttled CPU must not cut off
 * output that the command has already written.
 */
const CHECK_MILLIS = 50;

/** The number of idle checks in a row that end the copy. Two, because pipes are read between two timers. */
const IDLE_CHECKS = 2;

/** The maximum number of checks while leftover processes keep printing. */
const MAX_CHECKS = 40;

/**
 * Starts a command. Its output goes to the output of this process and, with `captureFolder`, also to the files `stdout`
 * and `combined` there. If the container has a terminal, so has the command.
 * @throws {ExecutorError} when it cannot be started.
 */
export async function runChild(world: World, command: CommandLine, captureFolder?: string): Promise<Child> {
  const { terminal } = world;
  const started = terminal && (captureFolder || terminal.isLent)
    ? await (await import("./start_on_terminal.ts")).startOnTerminal(terminal, command)
    : startProcess(command, captureFolder ? "piped" : "inherit");
  const orphans = reapOrphans(started.pid);
  const output = started.stdout ? forwardOutput(world, started, captureFolder) : undefined;
  let ended = false;
  return {
    kill(signal) {
      if (ended) return;
      try {
        if (signal === "SIGWINCH") started.resize?.();
        Deno.kill(-started.pid, signal);
      } catch (error) {
        // The command is gone, or runs as a user that this process may not signal. Neither is a reason to exit before
        // it.
        world.log(`failed to send ${signal} to the command: ${describeError(error)}`);
      }
    },
    exit: (async () => {
      using _ = orphans;
      const code = await started.exit;
      ended = true;
      const failure = await output?.drained();
      if (failure === undefined) return code;
      const message = `failed to capture the output: ${describeError(failure)}`;
      // A nonzero exit code of the command is more informative.
      if (code === 0) throw new ExecutorError(message, { cause: failure });
      world.log(message);
      return code;
    })(),
  };
}

function startProcess([program, ...args]: CommandLine, output: "piped" | "inherit"): StartedCommand {
  try {
    const child = new Deno.Command(program, { args, stdin: "inherit", stdout: output, stderr: output, detached: true })
      .spawn();
    const { stdout, stderr } = output === "piped" ? child : {};
    return { pid: child.pid, exit: exitCodeOf(child), stdout, stderr };
  } catch (error) {
    throw startError(program, error);
  }
}

async function exitCodeOf(child: Deno.ChildProcess): Promise<number> {
  let status: Deno.CommandStatus;
  try {
    status = await child.status;
  } catch (error) {
    // Deno has no names for real-time signals and throws this error with their number.
    const [, number] = /^Invalid signal: (\d+)$/.exec(describeError(error)) ?? [];
    if (number === undefined) throw error;
    return 128 + Number(number);
  }
  const { signal, code } = status;
  if (signal === null) return code;
  // Deno returns 128 + n as the code of a process that was ended by a signal. A smaller code means that the signal is
  // unknown, as after a kill by the kernel.
  return code > 128 ? code : EXIT.undetermined;
}

interface Output {
  /**
   * Waits for the end of the output, but not for processes that only hold it open. Resolves to the first capture error,
   * or undefined if all output was captured.
   */
  drained(): Promise<unknown>;
}

/** Forwards the output of a command, and appends it to files if a folder is given. */
function forwardOutput(world: World, started: StartedCommand, folder: string | undefined): Output {
  const open = (name: string) =>
    folder === undefined ? [] : [Deno.openSync(`${folder}/${name}`, { append: true, create: true, mode: 0o666 })];
  const stdout = open("stdout");
  const combined = open("combined");
  const copy = (stream: StartedCommand["stdout"], sinks: Sink[]) =>
    stream ? [new StreamCopy(stream.getReader(), sinks, started.endOutput)] : [];
  const copies = [
    ...copy(started.stdout, [world.stdout, ...stdout, ...combined]),
    ...copy(started.stderr, [world.stderr, ...combined]),
  ];
  return {
    async drained() {
      await Promise.all(copies.map((copy) => copy.drain(world.clock)));
      for (const file of [...stdout, ...combined]) file.close();
      return copies.find((copy) => copy.failure !== undefined)?.failure;
    },
  };
}

/** Resolves to whether `end` resolves in time. */
async function resolvesWithin(clock: Clock, millis: number, end: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const takeBack = clock.after(millis, () => resolve(false));
  try {
    return await Promise.race([end.then(() => true), late]);
  } finally {
    takeBack();
  }
}

/**
 * Copies a stream to several sinks. A sink that fails, for example a full disk, is dropped; the other sinks and the
 * command are not affected.
 */
class StreamCopy {
  /** The first error of a sink. */
  failure: unknown;
  #bytes = 0;
  #isWriting = false;
  readonly #done: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #endOutput: (() => void) | undefined;

  /** `endOutput` ends the stream gracefully; without it, the stream is canceled when the copy stops. */
  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    sinks: readonly Sink[],
    endOutput: (() => void) | undefined,
  ) {
    this.#reader = reader;
    this.#endOutput = endOutput;
    this.#done = this.#copy(sinks);
  }

  /** Waits for the end of the stream, or until nothing more arrives, and stops. Data that was read is still written. */
  async drain(clock: Clock): Promise<void> {
    for (let checks = 0, idle = 0; checks < MAX_CHECKS && idle < IDLE_CHECKS;) {
      const before = this.#bytes;
      if (await resolvesWithin(clock, CHECK_MILLIS, this.#done)) return;
      if (this.#bytes > before) idle = 0;
      else if (this.#isWriting) continue;
      else idle++;
      checks++;
    }
    if (this.#endOutput) this.#endOutput();
    else await this.#reader.cancel();
    await this.#done;
  }

  async #copy(sinks: readonly Sink[]): Promise<void> {
    const open = new Set(sinks);
    for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
      this.#bytes += part.value.length;
      this.#isWriting = true;
      for (const sink of open) {
        try {
          await writeAll(sink, part.value);
        } catch (error) {
          this.failure ??= error;
          open.delete(sink);
        }
      }
      this.#isWriting = false;
    }
  }
}

async function writeAll(sink: Sink, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await sink.write(bytes.subarray(done));
}
