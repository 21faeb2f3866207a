/** The caller's side of the threads: waiting keys take turns, and the tasks of one key use one thread at a time. */
import { LIMITS } from "@tiphys/base/limits";
import type { Log } from "@tiphys/base/log";
import { splitJson } from "@tiphys/base/split_json";
import { inTurns } from "@tiphys/base/turns";
import type { TaskInput, TaskName, TaskResult } from "./tasks.ts";
import { type LaneTask, TextLane, TextWorkerError } from "./text_lane.ts";

/** The options of a worker. */
export interface TextWorkerOptions {
  readonly log?: Log | undefined;
  /** The program of a thread; by default the file next to this one, or next to the bundle that contains it. */
  readonly program?: URL;
  /** The deadline of a task, in milliseconds. */
  readonly millis?: number;
  /** The memory of a thread, in MiB. */
  readonly memoryMib?: number;
  /** The maximum number of threads. The second one is for other callers while one caller has a task that takes long. */
  readonly threads?: number;
}

/** The options of a task. */
export interface TaskOptions<Name extends TaskName> {
  /** Tasks of one key wait for each other; different keys take turns. */
  readonly key: string;
  /** Runs the task in the thread of the caller; used for small inputs. */
  readonly runHere: (input: TaskInput<Name>) => TaskResult<Name> | Promise<TaskResult<Name>>;
  /**
   * The size of an input that consists of a few texts, in characters: it is copied to a thread. Another input is
   * serialized, which takes longer, and its size is the length of its JSON.
   */
  readonly characters?: number;
}

/** The maximum number of waiting tasks: of one key, and in total. */
const MAX_WAITING_OF_KEY = 8;
const MAX_WAITING = 32;
const DEFAULT_THREADS = 2;

/** Threads for tasks on large texts. */
export class TextWorker {
  readonly #options: TextWorkerOptions;
  /** Waiting tasks by key, in the order in which the keys take turns. */
  readonly #waiting = new Map<string, LaneTask[]>();
  readonly #lanes: TextLane[] = [];
  #count = 0;
  #isClosed = false;

  constructor(options: TextWorkerOptions = {}) {
    this.#options = options;
  }

  /**
   * Runs a task: in a separate thread for a large input, otherwise in the thread of the caller.
   * @throws {TextWorkerError} for a task of a thread that is not completed.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { key, runHere: here, characters }: TaskOptions<Name>,
  ): Promise<TaskResult<Name>> {
    if (characters !== undefined && characters <= LIMITS.inlineCharacters) return await here(input);
    let sent: LaneTask["input"] = { value: input };
    if (characters === undefined) {
      const json = await inTurns(splitJson(input), key);
      if ("text" in json && json.text.length <= LIMITS.inlineCharacters) return await here(input);
      sent = { json };
    }
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult<Name>>();
    this.#add({ name, key, input: sent, resolve: (result) => resolve(result as TaskResult<Name>), reject });
    this.#next();
    return await promise;
  }

  /** Ends the threads; unfinished tasks fail. */
  close(): void {
    this.#isClosed = true;
    const closed = closedError();
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closed);
    this.#waiting.clear();
    this.#count = 0;
    for (const lane of this.#lanes) lane.close(closed);
  }

  /** @throws {TextWorkerError} when the key, or all keys, have too many waiting tasks; after `close`. */
  #add(task: LaneTask): void {
    if (this.#isClosed) throw closedError();
    const waiting = this.#waiting.get(task.key) ?? [];
    if (waiting.length >= MAX_WAITING_OF_KEY || (this.#count >= MAX_WAITING && !this.#makeRoom(waiting.length))) {
      throw busyError();
    }
    waiting.push(task);
    this.#waiting.set(task.key, waiting);
    this.#count++;
  }

  /** Rejects the newest task of the key that has the most, if these are more than a new task's key would have. */
  #makeRoom(ownCount: number): boolean {
    let longest: LaneTask[] = [];
    for (const tasks of this.#waiting.values()) if (tasks.length > longest.length) longest = tasks;
    if (longest.length <= ownCount + 1) return false;
    longest.pop()?.reject(busyError());
    this.#count--;
    return true;
  }

  /** Starts waiting tasks while lanes are free. */
  #next(): void {
    for (let task = this.#nextTask(); task; task = this.#nextTask()) {
      const lane = this.#freeLane();
      if (!lane) return;
      this.#remove(task);
      lane.run(task);
    }
  }

  /** The first task of a key without a current task. */
  #nextTask(): LaneTask | undefined {
    for (const [key, [task]] of this.#waiting) if (!this.#lanes.some((lane) => lane.key === key)) return task;
    return undefined;
  }

  /** Removes the first task of a key, and moves the key to the end of the queue. */
  #remove({ key }: LaneTask): void {
    const waiting = this.#waiting.get(key)!;
    waiting.shift();
    this.#count--;
    this.#waiting.delete(key);
    if (waiting.length > 0) this.#waiting.set(key, waiting);
  }

  /** A free lane, with a started thread if possible; undefined if all are in use. */
  #freeLane(): TextLane | undefined {
    const free = this.#lanes.filter(({ key }) => key === undefined);
    const lane = free.find(({ isStarted }) => isStarted) ?? free[0];
    const { log, threads = DEFAULT_THREADS, ...options } = this.#options;
    if (lane || this.#lanes.length >= threads) return lane;
    const made = new TextLane({
      ...options,
      onFree: () => this.#next(),
      onFailure: (task, { message }) => log?.warn("Processing of a large text failed", { task, error: message }),
    });
    this.#lanes.push(made);
    return made;
  }
}

function closedError(): TextWorkerError {
  return new TextWorkerError("failed", "the program is stopping");
}

function busyError(): TextWorkerError {
  return new TextWorkerError("busy", "too many requests are waiting; try again later");
}
