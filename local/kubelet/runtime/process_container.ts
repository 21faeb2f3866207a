/** One container: a process whose end is the container's. */

import type { Argv, Launched } from "./launcher.ts";
import type { MemoryGroup } from "./memory_groups.ts";
import { SEARCH_PATH } from "./search_path.ts";
import { removeTree } from "./remove_tree.ts";
import type { Container, ContainerSpec, Ending, ExecResult, OutputSink, StopSignal } from "./runtime.ts";

/** Exit codes of a container whose root could not be put together, and of one that was killed. */
const START_ERROR = 128;
const SIGKILLED = 137;

const LOOK_AGAIN_MS = 10;

/** Environment of the tools that make a container; its own is set by `env -i` at the last moment. */
const toolEnv = { PATH: SEARCH_PATH, LC_ALL: "C" };

/** What a container is made with. */
export interface ProcessContainerOptions {
  readonly spec: ContainerSpec;
  readonly launcher: Launched;
  /** The launcher's command. */
  readonly argv: Argv;
  readonly output: OutputSink;
  /** Keeps it to its memory. */
  readonly memory?: MemoryGroup | undefined;
  /** What an ending that is no success may be due to, where the back end can tell. */
  readonly explain?: (spec: ContainerSpec) => string | undefined;
}

/** A container made of a launcher's command. */
export class ProcessContainer implements Container {
  readonly ended: Promise<Ending>;
  readonly #spec: ContainerSpec;
  readonly #launcher: Launched;
  readonly #explain: (spec: ContainerSpec) => string | undefined;
  readonly #memory: MemoryGroup | undefined;
  readonly #process: Deno.ChildProcess;
  #over = false;
  #killed = false;

  constructor({ spec, launcher, argv, output, memory, explain = () => undefined }: ProcessContainerOptions) {
    this.#spec = spec;
    this.#launcher = launcher;
    this.#explain = explain;
    this.#memory = memory;
    const [command, ...args] = memory?.join(argv) ?? argv;
    this.#process = new Deno.Command(command!, {
      args,
      clearEnv: true,
      env: toolEnv,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const written = Promise.all([
      pump(this.#process.stdout, (chunk) => output("stdout", chunk)),
      pump(this.#process.stderr, (chunk) => output("stderr", chunk)),
    ]);
    this.ended = this.#process.status.then(async (status) => {
      this.#over = true;
      await written;
      const ending = this.#endingOf(status);
      await this.#memory?.remove();
      return ending;
    });
  }

  signal(signal: StopSignal): void {
    if (this.#over) return;
    if (signal === "SIGKILL") this.#killed = true;
    const { pid } = this.#launcher.state(this.#spec.folder);
    // Until the first process has its number, only the tools run: there is nothing to end gracefully.
    if (pid === undefined) return this.#signalProcess(this.#process.pid, "SIGKILL");
    this.#signalProcess(pid, signal);
  }

  async exec(command: readonly string[], signal?: AbortSignal): Promise<ExecResult> {
    const pid = await this.#reached();
    if (pid === undefined) {
      throw new Error(`Could not run ${JSON.stringify(command)} in container "${this.#spec.id}": it is not running`);
    }
    const argv = this.#launcher.enter({ launcher: this.#process.pid, first: pid }, this.#spec, command);
    const done = await new Deno.Command(argv[0]!, {
      args: argv.slice(1),
      clearEnv: true,
      env: toolEnv,
      stdin: "null",
      ...(signal && { signal }),
    }).output();
    const text = new TextDecoder();
    return { exitCode: done.code, stdout: text.decode(done.stdout), stderr: text.decode(done.stderr) };
  }

  /** The first process once it is the container's own program; until then there is no root to run anything in. */
  async #reached(): Promise<number | undefined> {
    while (!this.#over) {
      const { pid, reached } = this.#launcher.state(this.#spec.folder);
      if (reached) return pid;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return undefined;
  }

  async remove(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
    await removeTree(this.#spec.folder);
  }

  #signalProcess(pid: number, signal: StopSignal): void {
    try {
      Deno.kill(pid, signal);
    } catch (error) {
      // It has ended by itself, and we have not yet been told.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #endingOf(status: Deno.CommandStatus): Ending {
    if (this.#memory?.wasExceeded()) return { exitCode: status.code, reason: "OOMKilled" };
    const { reached, complaints } = this.#launcher.state(this.#spec.folder);
    if (!reached && !this.#killed) {
      const why = complaints || `the launcher "${this.#launcher.name}" ended with exit code ${status.code}`;
      return { exitCode: START_ERROR, reason: "StartError", message: `Could not start the container: ${why}` };
    }
    if (status.success) return { exitCode: 0, reason: "Completed" };
    const exitCode = this.#killed && status.signal ? SIGKILLED : status.code;
    const message = this.#explain(this.#spec);
    return { exitCode, reason: "Error", ...(message && { message }) };
  }
}

async function pump(stream: ReadableStream<Uint8Array>, sink: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream) sink(chunk);
}
