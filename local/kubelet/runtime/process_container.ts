/** A container that is a process. It ends with the process. */

import { pause, systemClock } from "@tiphys/base/clock";
import type { ContainerPlan } from "./container_plan.ts";
import type { ControlGroup } from "./control_groups.ts";
import { ExecOutput } from "./exec_output.ts";
import { type Launcher, NOT_FOUND, type PreparedContainer } from "./launcher.ts";
import { startProgram } from "./start_program.ts";
import { removeTree } from "../../image/remove_tree.ts";
import type { Container, ContainerSpec, Ending, ExecOptions, ExecResult, OutputSink, StopSignal } from "./runtime.ts";

/** The exit codes of a container whose root could not be set up, and of one that was killed. */
const START_ERROR = 128;
const SIGKILLED = 137;

const LOOK_AGAIN_MS = 10;

/** The specification of a container, and the components that start and monitor it. */
export interface ProcessContainerOptions {
  readonly spec: ContainerSpec;
  readonly launcher: Launcher;
  readonly plan: ContainerPlan;
  readonly output: OutputSink;
  /** The control group that limits the container. It is removed with the container. */
  readonly group?: ControlGroup | undefined;
  /** Returns the likely cause of a failure, if the back end can determine it. */
  readonly explain?: ((spec: ContainerSpec, exitCode: number) => string | undefined) | undefined;
}

/** A container started by a generated program. */
export class ProcessContainer implements Container {
  readonly ended: Promise<Ending>;
  readonly #spec: ContainerSpec;
  readonly #prepared: PreparedContainer;
  readonly #explain: (spec: ContainerSpec, exitCode: number) => string | undefined;
  readonly #group: ControlGroup | undefined;
  readonly #process: Deno.ChildProcess;
  #groupRemoved: Promise<void> | undefined;
  #over = false;
  #inputEnded = false;
  #killed = false;

  /**
   * Starts the container.
   * @throws ProgramTooLarge, and errors of this machine.
   */
  static async start(options: ProcessContainerOptions): Promise<ProcessContainer> {
    const { launcher, plan, spec, group } = options;
    // Nothing is written to the input. Its end signals the program that this process has ended.
    const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    try {
      const prepared = launcher.prepare(plan, spec, group);
      return new ProcessContainer(options, prepared, await startProgram(prepared.program, pipes));
    } catch (error) {
      await group?.remove();
      throw error;
    }
  }

  private constructor(
    { spec, output, group, explain = () => undefined }: ProcessContainerOptions,
    prepared: PreparedContainer,
    process: Deno.ChildProcess,
  ) {
    this.#spec = spec;
    this.#prepared = prepared;
    this.#explain = explain;
    this.#group = group;
    this.#process = process;
    const written = Promise.all([
      drain(this.#process.stdout, (chunk) => output("stdout", chunk)),
      drain(this.#process.stderr, (chunk) => output("stderr", chunk)),
    ]);
    this.ended = this.#process.status.then(async (status) => {
      this.#over = true;
      this.#endInput();
      const lost = (await written).find((error) => error !== undefined);
      const ending = this.#toEnding(status);
      // The kernel may take a while; the removal of the container waits for it.
      this.#groupRemoved = this.#group?.remove();
      return lost === undefined ? ending : withLoss(ending, lost);
    });
  }

  signal(signal: StopSignal): void {
    if (this.#over) return;
    const { pid } = this.#prepared.state();
    if (signal === "SIGKILL") {
      this.#killed = true;
      return this.#endInput();
    }
    // Without a PID there is no process to end gracefully.
    if (pid === undefined) return this.#endInput();
    this.#signalProcess(pid, signal);
  }

  /** Ends the first process through its keeper, which identifies it by more than its PID. */
  #endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // The keeper may have ended already.
    this.#process.stdin.close().catch(() => {});
  }

  async exec(command: readonly string[], { signal, streams }: ExecOptions = {}): Promise<ExecResult> {
    const pid = await this.#findFirstProcess();
    if (pid === undefined) {
      throw new Error(`Could not run ${JSON.stringify(command)} in container "${this.#spec.id}": it is not running`);
    }
    const { program, readFailure: complaint } = this.#prepared.enter(this.#process.pid, pid, command);
    const pipes = { stdin: streams?.input ? "piped" : "null", stdout: "piped", stderr: "piped" } as const;
    const process = await startProgram(program, { ...pipes, ...(signal && { signal }) });
    const over = new AbortController();
    let broken: unknown;
    if (streams?.input) {
      feedInput(streams.input, process.stdin, over.signal).catch((error) => {
        broken = error;
        this.#signalProcess(process.pid, "SIGKILL");
      });
    }
    const output = new ExecOutput();
    const take = streams?.output ?? ((stream: "stdout" | "stderr", chunk: Uint8Array) => output.add(stream, chunk));
    const kept = Promise.all([
      pump(process.stdout, (chunk) => take("stdout", chunk)),
      pump(process.stderr, (chunk) => take("stderr", chunk)),
    ]);
    // After too much output, reading stops, so the command is killed through the process that waits for it.
    kept.catch(() => this.#signalProcess(process.pid, "SIGKILL"));
    const { code: exitCode } = await process.status;
    over.abort();
    const failure = complaint();
    await kept;
    if (broken !== undefined) throw broken;
    if (failure !== undefined) await streams?.output("stderr", new TextEncoder().encode(`${failure}\n`));
    const stderr = output.text("stderr") + (failure === undefined || streams ? "" : `${failure}\n`);
    return { exitCode, stdout: output.text("stdout"), stderr };
  }

  /** The first process, once it runs the container's program. Before that, there is no root to run a command in. */
  async #findFirstProcess(): Promise<number | undefined> {
    while (!this.#over) {
      const { pid, reached } = this.#prepared.state();
      if (reached) return pid;
      await pause(systemClock, LOOK_AGAIN_MS);
    }
    return undefined;
  }

  async remove(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
    await this.#groupRemoved;
    await removeTree(this.#spec.folder);
  }

  #signalProcess(pid: number, signal: StopSignal): void {
    try {
      Deno.kill(pid, signal);
    } catch (error) {
      // The process has ended, and its status has not arrived yet.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #toEnding(status: Deno.CommandStatus): Ending {
    if (this.#group?.wasExceeded()) return { exitCode: status.code, reason: "OOMKilled" };
    const { reached, missing, complaint } = this.#prepared.state();
    if ((!reached || missing) && !this.#killed) {
      const seen = complaint ?? (missing ? NOT_FOUND : `its launcher ended with exit code ${status.code}`);
      const why = [seen, this.#explain(this.#spec, START_ERROR)].filter((text) => text).join(": ");
      return { exitCode: START_ERROR, reason: "StartError", message: `Could not start the container: ${why}` };
    }
    if (status.success) return { exitCode: 0, reason: "Completed" };
    const exitCode = this.#killed && status.signal ? SIGKILLED : status.code;
    const message = this.#explain(this.#spec, exitCode);
    return { exitCode, reason: "Error", ...(message && { message }) };
  }
}

function withLoss(ending: Ending, lost: unknown): Ending {
  const why = `its output could not be kept: ${lost instanceof Error ? lost.message : lost}`;
  return { ...ending, message: ending.message ? `${ending.message}; ${why}` : why };
}

/**
 * Reads a stream to its end even if the sink fails, because the container would block. Returns the sink's first error.
 */
async function drain(stream: ReadableStream<Uint8Array>, sink: (chunk: Uint8Array) => void): Promise<unknown> {
  let lost: unknown;
  try {
    await pump(stream, (chunk) => {
      try {
        sink(chunk);
      } catch (error) {
        lost ??= error;
      }
    });
  } catch (error) {
    lost ??= error;
  }
  return lost;
}

/**
 * Copies the input to a command. Resolves when the command has ended or closed its input.
 * @throws the error of the input. The command must be killed then, because it would treat the partial input as
 * complete.
 */
async function feedInput(input: ReadableStream<Uint8Array>, stdin: WritableStream<Uint8Array>, over: AbortSignal) {
  // If the command closed its end, the input is cancelled and thus closed; otherwise this rethrows its error.
  await input.pipeTo(stdin, { signal: over }).catch(() => input.getReader().closed);
}

async function pump(
  stream: ReadableStream<Uint8Array>,
  sink: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  for await (const chunk of stream) await sink(chunk);
}
