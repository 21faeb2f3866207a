/** Deletes finished workflows that exceed `retentionPolicy`, a few at a time. */
import { classifyError, keyOf, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { pause } from "@tiphys/base/clock";
import type { Clock } from "../../loop/clock.ts";
import type { DeletePropagation } from "@tiphys/engine";
import { type RetentionPolicy, surplusWorkflows } from "./surplus.ts";

/** The policy of the settings, and the local copy of the workflows that it applies to. */
export interface RetentionOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Called each time; undefined if all are kept. */
  readonly policy: () => RetentionPolicy | undefined;
  readonly propagation: () => DeletePropagation | undefined;
  /** Whether no workflow may be deleted now. */
  readonly isPaused: () => boolean;
  readonly workflows: () => Iterable<KubeObject>;
}

/** The time for which changes are gathered, in milliseconds. */
const GATHER_MILLIS = 1000;

/** The pause between two deletions: 20 in a second. */
const DELETION_INTERVAL_MILLIS = 50;

/** The pause before the next attempt after a failure, in milliseconds. */
const RETRY_MILLIS = 10_000;

/** Applies the policy. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stop = new AbortController();
  #timer: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Schedules a round after a change, since there may now be too many workflows. */
  reconsider(millis = GATHER_MILLIS): void {
    if (this.#stop.signal.aborted || this.#timer || !this.#options.policy()) return;
    this.#timer = this.#options.clock.after(millis, () => {
      this.#timer = undefined;
      // Changes during a round request another one.
      if (this.#running) return this.reconsider();
      this.#running = this.#round().finally(() => this.#running = undefined);
    });
  }

  /** Stops; resolves when nothing is in progress. */
  async close(): Promise<void> {
    this.#timer?.();
    this.#stop.abort();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { clock, isPaused, log, policy, workflows } = this.#options;
    const { signal } = this.#stop;
    const now = policy();
    if (!now || isPaused()) return;
    try {
      for (const workflow of surplusWorkflows(now, workflows())) {
        if (signal.aborted || isPaused() || policy() !== now) return;
        await this.#delete(workflow);
        await pause(clock, DELETION_INTERVAL_MILLIS, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn("Could not delete a workflow that exceeds the retention policy", { error: String(error) });
      this.reconsider(RETRY_MILLIS);
    }
  }

  /** Deletes a workflow, unless it was changed since it was chosen: it may run again by now. */
  async #delete(workflow: KubeObject): Promise<void> {
    const { client, log, propagation } = this.#options;
    const { namespace, name = "", uid, resourceVersion } = workflow.metadata;
    const condition = { uid, resourceVersion, propagationPolicy: propagation() ?? "Background" };
    try {
      await client.inBackground().delete(WORKFLOWS, namespace, name, condition);
      log.info("Deleted a workflow that exceeds the retention policy", { workflow: keyOf(workflow) });
    } catch (error) {
      const sort = classifyError(error);
      if (sort !== "notFound" && sort !== "conflict") throw error;
    }
  }
}
