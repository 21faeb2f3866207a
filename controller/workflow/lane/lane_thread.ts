/**
 * The slow lane in its own thread. The thread starts when it is first needed, ends when it has no work and no state,
 * and is terminated when a pass does not return: then only that pass is lost.
 */
import { isProblem, type ReadResult, type WorkflowTaskResult } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import type { EngineConfig } from "@tiphys/engine";
import { LOCK_FACT, type LockFacts } from "@tiphys/engine/locks";
import type { MemoLookup } from "@tiphys/engine/memo";
import { PassFailedError } from "./failure.ts";
import { FairQueue } from "../../loop/fair_queue.ts";
import type { Log } from "@tiphys/base/log";
import { threadProgram } from "@tiphys/base/thread_program";
import type { EpochStamp, Receipt } from "../record/record.ts";
import { type LaneChange, type LaneDecision, LaneLostError, type LaneTask, type SlowLane } from "./lane.ts";
import { InProcessLane } from "./in_process_lane.ts";
import {
  type FromThread,
  type LocksMessage,
  type ResultMessage,
  SharedObjectBuffer,
  type ToThread,
} from "./protocol.ts";

interface LaneRequest {
  readonly key: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingRequest {
  readonly task: LaneTask;
  readonly resolve: (decision: LaneDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** The facts of a workflow that the thread has: two logs, and the mark reached in each. */
interface FactsMark {
  readonly changes: unknown;
  readonly mark: number;
  readonly outside: unknown;
  readonly outsideMark: number;
}

const NO_MEMOS: ReadonlyMap<string, MemoLookup> = new Map();

/** The program of the thread, and the time limit of its passes. */
export interface LaneThreadOptions {
  readonly log: Log;
  /** The thread's program; undefined for the one next to this file or to the bundle that contains it. */
  readonly program?: URL;
  /** The maximum duration of a pass, in milliseconds. */
  readonly longestMillis?: number;
}

/** The maximum number of facts in one message, with a turn of the event loop between two messages. */
const MAX_FACTS_PER_MESSAGE = 50;
/** The time that the thread is idle before it ends, in milliseconds. */
const IDLE_MILLIS = 30_000;

/**
 * A program that loads another one and reports a failure, because the error of a worker that does not start may get
 * lost.
 */
function loaderOf(program: URL): string {
  const said = '{ kind: "unstarted", message: String(error) }';
  const text = `import(${JSON.stringify(program.href)}).catch((error) => postMessage(${said}));`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

function messageOf(result: ReadResult<WorkflowTaskResult> | undefined): ResultMessage | null {
  return isProblem(result) ? { problem: result.message } : result ?? null;
}

/** The changed lock facts for the changed keys; all of them if it is unknown which facts changed. */
function changedLocks(
  { answers, holders, deadlocks, successors, mustWriteHolders }: LockFacts,
  facts: readonly string[] | undefined,
): LocksMessage {
  const changed = facts?.filter((fact) => fact.startsWith(LOCK_FACT)).map((fact) => fact.slice(LOCK_FACT.length));
  return {
    answers: [...changed ?? answers.keys()].map((id) => [id, answers.get(id) ?? null] as const),
    holders,
    deadlocks,
    successors,
    writesHolders: mustWriteHolders,
  };
}

/** A slow lane in a thread. */
export class LaneThread implements SlowLane {
  readonly #options: LaneThreadOptions;
  readonly #line = new FairQueue();
  readonly #waiting = new Map<string, PendingRequest>();
  /** Requests without a response, by ID; the thread processes the first. */
  readonly #requests = new Map<number, LaneRequest>();
  readonly #held = new Set<string>();
  /** The logs of facts that were sent about a workflow, and the marks reached in them. */
  readonly #sent = new Map<string, FactsMark>();
  /** Created with the first thread. */
  #objectBuffer: SharedObjectBuffer | undefined;
  #worker: Worker | undefined;
  #isReady = false;
  /** Messages for a thread that is not ready yet. */
  #unsent: ToThread[] = [];
  #replacement: InProcessLane | undefined;
  #config: EngineConfig | undefined;
  #task: LaneTask | undefined;
  #ids = 0;
  #running: Promise<void> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: LaneThreadOptions) {
    this.#options = options;
  }

  holds(key: string): boolean {
    return this.#replacement?.holds(key) ?? this.#held.has(key);
  }

  decide(task: LaneTask): Promise<LaneDecision> {
    if (this.#replacement) return this.#replacement.decide(task);
    const { promise, resolve, reject } = Promise.withResolvers<LaneDecision>();
    this.#waiting.set(task.key, { task, resolve, reject });
    this.#line.add(task.key);
    this.#running ??= this.#run();
    return promise;
  }

  async packChange(key: string, stamp: EpochStamp): Promise<LaneChange | undefined> {
    if (this.#replacement) return await this.#replacement.packChange(key, stamp);
    if (!this.#held.has(key)) throw new LaneLostError(`no state of ${key}`);
    return await this.#request(key, (id) => ({ kind: "pack", id, key, stamp })) as LaneChange | undefined;
  }

  recordWrite(key: string, receipt: Receipt): void {
    if (this.#replacement) this.#replacement.recordWrite(key, receipt);
    else this.#send({ kind: "written", key, receipt });
  }

  forget(key: string): void {
    if (this.#replacement) return this.#replacement.forget(key);
    if (this.#held.delete(key) || this.#sent.has(key)) this.#send({ kind: "forget", key });
    this.#sent.delete(key);
    this.#scheduleEnd();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end(new LaneLostError("The controller was closed"));
    await this.#replacement?.close();
    await this.#running;
  }

  /** Runs one request after the other, so that namespaces take turns. */
  async #run(): Promise<void> {
    for (let key = this.#line.first(); key !== undefined; key = this.#line.first()) {
      this.#line.remove(key);
      const { task, resolve, reject } = this.#waiting.get(key)!;
      this.#waiting.delete(key);
      try {
        resolve(this.#replacement ? await this.#replacement.decide(task) : await this.#decide(task));
      } catch (error) {
        this.forget(key);
        reject(error);
      }
    }
    this.#running = undefined;
    this.#scheduleEnd();
  }

  async #decide(task: LaneTask): Promise<LaneDecision> {
    if (this.#isClosed) throw new LaneLostError("The controller was closed");
    this.#start();
    const { key, read, observed, at } = task;
    if (!read && !this.#held.has(key)) throw new LaneLostError(`no state of ${key}`);
    const outside = await this.#sendFacts(task);
    const { transientPattern, ...config } = task.config;
    const isKnown = this.#config === task.config;
    this.#config = task.config;
    this.#task = task;
    const decision = await this.#request(key, (id) => ({
      kind: "decide",
      id,
      key,
      read,
      at: at.getTime(),
      config: isKnown ? undefined : config,
      hasTransientPattern: transientPattern !== undefined,
      maxPodRequests: observed.maxPodRequests,
      mayStart: observed.mayStart,
      baseline: observed.baseline,
      budget: observed.budget,
      images: observed.images,
      claims: observed.claims,
      refusals: observed.refusals,
      readConfigMaps: observed.readConfigMaps,
      // With its plugins, which are looked up when they are read.
      agent: observed.agent && { ...observed.agent },
      garbage: observed.garbage,
      memos: observed.memos ?? NO_MEMOS,
      locks: observed.locks && changedLocks(observed.locks, outside),
      outside,
    })) as LaneDecision;
    this.#held.add(key);
    return decision;
  }

  /** Sends the changes since the previous pass, or everything; returns what changed outside of the nodes. */
  async #sendFacts({ key, observed }: LaneTask): Promise<readonly string[] | undefined> {
    const { changes, pods, taskResults, outside } = observed;
    const told = this.#sent.get(key);
    const since = changes && told?.changes === changes ? changes.since(told.mark) : undefined;
    const keys = since && outside && told?.outside === outside ? outside.since(told.outsideMark) : undefined;
    this.#sent.set(key, { changes, mark: changes?.position ?? 0, outside, outsideMark: outside?.position ?? 0 });
    const ids = [...since ?? new Set([...pods.keys(), ...taskResults.keys()])];
    let isFirst = since === undefined;
    do {
      const some = ids.splice(0, MAX_FACTS_PER_MESSAGE);
      this.#send({
        kind: "facts",
        key,
        isFirst,
        pods: some.map((id) => [id, pods.get(id) ?? null]),
        taskResults: some.map((id) => [id, messageOf(taskResults.get(id))]),
      });
      isFirst = false;
      if (ids.length) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    } while (ids.length);
    return keys && [...keys];
  }

  #request(key: string, message: (id: number) => ToThread): Promise<unknown> {
    if (!this.#worker) return Promise.reject(new LaneLostError("The slow lane was stopped"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#ids;
    this.#requests.set(id, { key, resolve, reject });
    if (this.#requests.size === 1) this.#watch();
    try {
      this.#send(message(id));
    } catch (error) {
      this.#requests.delete(id);
      reject(error);
    }
    return promise;
  }

  #send(message: ToThread): void {
    if (this.#isReady) this.#worker?.postMessage(message);
    else if (this.#worker) this.#unsent.push(message);
  }

  #start(): void {
    clearTimeout(this.#idle);
    if (this.#worker) return;
    this.#isReady = false;
    this.#unsent = [];
    const worker = new Worker(loaderOf(this.#options.program ?? threadProgram("thread", import.meta.url)), {
      type: "module",
      name: "slow lane",
    });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (worker === this.#worker) this.#handleMessage(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#handleFailure(event.message);
    };
    this.#objectBuffer ??= new SharedObjectBuffer();
    this.#send({ kind: "begin", objectBuffer: this.#objectBuffer.buffer, longestMillis: this.#longestMillis });
    this.#options.log.info("Starting the slow lane");
  }

  #handleMessage(message: FromThread): void {
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        for (const unsaid of this.#unsent.splice(0)) this.#sendOrFail(unsaid);
        return;
      case "unstarted":
        return this.#handleFailure(message.message);
      case "answer":
        return this.#takeRequest(message.id)?.resolve(message.value);
      case "failure":
        return this.#takeRequest(message.id)?.reject(new PassFailedError(message.failure));
      case "lost":
        return this.#takeRequest(message.id)?.reject(new LaneLostError(message.message));
      case "dropped":
        this.#held.delete(message.key);
        this.#sent.delete(message.key);
        return;
      case "ask":
        return this.#objectBuffer?.put(this.#task?.raw(message.what, message.name), message.version);
    }
  }

  /** Sends a message to the thread. If it cannot be cloned, only the request that it belongs to fails. */
  #sendOrFail(message: ToThread): void {
    try {
      this.#send(message);
    } catch (error) {
      if ("id" in message) this.#takeRequest(message.id)?.reject(error);
      else this.#handleFailure(String(error));
    }
  }

  #takeRequest(id: number): LaneRequest | undefined {
    const asked = this.#requests.get(id);
    this.#requests.delete(id);
    this.#watch();
    return asked;
  }

  /** Checks how long the thread has been processing the current request. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    if (this.#requests.size === 0) return;
    const millis = this.#longestMillis;
    this.#watchdog = setTimeout(() => this.#handleTimeout(millis), millis);
  }

  get #longestMillis(): number {
    return this.#options.longestMillis ?? LIMITS.slowPassMillis;
  }

  #handleTimeout(millis: number): void {
    const [first] = this.#requests;
    if (!first) return;
    if (!this.#isReady) return this.#handleFailure(`it did not start within ${millis / 1000} s`);
    const [id, { key, reject }] = first;
    this.#requests.delete(id);
    const message = `the pass over workflow ${key} did not end within ${millis / 1000} s`;
    this.#options.log.error("Terminating and restarting the slow lane", { workflow: key, millis });
    reject(new PassFailedError({ isExternal: true, isUnreadable: false, message, logText: message }));
    this.#end(new LaneLostError("The slow lane was stopped because of another workflow"));
  }

  /** Handles a thread that could not be started or that stopped unexpectedly. */
  #handleFailure(message: string): void {
    this.#options.log.error("The slow lane has failed", { error: message });
    if (!this.#isReady) {
      this.#options.log.warn("Starting a thread failed: slow workflows run on the main thread");
      this.#replacement = new InProcessLane();
    }
    this.#end(new LaneLostError(`The slow lane has failed: ${message}`));
  }

  #end(reason: LaneLostError): void {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = this.#config = this.#task = undefined;
    this.#held.clear();
    this.#sent.clear();
    const asked = [...this.#requests.values()];
    this.#requests.clear();
    for (const { reject } of asked) reject(reason);
  }

  #scheduleEnd(): void {
    clearTimeout(this.#idle);
    if (!this.#worker || this.#held.size || this.#requests.size || this.#running) return;
    this.#idle = setTimeout(() => {
      if (!this.#held.size && !this.#requests.size && !this.#running) this.#end(new LaneLostError("no state"));
    }, IDLE_MILLIS);
    Deno.unrefTimer(this.#idle);
  }
}
