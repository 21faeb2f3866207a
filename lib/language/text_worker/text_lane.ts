/** One thread for tasks on large texts. It starts with its first task, and ends when it is idle. */
import { Worker } from "node:worker_threads";
import { LIMITS } from "@tiphys/base/limits";
import { joinJson, type SplitJson } from "@tiphys/base/split_json";
import { threadProgram } from "@tiphys/base/thread_program";
import { inTurns } from "@tiphys/base/turns";
import type { TaskName } from "./tasks.ts";

/** The input of a task: as JSON, or a value of texts, which are copied faster than they are serialized. */
export type SentInput = { readonly json: SplitJson } | { readonly value: unknown };

/** A message to the thread: a task, its input, and its deadline. */
export interface ToTextThread {
  readonly name: TaskName;
  readonly input: SentInput;
  readonly millis: number;
}

/** A message from the thread. */
export type FromTextThread =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly result: SplitJson }
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Error for a task that was not completed: it exceeded its deadline or the memory limit, or too many tasks were
 * waiting.
 */
export class TextWorkerError extends Error {
  override readonly name = "TextWorkerError";

  constructor(readonly kind: "late" | "memory" | "busy" | "failed", message: string) {
    super(message);
  }
}

/** A task, and the functions that settle it. */
export interface LaneTask {
  readonly name: TaskName;
  /** The key of the caller. */
  readonly key: string;
  readonly input: SentInput;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: TextWorkerError) => void;
}

/** The options of a lane. */
export interface LaneOptions {
  /** The program of the thread; by default the file next to this one, or next to the bundle that contains it. */
  readonly program?: URL;
  /** The deadline of a task, in milliseconds. */
  readonly millis?: number;
  /** The memory of the thread, in MiB. */
  readonly memoryMib?: number;
  /** Called when the lane can run another task. */
  readonly onFree: () => void;
  /** Called when the thread was ended because of a task. */
  readonly onFailure: (task: TaskName | undefined, error: TextWorkerError) => void;
}

/** The time after the deadline in which the thread must report that it stopped a task, in milliseconds. */
const GRACE_MILLIS = 1_000;
/** The time in which the thread must start, in milliseconds. */
const START_MILLIS = 60_000;
/** The time without a task after which the thread ends, in milliseconds. */
const IDLE_MILLIS = 30_000;

/** A thread that runs one task at a time. */
export class TextLane {
  readonly #options: LaneOptions;
  #thread: Worker | undefined;
  #isReady = false;
  #task: LaneTask | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The deadline of the current task, as a time of `performance.now()`. */
  #deadline = Infinity;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** The key of the current task; undefined if the lane is free. */
  get key(): string | undefined {
    return this.#task?.key;
  }

  /** Whether the thread has been started. */
  get isStarted(): boolean {
    return this.#thread !== undefined;
  }

  /** Runs a task. The lane must be free. */
  run(task: LaneTask): void {
    clearTimeout(this.#timer);
    this.#task = task;
    const thread = this.#thread ??= this.#start();
    thread.ref();
    if (this.#isReady) this.#send(thread);
    else this.#watch(thread, START_MILLIS, new TextWorkerError("failed", "the thread for large texts does not start"));
  }

  /** Ends the thread; an unfinished task fails with the error. */
  close(error: TextWorkerError): void {
    this.#end();
    this.#settle()?.reject(error);
  }

  get #millis(): number {
    return this.#options.millis ?? LIMITS.textTaskMillis;
  }

  #start(): Worker {
    const memory = this.#options.memoryMib ?? LIMITS.textTaskMib;
    this.#isReady = false;
    this.#deadline = Infinity;
    const thread = new Worker(this.#options.program ?? threadProgram("text_thread", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    thread.on("message", (message: FromTextThread) => {
      if (thread === this.#thread) this.#receive(thread, message);
    });
    thread.on("error", (error: Error & { readonly code?: string }) => {
      if (thread !== this.#thread) return;
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
        const message = `it takes more than ${memory} MiB of memory, which is the limit`;
        return this.#fail(new TextWorkerError("memory", message));
      }
      // The deadline may stop the thread just after the end of the task, where the thread cannot catch it.
      if (performance.now() >= this.#deadline) return this.#fail(this.#late());
      this.#fail(new TextWorkerError("failed", `the thread for large texts failed: ${error.message}`));
    });
    return thread;
  }

  #receive(thread: Worker, message: FromTextThread): void {
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        return this.#send(thread);
      case "result":
        this.#resolve(message.result);
        return this.#endWhenIdle();
      case "failed":
        this.#settle()?.reject(new TextWorkerError("failed", message.message));
        return this.#endWhenIdle();
      case "late":
        return this.#fail(this.#late());
    }
  }

  #send(thread: Worker): void {
    if (!this.#task) return;
    const { name, input } = this.#task;
    const message: ToTextThread = { name, input, millis: this.#millis };
    this.#deadline = performance.now() + this.#millis;
    thread.postMessage(message);
    this.#watch(thread, this.#millis + GRACE_MILLIS, this.#late());
  }

  #late(): TextWorkerError {
    return new TextWorkerError("late", `it takes longer than ${this.#millis / 1000} s, which is the limit`);
  }

  #watch(thread: Worker, millis: number, error: TextWorkerError): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (thread === this.#thread) this.#fail(error);
    }, millis);
  }

  /** Resolves the task, whose result is parsed in stages. */
  #resolve(result: SplitJson): void {
    const task = this.#settle();
    if (task) void inTurns(joinJson(result), task.key).then(task.resolve);
  }

  /** Schedules the end of the thread unless there is another task. */
  #endWhenIdle(): void {
    clearTimeout(this.#timer);
    this.#thread?.unref();
    this.#timer = setTimeout(() => this.#end(), IDLE_MILLIS);
    Deno.unrefTimer(this.#timer);
    this.#options.onFree();
  }

  /** Fails the task and discards the thread, whose state must not be used. */
  #fail(error: TextWorkerError): void {
    const task = this.#settle();
    this.#options.onFailure(task?.name, error);
    task?.reject(error);
    this.#end();
    this.#options.onFree();
  }

  #settle(): LaneTask | undefined {
    const task = this.#task;
    this.#task = undefined;
    return task;
  }

  #end(): void {
    clearTimeout(this.#timer);
    void this.#thread?.terminate();
    this.#thread = undefined;
  }
}
