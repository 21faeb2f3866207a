/**
 * The tasks of a task set: each is executed once, with limited concurrency, and canceled when it is removed from the
 * set.
 */
import { type NodeResult, parseWith, Template, type Template as TaskTemplate } from "@tiphys/model/api";
import { type Clock, pause } from "@tiphys/base/clock";
import { shortened } from "@tiphys/base/limits";
import { isFinalResult } from "@tiphys/model/status";
import { isRunBy, templateType, type TypesRunBy } from "@tiphys/model/templates";
import type { PluginResult } from "./plugins.ts";

/** The functions that execute tasks of each type and write their results, and the maximum concurrency. */
export interface TasksOptions {
  readonly clock: Clock;
  readonly workers: number;
  http(template: TaskTemplate, stop: AbortSignal): Promise<NodeResult>;
  plugin(template: TaskTemplate, stop: AbortSignal): Promise<PluginResult>;
  /** Writes a result. Resolves to whether it was written. */
  writeResult(nodeId: string, result: NodeResult): Promise<boolean>;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/** The contents of a task set, by node ID. */
export interface TaskSetContents {
  readonly tasks: Readonly<Record<string, unknown>>;
  /** The phases in the status of the task set. */
  readonly phases: ReadonlyMap<string, string | undefined>;
}

/** A task in progress. The signal is aborted when the task is canceled. */
interface RunningTask {
  readonly id: string;
  readonly template: TaskTemplate;
  /** The phase that an earlier agent wrote. */
  readonly phase: string | undefined;
  readonly stop: AbortSignal;
}

/** Methods without side effects: an interrupted request may be sent again. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The tasks of an agent. */
export class Tasks {
  readonly #options: TasksOptions;
  /** An abort controller for each task that is queued, running or completed, by its ID. */
  readonly #controllers = new Map<string, AbortController>();
  readonly #queue: { readonly id: string; readonly task: unknown; readonly phase: string | undefined }[] = [];
  readonly #running = new Set<Promise<void>>();
  #isFirst = true;
  #isClosed = false;

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /** Queues new tasks and cancels those that were removed. */
  updateTasks({ tasks, phases }: TaskSetContents): void {
    for (const [id, stop] of this.#controllers) {
      if (Object.hasOwn(tasks, id)) continue;
      stop.abort(new DOMException("The task was removed from the task set", "AbortError"));
      this.#controllers.delete(id);
    }
    for (const [id, task] of Object.entries(tasks)) {
      if (this.#controllers.has(id) || this.#isClosed) continue;
      const phase = phases.get(id);
      if (isFinalResult(phase)) continue;
      this.#controllers.set(id, new AbortController());
      // A Running phase in the first contents was written by an earlier agent, whose request may have been sent. Later
      // ones are this agent's own.
      this.#queue.push({ id, task, phase: this.#isFirst ? phase : undefined });
    }
    this.#isFirst = false;
    this.#startQueued();
  }

  /** Accepts no more tasks. Resolves when the running ones have finished, or were canceled after `millis`. */
  async close(millis: number): Promise<void> {
    this.#isClosed = true;
    this.#queue.length = 0;
    await Promise.race([Promise.all(this.#running), pause(this.#options.clock, millis)]);
    for (const stop of this.#controllers.values()) {
      stop.abort(new DOMException("The agent is shutting down", "AbortError"));
    }
    await Promise.all(this.#running);
  }

  #startQueued(): void {
    while (this.#running.size < this.#options.workers) {
      const next = this.#queue.shift();
      if (!next) return;
      const stop = this.#controllers.get(next.id)?.signal;
      if (!stop) continue;
      const run = this.#runTask(next.id, next.task, next.phase, stop).finally(() => {
        this.#running.delete(run);
        this.#startQueued();
      });
      this.#running.add(run);
    }
  }

  async #runTask(id: string, task: unknown, phase: string | undefined, stop: AbortSignal): Promise<void> {
    const { writeResult: tell, redact } = this.#options;
    try {
      const read = parseWith(Template, task, "lenient");
      if (!read.ok) {
        const problems = read.errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
        return void await tell(id, { phase: "Error", message: `error processing task: ${problems}` });
      }
      await this.#execute(id, read.value, phase, stop);
    } catch (error) {
      if (stop.aborted) return;
      await tell(id, { phase: "Failed", message: shortened(redact((error as Error).message)) });
    }
  }

  async #execute(id: string, template: TaskTemplate, phase: string | undefined, stop: AbortSignal): Promise<void> {
    const type = templateType(template);
    if (isRunBy(type, "agent")) return await this.#run[type]({ id, template, phase, stop });
    const message = `error processing task: agent cannot execute: unknown task type: ${type ?? ""}`;
    await this.#options.writeResult(id, { phase: "Error", message });
  }

  readonly #run: Readonly<Record<TypesRunBy<"agent">, (task: RunningTask) => Promise<void>>> = {
    http: (task) => this.#request(task),
    plugin: (task) => this.#callPlugins(task),
  };

  async #request({ id, template, phase, stop }: RunningTask): Promise<void> {
    const { writeResult: tell } = this.#options;
    const isSafe = SAFE.has(template.http?.method || "GET");
    if (!isSafe && phase === "Running" && !template.retryStrategy) {
      return void await tell(id, { phase: "Failed", message: "agent restarted while the request was in flight" });
    }
    // The request is sent only after its Running phase was written. Otherwise a restarted agent could not know of it
    // and would send it again.
    if (!isSafe && !await tell(id, { phase: "Running" })) return;
    stop.throwIfAborted();
    const result = await this.#options.http(template, stop);
    await tell(id, this.#redact(result));
  }

  /** Calls plugins, again after each delay that the executing plugin requests. */
  async #callPlugins({ id, template, stop }: RunningTask): Promise<void> {
    const { plugin, writeResult: tell, clock } = this.#options;
    for (;;) {
      const { result, againMillis } = await plugin(template, stop);
      await tell(id, this.#redact(result));
      if (againMillis === undefined) return;
      await pause(clock, againMillis, stop);
    }
  }

  /**
   * Redacts and truncates the message of a result: all results of a workflow share one task set. The outputs are left
   * unchanged: they are the response of a server that the author of the template chose.
   */
  #redact(result: NodeResult): NodeResult {
    return result.message ? { ...result, message: shortened(this.#options.redact(result.message)) } : result;
  }
}
