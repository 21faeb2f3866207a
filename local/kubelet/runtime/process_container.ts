/** A container that is a process, whose end is the container's. */

import { pause, systemClock } from "@tiphys/base/clock";
import type { ContainerPlan } from "./container_plan.ts";
import type { ControlGroup } from "./control_groups.ts";
import { ExecOutput } from "./exec_output.ts";
import { type Launcher, NOT_FOUND, type PreparedContainer } from "./launcher.ts";
import { startProgram } from "./start_program.ts";
import { removeTree } from "../../image/remove_tree.ts";
import type { Container, ContainerSpec, Ending, ExecOptions, ExecResult, OutputSink, StopSignal } from "./runtime.ts";

/** Exit codes of a container whose root could not be put together, and of one that was killed. */
const START_ERROR = 128;
const SIGKILLED = 137;

const LOOK_AGAIN_MS = 10;

/** The specification of a container, and the parts that start and watch it. */
export interface ProcessContainerOptions {
  readonly spec: ContainerSpec;
  readonly launcher: Launcher;
  readonly plan: ContainerPlan;
  readonly output: OutputSink;
  /** The control group that keeps the container to its limits; goes with it. */
  readonly group?: ControlGroup | undefined;
  /** The likely cause of an ending that is no success, where the back end can tell. */
  readonly explain?: ((spec: ContainerSpec, exitCode: number) => string | undefined) | undefined;
}

/** A container made by a program of ours. */
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
   * Starts it.
   * @throws ProgramTooLarge, and for this machine's troubles.
   */
  static async start(options: ProcessContainerOptions): Promise<ProcessContainer> {
    const { launcher, plan, spec, group } = options;
    // Its input is never written to: its end tells that we have ended.
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
      const ending = this.#endingOf(status);
      // The kernel takes its time; the removal of the container waits for it.
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
    // Until the first process has its number, there is nothing to end gracefully.
    if (pid === undefined) return this.#endInput();
    this.#signalProcess(pid, signal);
  }

  /** Ends the first process by its keeper, which knows it by more than a number. */
  #endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // The keeper may have ended by itself.
    this.#process.stdin.close().catch(() => {});
  }

  async exec(command: readonly string[], { signal, streams }: ExecOptions = {}): Promise<ExecResult> {
    const pid = await this.#reached();
    if (pid === undefined) {
      throw new Error(`Could not run ${JSON.stringify(command)} in container "${this.#spec.id}": it is not running`);
    }
    const { program, complaint } = this.#prepared.enter(this.#process.pid, pid, command);
    const pipes = { stdin: streams?.input ? "piped" : "null", stdout: "piped", stderr: "piped" } as const;
    const process = await startProgram(program, { ...pipes, ...(signal && { signal }) });
    const over = new AbortController();
    let broken: unknown;
    if (streams?.input) {
      fed(streams.input, process.stdin, over.signal).catch((error) => {
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
    // Nobody reads on after too much output, and the command ends with the process that waits for it.
    kept.catch(() => this.#signalProcess(process.pid, "SIGKILL"));
    const { code: exitCode } = await process.status;
    over.abort();
    const said = complaint();
    await kept;
    if (broken !== undefined) throw broken;
    if (said !== undefined) await streams?.output("stderr", new TextEncoder().encode(`${said}\n`));
    const stderr = output.text("stderr") + (said === undefined || streams ? "" : `${said}\n`);
    return { exitCode, stdout: output.text("stdout"), stderr };
  }

  /** The first process once it is the container's own program; until then there is no root to run anything in. */
  async #reached(): Promise<number | undefined> {
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
      // The process has ended by itself, and we have not yet been told.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #endingOf(status: Deno.CommandStatus): Ending {
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

/** Reads a stream to its end, also when nobody takes what it brings: a container would wait for that. Answers the first error. */
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
 * Hands a command its input; resolves where the command reads no more of it, or is over.
 * @throws what broke the input off: the command would take what came until then for all of it.
 */
async function fed(input: ReadableStream<Uint8Array>, stdin: WritableStream<Uint8Array>, over: AbortSignal) {
  // Where it is not the input that failed, that was cancelled, and so is closed.
  await input.pipeTo(stdin, { signal: over }).catch(() => input.getReader().closed);
}

async function pump(
  stream: ReadableStream<Uint8Array>,
  sink: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  for await (const chunk of stream) await sink(chunk);
}
