/** Starting a command in its own process group, and learning how it ended. */
import type { Clock } from "../../lib/clock/mod.ts";
import { EXIT } from "../../lib/constants.ts";
import { describe, ExecutorError } from "../failure.ts";
import type { CommandLine } from "./command_line.ts";
import { reapOrphans } from "./reap_orphans.ts";
import { notStarted, type Started } from "./started.ts";
import type { Sink, World } from "../world.ts";

/** A command that runs. */
export interface Child {
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /** Sends a signal to the command and everything it started. */
  kill(signal: Deno.Signal): void;
}

/** The time for which a command's output may be silent after its end, held open by leftover processes; milliseconds. */
const OUTPUT_GRACE_MILLIS = 100;

/** The time for which the output of those processes is read at most, milliseconds. */
const OUTPUT_LIMIT_MILLIS = 2000;

/**
 * Starts a command. Its output is our own; with `captureFolder` it is also appended to the files `stdout` and `combined`
 * there. Where the container has a terminal the command has one too.
 * @throws {ExecutorError} when it cannot be started.
 */
export async function runChild(world: World, command: CommandLine, captureFolder?: string): Promise<Child> {
  const { terminal } = world;
  const started = terminal && (captureFolder || terminal.isLent)
    ? await (await import("./start_on_terminal.ts")).startOnTerminal(terminal, command)
    : start(command, captureFolder ? "piped" : "inherit");
  const orphans = reapOrphans(started.pid);
  const output = started.stdout ? capture(world, started, captureFolder) : undefined;
  let ended = false;
  return {
    kill(signal) {
      if (ended) return;
      try {
        if (signal === "SIGWINCH") started.resize?.();
        Deno.kill(-started.pid, signal);
      } catch (error) {
        // Gone already, or it runs as somebody whom we may not signal: no reason to end before it.
        world.log(`${signal} did not reach the command: ${describe(error)}`);
      }
    },
    exit: (async () => {
      using _ = orphans;
      const code = await started.exit;
      ended = true;
      const failure = await output?.drained();
      if (failure === undefined) return code;
      const message = `its output could not be kept: ${describe(failure)}`;
      // What it says of itself by another exit code tells more.
      if (code === 0) throw new ExecutorError(message, { cause: failure });
      world.log(message);
      return code;
    })(),
  };
}

function start([program, ...args]: CommandLine, output: "piped" | "inherit"): Started {
  try {
    const child = new Deno.Command(program, { args, stdin: "inherit", stdout: output, stderr: output, detached: true })
      .spawn();
    const { stdout, stderr } = output === "piped" ? child : {};
    return { pid: child.pid, exit: exitCodeOf(child), stdout, stderr };
  } catch (error) {
    throw notStarted(program, error);
  }
}

async function exitCodeOf(child: Deno.ChildProcess): Promise<number> {
  let status: Deno.CommandStatus;
  try {
    status = await child.status;
  } catch (error) {
    // Deno has no names for the real-time signals, and says only their number.
    const [, number] = /^Invalid signal: (\d+)$/.exec(describe(error)) ?? [];
    if (number === undefined) throw error;
    return 128 + Number(number);
  }
  const { signal, code } = status;
  if (signal === null) return code;
  // Deno reports 128 + n here already; where it could not tell, the kernel killed it.
  return code > 128 ? code : EXIT.undetermined;
}

interface Output {
  /**
   * Waits for the end of the output, but not for processes that only keep it open. Answers why not all of it could be kept;
   * undefined where it was.
   */
  drained(): Promise<unknown>;
}

/** Hands on what a command prints; into files too where there is a folder for them. */
function capture(world: World, started: Started, folder: string | undefined): Output {
  const open = (name: string) =>
    folder === undefined ? [] : [Deno.openSync(`${folder}/${name}`, { append: true, create: true, mode: 0o666 })];
  const stdout = open("stdout");
  const combined = open("combined");
  const copy = (stream: Started["stdout"], sinks: Sink[]) => stream ? [new Copy(stream.getReader(), sinks)] : [];
  const copies = [
    ...copy(started.stdout, [world.stdout, ...stdout, ...combined]),
    ...copy(started.stderr, [world.stderr, ...combined]),
  ];
  const whole = Promise.all(copies.map((copy) => copy.done));
  const bytes = () => copies.reduce((sum, copy) => sum + copy.bytes, 0);
  return {
    async drained() {
      const { clock } = world;
      const limit = clock.now() + OUTPUT_LIMIT_MILLIS;
      for (let before = -1; before !== bytes() && clock.now() < limit;) {
        before = bytes();
        if (await within(clock, OUTPUT_GRACE_MILLIS, whole)) break;
      }
      for (const copy of copies) await copy.stop();
      for (const file of [...stdout, ...combined]) file.close();
      return copies.find((copy) => copy.failure !== undefined)?.failure;
    },
  };
}

/** Whether something ends in time. */
async function within(clock: Clock, millis: number, end: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const takeBack = clock.after(millis, () => resolve(false));
  try {
    return await Promise.race([end.then(() => true), late]);
  } finally {
    takeBack();
  }
}

/**
 * One stream on its way to several places. A place that takes no more, as a full disk, does not keep the others from it,
 * nor the command from going on.
 */
class Copy {
  bytes = 0;
  /** The first error of a place. */
  failure: unknown;
  readonly done: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, sinks: readonly Sink[]) {
    this.#reader = reader;
    this.done = this.#copy(sinks);
  }

  /** Reads no more; what was read already is still written. */
  async stop(): Promise<void> {
    await this.#reader.cancel();
    await this.done;
  }

  async #copy(sinks: readonly Sink[]): Promise<void> {
    const open = new Set(sinks);
    for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
      this.bytes += part.value.length;
      for (const sink of open) {
        try {
          await writeAll(sink, part.value);
        } catch (error) {
          this.failure ??= error;
          open.delete(sink);
        }
      }
    }
  }
}

async function writeAll(sink: Sink, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await sink.write(bytes.subarray(done));
}
