/** A container of an engine. */
import { z } from "zod";
import { removeTree } from "../../../image/remove_tree.ts";
import type { Container, ContainerSpec, Ending, ExecOptions, ExecResult, OutputSink, StopSignal } from "../runtime.ts";
import { type EngineClient, EngineRefusal, Named } from "./engine_client.ts";
import { ExecOutput } from "../exec_output.ts";
import { readOutput } from "./output_frames.ts";

/** The exit code if the engine itself stops responding. */
const LOST = 137;

/**
 * The interval at which podman checks whether a container has ended; its default is 250 ms. docker is event-driven and
 * ignores this.
 */
const LOOK_AGAIN = "20ms";

const Ended = z.object({ ExitCode: z.number().nullish() });
const Waited = z.object({ StatusCode: z.number() });
const Inspected = z.object({ State: z.object({ OOMKilled: z.boolean().optional() }) });

export interface EngineContainerOptions {
  readonly engine: EngineClient;
  /** The engine's ID of the container, which is created and not yet started. */
  readonly id: string;
  readonly spec: ContainerSpec;
  readonly output: OutputSink;
}

/**
 * Starts the container.
 * @throws EngineRefusal if its program cannot be started.
 */
export async function startEngineContainer(options: EngineContainerOptions): Promise<Container> {
  const { engine, id, output } = options;
  // Attaches before the start, so that no output is missed.
  const written = await engine.stream("POST", `/containers/${id}/attach`, {
    query: { stream: "1", stdout: "1", stderr: "1" },
  });
  const read = readOutput(written, output);
  // The promise is awaited only after the start. Until then, an error must not end the process.
  read.catch(() => {});
  try {
    await engine.send("POST", `/containers/${id}/start`);
  } catch (error) {
    await engine.send("DELETE", `/containers/${id}`, { query: { force: "1", v: "1" } });
    await read.catch(() => {});
    throw error;
  }
  return new EngineContainer(options, read);
}

class EngineContainer implements Container {
  readonly ended: Promise<Ending>;
  readonly #engine: EngineClient;
  readonly #id: string;
  readonly #spec: ContainerSpec;
  #over = false;

  constructor({ engine, id, spec }: EngineContainerOptions, read: Promise<void>) {
    this.#engine = engine;
    this.#id = id;
    this.#spec = spec;
    this.ended = this.#end(read).finally(() => this.#over = true);
  }

  signal(signal: StopSignal): void {
    if (this.#over) return;
    const kill = this.#engine.send("POST", `/containers/${this.#id}/kill`, { query: { signal } });
    // A kill fails if the container or the engine has ended; `ended` reports either.
    kill.catch(() => {});
  }

  async exec(command: readonly string[], { signal, streams }: ExecOptions = {}): Promise<ExecResult> {
    if (streams?.input) {
      throw new Error(
        "commands in containers of an engine cannot have standard input: omit -i, or use --runtime sandbox",
      );
    }
    const output = new ExecOutput();
    const take = streams?.output ?? ((name: "stdout" | "stderr", chunk: Uint8Array) => output.add(name, chunk));
    try {
      const { Id } = await this.#engine.json("POST", `/containers/${this.#id}/exec`, Named, {
        body: { AttachStdout: true, AttachStderr: true, Cmd: command },
        signal,
      });
      const stream = await this.#engine.stream("POST", `/exec/${Id}/start`, {
        body: { Detach: false, Tty: false },
        signal,
      });
      await readOutput(stream, take);
      const { ExitCode } = await this.#engine.json("GET", `/exec/${Id}/json`, Ended, { signal });
      return { exitCode: ExitCode ?? LOST, stdout: output.text("stdout"), stderr: output.text("stderr") };
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const why = this.#over ? "it is not running" : error.message;
      const what = `Could not run ${JSON.stringify(command)} in container "${this.#spec.id}"`;
      throw new Error(`${what}: ${why}`, { cause: error });
    }
  }

  async remove(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
    try {
      await this.#engine.send("DELETE", `/containers/${this.#id}`, { query: { force: "1", v: "1" } });
    } catch (error) {
      if (!(error instanceof EngineRefusal && error.status === 404)) throw error;
    }
    await removeTree(this.#spec.folder);
  }

  async #end(read: Promise<void>): Promise<Ending> {
    try {
      await read;
      const path = `/containers/${this.#id}`;
      const { StatusCode } = await this.#engine.json("POST", `${path}/wait`, Waited, {
        query: { interval: LOOK_AGAIN },
      });
      const { State: { OOMKilled } } = await this.#engine.json("GET", `${path}/json`, Inspected);
      if (OOMKilled) return { exitCode: StatusCode, reason: "OOMKilled" };
      return { exitCode: StatusCode, reason: StatusCode === 0 ? "Completed" : "Error" };
    } catch (error) {
      const message = `The container engine lost the container: ${error instanceof Error ? error.message : error}`;
      return { exitCode: LOST, reason: "Error", message };
    }
  }
}
