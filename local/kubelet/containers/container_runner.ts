/** Runs a container of a pod, from its first attempt to its last. */

import type { ContainerState, PodContainer } from "@tiphys/model/api";
import { ContainerLog } from "../logs/container_log.ts";
import type { PodEvent } from "../pod_events.ts";
import type { ContainerRecord } from "../pod_status.ts";
import { ImageError } from "@tiphys/registry/image_error";
import { type AttemptLimits, isLastAttempt } from "../attempt_limits.ts";
import type { Container, ContainerRuntime, ContainerSpec, Ending, StopSignal } from "../runtime/runtime.ts";
import { SetupError } from "../setup_error.ts";
import { CannotStartError } from "./startable.ts";
import { undefinedIfAborted, waitFor } from "../wait_for.ts";

/** The pod, as the runners of its containers use it. */
export interface RunnerWorld {
  readonly runtime: ContainerRuntime;
  readonly restartPolicy: string;
  /** The failures after which the pod fails if the container cannot start; undefined to retry without end. */
  readonly attempts?: AttemptLimits | undefined;
  /** The folder of this container: its log, and one folder per attempt. */
  readonly folder: string;
  /**
   * Returns the specification of an attempt, except for the folder.
   * @throws {SetupError} or ImageError while something is missing.
   */
  specOf(attempt: string, terminationLog: string): Promise<ContainerSpec>;
  terminationMessage(file: string, log: string, ending: Ending): Promise<string>;
  now(): string;
  /** Called with errors that do not end the container. */
  onError(subject: string, error: unknown): void;
  /** Called after each change of the record. */
  onChange(): void;
  /** Records an event of the container. */
  recordEvent(event: Omit<PodEvent, "part">): void;
  /** Aborted when the pod ends, so that nothing more is started. */
  readonly stopping: AbortSignal;
}

/** The exit code of a container that could not be started, as in the back ends. */
const START_ERROR = 128;

const RETRY_SETUP_MS = 1000;
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/** Runs one container according to the restart policy of its pod. */
export class ContainerRunner {
  #record: ContainerRecord;
  readonly #world: RunnerWorld;
  #container: Container | undefined;
  #log: ContainerLog | undefined;
  /** The number of earlier attempts. The record changes to the current attempt when its container starts. */
  #restarts = 0;
  /** The signal to send to a container that is still being created. */
  #pendingSignal: StopSignal | undefined;
  #onStarted: (() => void) | undefined;
  /** Resolves when the container first runs, or can no longer start. */
  readonly started: Promise<void>;

  constructor(spec: PodContainer, kind: "init" | "main", world: RunnerWorld) {
    this.#world = world;
    const state: ContainerState = { waiting: { reason: kind === "main" ? "ContainerCreating" : "PodInitializing" } };
    this.#record = { spec, kind, state, restartCount: 0, ready: false, final: false };
    this.started = new Promise((resolve) => this.#onStarted = resolve);
  }

  get record(): ContainerRecord {
    return this.#record;
  }

  /** The container, while it is running. */
  get container(): Container | undefined {
    return this.#container;
  }

  /** Signals the container. One that is being created receives the signal when it starts. */
  signal(signal: StopSignal): void {
    if (this.#container) this.#container.signal(signal);
    else if (this.#pendingSignal !== "SIGKILL") this.#pendingSignal = signal;
  }

  /** The log that is being written. */
  get log(): ContainerLog | undefined {
    return this.#log;
  }

  /** The path of the log of the current attempt, or of the previous one. */
  logPath(previous = false): string {
    return `${this.#world.folder}/${this.#restarts - (previous ? 1 : 0)}.log`;
  }

  /** Sets the reason why the container waits. */
  wait(reason: string, message?: string): void {
    const { waiting } = this.#record.state;
    if (waiting && waiting.reason === reason && waiting.message === message) return;
    this.#updateRecord({ state: { waiting: { reason, ...(message && { message }) } } });
  }

  /** Sets the readiness of the running container. */
  setReady(ready: boolean): void {
    if (this.#record.ready !== ready && this.#record.state.running) this.#updateRecord({ ready });
  }

  /**
   * Runs until the last attempt has ended. Returns its exit code; undefined if no attempt started.
   * @throws {ImageError | SetupError} of the last attempt to prepare the container.
   */
  async run(): Promise<number | undefined> {
    try {
      await Deno.mkdir(this.#world.folder, { recursive: true });
      for (let backoff = 0; !this.#world.stopping.aborted;) {
        const exitCode = await this.#runAttempt();
        if (exitCode === undefined || this.#record.final) break;
        const ended = this.#record.state;
        this.#updateRecord({ lastState: ended, ready: false });
        if (backoff > 0) {
          const message = `back-off ${backoff / 1000}s restarting failed container=${this.#record.spec.name}`;
          this.wait("CrashLoopBackOff", message);
          this.#world.recordEvent({ type: "Warning", reason: "BackOff", message });
          if (!await waitFor(backoff, this.#world.stopping)) {
            this.#updateRecord({ state: ended });
            break;
          }
        }
        backoff = Math.min(MAX_BACKOFF_MS, backoff === 0 ? FIRST_BACKOFF_MS : backoff * 2);
        this.#restarts++;
      }
    } finally {
      this.#updateRecord({ final: true });
      this.#onStarted?.();
    }
    return this.#record.state.terminated?.exitCode;
  }

  #isRestarted(exitCode: number): boolean {
    if (this.#world.stopping.aborted) return false;
    if (this.#record.spec.restartPolicy === "Always") return true;
    const policy = this.#world.restartPolicy;
    return policy === "Always" && this.#record.kind === "main" || policy !== "Never" && exitCode !== 0;
  }

  /** Runs one attempt. Returns undefined if the pod ended before it started. */
  async #runAttempt(): Promise<number | undefined> {
    const folder = `${this.#world.folder}/${this.#restarts}`;
    const terminationLog = `${folder}.message`;
    const spec = await this.#prepareSpec(folder, terminationLog);
    if (!spec) return undefined;
    if (spec instanceof CannotStartError) return this.#recordRefusal(spec);
    const log = new ContainerLog(this.logPath(), (error) => this.#world.onError(`write ${this.logPath()}`, error));
    this.#log = log;
    const startedAt = this.#world.now();
    const container = await this.#start(spec, log);
    const containerID = `${this.#world.runtime.name}://${spec.id}`;
    const { startupProbe, readinessProbe } = this.#record.spec;
    const ready = startupProbe === undefined && readinessProbe === undefined;
    this.#updateRecord({ state: { running: { startedAt } }, id: containerID, ready, restartCount: this.#restarts });
    this.#onStarted?.();
    this.#world.recordEvent({
      type: "Normal",
      reason: "Started",
      message: `Started container ${this.#record.spec.name}`,
    });
    // The pod may have started to end while the container was being created.
    const pending = this.#pendingSignal ?? (this.#world.stopping.aborted ? "SIGTERM" : undefined);
    if (pending) container.signal(pending);
    const ending = await container.ended;
    log.end();
    this.#log = undefined;
    this.#container = undefined;
    const message = await this.#world.terminationMessage(terminationLog, log.path, ending);
    const { exitCode, reason } = ending;
    const finishedAt = this.#world.now();
    const terminated = { exitCode, reason, ...(message && { message }), startedAt, finishedAt, containerID };
    this.#updateRecord({ state: { terminated }, ready: false, final: !this.#isRestarted(exitCode) });
    // The exit code is known even if the container cannot be removed.
    await container.remove().catch((error) => this.#world.onError(`remove container ${containerID}`, error));
    return exitCode;
  }

  /** Starts the container. If it fails, the log is closed. */
  async #start(spec: ContainerSpec, log: ContainerLog): Promise<Container> {
    try {
      return this.#container = await this.#world.runtime.start(spec, (stream, chunk) => log.write(stream, chunk));
    } catch (error) {
      log.end();
      this.#log = undefined;
      throw error;
    }
  }

  /** The final state and exit code of a container whose command the kernel refuses. */
  #recordRefusal({ message }: CannotStartError): number {
    const now = this.#world.now();
    const text = `Could not start the container: ${message}`;
    this.#world.recordEvent({ type: "Warning", reason: "Failed", message: text });
    const terminated = { exitCode: START_ERROR, reason: "StartError", message: text, startedAt: now, finishedAt: now };
    const final = !this.#isRestarted(START_ERROR);
    this.#updateRecord({ state: { terminated }, ready: false, final, restartCount: this.#restarts });
    return START_ERROR;
  }

  async #prepareSpec(folder: string, terminationLog: string): Promise<ContainerSpec | CannotStartError | undefined> {
    let reported: unknown;
    let failures = 0;
    while (!this.#world.stopping.aborted) {
      try {
        await Deno.writeTextFile(terminationLog, "");
        await Deno.chmod(terminationLog, 0o666);
        // Pulling an image may take long, and the end of the pod does not wait for it.
        return await undefinedIfAborted(this.#world.specOf(folder, terminationLog), this.#world.stopping);
      } catch (error) {
        if (error instanceof CannotStartError) return error;
        if (!(error instanceof SetupError) && !(error instanceof ImageError)) throw error;
        this.wait(error.reason, error.message);
        // The same error object means that there was no new attempt: pulls back off.
        if (error !== reported) {
          this.#world.recordEvent({ type: "Warning", reason: "Failed", message: `${error.reason}: ${error.message}` });
        }
        reported = error;
        if (isLastAttempt(error, ++failures, this.#world.attempts)) throw error;
      }
      await waitFor(RETRY_SETUP_MS, this.#world.stopping);
    }
    return undefined;
  }

  #updateRecord(change: Partial<ContainerRecord>): void {
    this.#record = { ...this.#record, ...change };
    this.#world.onChange();
  }
}
