/** The tasks of a task set: each is done once, some at a time, and given up when it is taken out. */
import { type NodeResult, parseWith, Template, type Template as TemplateType } from "../../lib/api/mod.ts";
import { type Clock, pause } from "../../lib/clock/mod.ts";
import { isFinalResult, templateType } from "../../lib/status/mod.ts";
import type { Said } from "./plugins.ts";

/** The functions that do tasks of each type and tell their results, and the number of tasks done at the same time. */
export interface TasksOptions {
  readonly clock: Clock;
  readonly workers: number;
  http(template: TemplateType, stop: AbortSignal): Promise<NodeResult>;
  plugin(template: TemplateType, stop: AbortSignal): Promise<Said>;
  /** Resolves to whether it was written. */
  tell(nodeId: string, result: NodeResult): Promise<boolean>;
  /** A text without secrets. */
  redact(text: string): string;
}

/** The contents of a task set, by node ID. */
export interface SeenTasks {
  readonly tasks: Readonly<Record<string, unknown>>;
  /** The phases that were told of nodes already. */
  readonly phases: ReadonlyMap<string, string | undefined>;
}

/** Methods that change nothing: a request that may have been sent is sent again. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The tasks of an agent. */
export class Tasks {
  readonly #options: TasksOptions;
  /** The controllers that give up a task, by its ID, for each that was begun or is to be. */
  readonly #begun = new Map<string, AbortController>();
  readonly #queue: { readonly id: string; readonly task: unknown; readonly phase: string | undefined }[] = [];
  readonly #running = new Set<Promise<void>>();
  #isFirst = true;
  #isClosed = false;

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /** Begins what is new, and gives up what is there no more. */
  see({ tasks, phases }: SeenTasks): void {
    for (const [id, stop] of this.#begun) {
      if (Object.hasOwn(tasks, id)) continue;
      stop.abort(new DOMException("The task was taken back", "AbortError"));
      this.#begun.delete(id);
    }
    for (const [id, task] of Object.entries(tasks)) {
      if (this.#begun.has(id) || this.#isClosed) continue;
      const phase = phases.get(id);
      if (isFinalResult(phase)) continue;
      this.#begun.set(id, new AbortController());
      // A task that this agent reported as running is not begun anew; one of an earlier agent may have been sent.
      this.#queue.push({ id, task, phase: this.#isFirst ? phase : undefined });
    }
    this.#isFirst = false;
    this.#fill();
  }

  /** Takes no more; resolves when those under way are done, or time is up (then they are given up). */
  async close(millis: number): Promise<void> {
    this.#isClosed = true;
    this.#queue.length = 0;
    await Promise.race([Promise.all(this.#running), pause(this.#options.clock, millis)]);
    for (const stop of this.#begun.values()) stop.abort(new DOMException("The agent ends", "AbortError"));
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#options.workers) {
      const next = this.#queue.shift();
      if (!next) return;
      const stop = this.#begun.get(next.id)?.signal;
      if (!stop) continue;
      const run = this.#do(next.id, next.task, next.phase, stop).finally(() => {
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.add(run);
    }
  }

  async #do(id: string, task: unknown, phase: string | undefined, stop: AbortSignal): Promise<void> {
    const { tell, redact } = this.#options;
    try {
      const read = parseWith(Template, task, "lenient");
      if (!read.ok) {
        const said = read.errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
        return void await tell(id, { phase: "Error", message: `error processing task: ${said}` });
      }
      await this.#execute(id, read.value, phase, stop);
    } catch (error) {
      if (stop.aborted) return;
      await tell(id, { phase: "Failed", message: redact((error as Error).message) });
    }
  }

  async #execute(id: string, template: TemplateType, phase: string | undefined, stop: AbortSignal): Promise<void> {
    const { tell } = this.#options;
    const type = templateType(template);
    if (type === "plugin") return await this.#ask(id, template, stop);
    if (type !== "http") {
      const message = `error processing task: agent cannot execute: unknown task type: ${type ?? ""}`;
      return void await tell(id, { phase: "Error", message });
    }
    const isSafe = SAFE.has(template.http?.method || "GET");
    if (!isSafe && phase === "Running" && !template.retryStrategy) {
      return void await tell(id, { phase: "Failed", message: "agent restarted while the request was in flight" });
    }
    // A request is sent only after its report: otherwise the next agent would not know of it, and send it again.
    if (!isSafe && !await tell(id, { phase: "Running" })) return;
    stop.throwIfAborted();
    const result = await this.#options.http(template, stop);
    await tell(id, this.#redacted(result));
  }

  /** Asks plugins, as often as the one that does the task wants it. */
  async #ask(id: string, template: TemplateType, stop: AbortSignal): Promise<void> {
    const { plugin, tell, clock } = this.#options;
    for (;;) {
      const { result, againMillis } = await plugin(template, stop);
      await tell(id, this.#redacted(result));
      if (againMillis === undefined) return;
      await pause(clock, againMillis, stop);
    }
  }

  /** The result with no secret of ours in its message; the outputs are the server's own affair. */
  #redacted(result: NodeResult): NodeResult {
    return result.message ? { ...result, message: this.#options.redact(result.message) } : result;
  }
}
