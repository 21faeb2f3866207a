/** The caller's side of the thread: sends it one task at a time; waiting keys take turns. */
import { Worker } from "node:worker_threads";
import { LIMITS } from "@tiphys/base/limits";
import type { Log } from "@tiphys/base/log";
import { threadProgram } from "@tiphys/base/thread_program";
import type { TaskInput, TaskName, TaskResult } from "./tasks.ts";

/** A message to the thread: a task, its input as JSON, and its deadline. */
export interface ToTextThread {
  readonly name: TaskName;
  readonly input: string;
  readonly millis: number;
}

/** A message from the thread; `result` is JSON. */
export type FromTextThread =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly result: string }
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly message: string };

/** The error of a task that was not completed: it exceeded its deadline or the memory limit, or too many tasks wait. */
export class TextWorkerError extends Error {
  override readonly name = "TextWorkerError";

  constructor(readonly kind: "late" | "memory" | "busy" | "failed", message: string) {
    super(message);
  }
}

/** The options of a worker. */
export interface TextWorkerOptions {
  readonly log?: Log | undefined;
  /** The program of the thread; by default the file next to this one, or next to the bundle that contains it. */
  readonly program?: URL;
  /** The deadline of a task, in milliseconds. */
  readonly millis?: number;
  /** The memory of the thread, in MiB. */
  readonly memoryMib?: number;
}

/** The options of a task. */
export interface TaskOptions<Name extends TaskName> {
  /** Tasks of one key wait for each other; different keys take turns. */
  readonly key: string;
  /** Does the task in the thread of the caller; used for small inputs. */
  readonly here: (input: TaskInput<Name>) => TaskResult<Name> | Promise<TaskResult<Name>>;
  /** The size of the input in characters, where it is known; the length of the input as JSON otherwise. */
  readonly characters?: number;
}

interface WaitingTask {
  readonly name: TaskName;
  readonly input: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: TextWorkerError) => void;
}

/** The maximum number of waiting tasks: of one key, and in total. */
const MOST_OF_KEY = 8;
const MOST_WAITING = 32;
/** The time after the deadline in which the thread must report that it stopped a task, in milliseconds. */
const GRACE_MILLIS = 1_000;
/** The time in which the thread must start, in milliseconds. */
const START_MILLIS = 60_000;
/** The time without a task after which the thread ends, in milliseconds. */
const IDLE_MILLIS = 30_000;

/** A thread for tasks on large texts. It starts with the first task, and ends when there are no more. */
export class TextWorker {
  readonly #options: TextWorkerOptions;
  readonly #waiting = new Map<string, WaitingTask[]>();
  #count = 0;
  #thread: Worker | undefined;
  #isReady = false;
  #task: WaitingTask | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TextWorkerOptions = {}) {
    this.#options = options;
  }

  /**
   * Does a task: in the thread for a large input, otherwise in the thread of the caller.
   * @throws {TextWorkerError} for a task of the thread that is not completed.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { key, here, characters }: TaskOptions<Name>,
  ): Promise<TaskResult<Name>> {
    if (characters !== undefined && characters <= LIMITS.inlineCharacters) return await here(input);
    const text = JSON.stringify(input);
    if (characters === undefined && text.length <= LIMITS.inlineCharacters) return await here(input);
    const waiting = this.#waiting.get(key) ?? [];
    if (this.#count >= MOST_WAITING || waiting.length >= MOST_OF_KEY) {
      throw new TextWorkerError("busy", "too many requests are waiting; try again later");
    }
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult<Name>>();
    waiting.push({ name, input: text, resolve: (result) => resolve(result as TaskResult<Name>), reject });
    this.#waiting.set(key, waiting);
    this.#count++;
    this.#next();
    return await promise;
  }

  /** Ends the thread; unfinished tasks fail. */
  close(): void {
    const closed = new TextWorkerError("failed", "the program is stopping");
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closed);
    this.#waiting.clear();
    this.#count = 0;
    this.#end();
    this.#settle()?.reject(closed);
  }

  get #millis(): number {
    return this.#options.millis ?? LIMITS.textTaskMillis;
  }

  #next(): void {
    if (this.#task) return;
    clearTimeout(this.#timer);
    const [first] = this.#waiting;
    if (!first) {
      this.#thread?.unref();
      this.#timer = setTimeout(() => this.#end(), IDLE_MILLIS);
      Deno.unrefTimer(this.#timer);
      return;
    }
    const [key, waiting] = first;
    this.#task = waiting.shift();
    this.#count--;
    // The key goes behind the others.
    this.#waiting.delete(key);
    if (waiting.length > 0) this.#waiting.set(key, waiting);
    const thread = this.#thread ??= this.#start();
    thread.ref();
    if (this.#isReady) this.#send(thread);
    else this.#watch(thread, START_MILLIS, new TextWorkerError("failed", "the thread for large texts does not start"));
  }

  #start(): Worker {
    const memory = this.#options.memoryMib ?? LIMITS.textTaskMib;
    this.#isReady = false;
    const thread = new Worker(this.#options.program ?? threadProgram("text_thread", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    thread.on("message", (message: FromTextThread) => {
      if (thread === this.#thread) this.#receive(thread, message);
    });
    thread.on("error", (error: Error & { readonly code?: string }) => {
      if (thread !== this.#thread) return;
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.#fail(
        isMemory
          ? new TextWorkerError("memory", `it takes more than ${memory} MiB of memory, which is the limit`)
          : new TextWorkerError("failed", `the thread for large texts failed: ${error.message}`),
      );
    });
    return thread;
  }

  #receive(thread: Worker, message: FromTextThread): void {
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        return this.#send(thread);
      case "result":
        this.#settle()?.resolve(JSON.parse(message.result));
        return this.#next();
      case "failed":
        this.#settle()?.reject(new TextWorkerError("failed", message.message));
        return this.#next();
      case "late":
        return this.#fail(this.#late());
    }
  }

  #send(thread: Worker): void {
    if (!this.#task) return;
    const { name, input } = this.#task;
    const message: ToTextThread = { name, input, millis: this.#millis };
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

  /** Fails the task and discards the thread, whose state must not be used. */
  #fail(error: TextWorkerError): void {
    const task = this.#settle();
    this.#options.log?.warn("Processing of a large text failed", { task: task?.name, error: error.message });
    task?.reject(error);
    this.#end();
    this.#next();
  }

  #settle(): WaitingTask | undefined {
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
