/** Deletes the reports of finished workflows: those of many workflows in one request. */
import { LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { type Clock, machineClock } from "../../loop/clock.ts";

/** The time for which finished workflows are gathered for one request, in milliseconds. */
const GATHER_MILLIS = 500;
/** The maximum length of the names, which are part of the request's URL. */
const MAX_NAMES_CHARACTERS = 50;
/** The interval between two scans for reports that were left behind, in milliseconds. */
const SWEEP_MILLIS = 60_000;

/** The local copies that show which reports can be deleted, and the pauses between requests. */
export interface TaskResultDeletionOptions {
  readonly client: KubeClient;
  readonly log: Log;
  /** The keys (`namespace/name`) of the workflows with reports, from the local copies. */
  readonly workflowsWithReports: () => Iterable<string>;
  /** Whether the workflow of a key has finished, according to the local copies. */
  readonly isOver: (key: string) => boolean;
  /** The machine's clock if undefined. */
  readonly clock?: Clock;
  readonly gatherMillis?: number;
  readonly sweepMillis?: number;
}

/**
 * Collects workflows and deletes their reports. A scan of the local copies every minute finds reports whose deletion
 * failed. A workflow that was started again in the meantime keeps its reports.
 */
export class TaskResultDeletion {
  readonly #options: TaskResultDeletionOptions;
  readonly #client: KubeClient;
  /** Names of workflows by namespace. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #clock: Clock;
  /** Functions that cancel the timers. */
  #timer: (() => void) | undefined;
  #sweeps: (() => void) | undefined;

  constructor(options: TaskResultDeletionOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
    this.#clock = options.clock ?? machineClock();
  }

  /** Scans for reports that were left behind from now on, until it is closed. */
  start(): void {
    this.#sweeps = this.#clock.after(this.#options.sweepMillis ?? SWEEP_MILLIS, () => {
      this.#sweep();
      this.start();
    });
  }

  /** Records that the reports of a workflow are no longer needed. */
  delete(namespace: string, workflow: string): void {
    const names = this.#waiting.get(namespace);
    if (names) names.add(workflow);
    else this.#waiting.set(namespace, new Set([workflow]));
    this.#timer ??= this.#clock.after(this.#options.gatherMillis ?? GATHER_MILLIS, () => this.flush());
  }

  /** Deletes the gathered reports now. */
  async flush(): Promise<void> {
    this.#timer?.();
    this.#timer = undefined;
    const all = [...this.#waiting];
    this.#waiting.clear();
    await Promise.all(all.flatMap(([namespace, names]) => {
      const list = [...names];
      const requests: Promise<void>[] = [];
      while (list.length) requests.push(this.#deleteOf(namespace, list.splice(0, MAX_NAMES_CHARACTERS)));
      return requests;
    }));
  }

  /** Stops scanning, and deletes the gathered reports. */
  async close(): Promise<void> {
    this.#sweeps?.();
    await this.flush();
  }

  #sweep(): void {
    for (const key of this.#options.workflowsWithReports()) {
      const [namespace, name] = key.split("/");
      if (this.#options.isOver(key)) this.delete(namespace!, name!);
    }
  }

  /** Deletes the reports of these workflows; the next scan finds those that stay because of an error. */
  async #deleteOf(namespace: string, names: readonly string[]): Promise<void> {
    const over = names.filter((name) => this.#options.isOver(`${namespace}/${name}`));
    if (over.length === 0) return;
    try {
      const labelSelector = `${LABEL.workflow} in (${over.join(",")})`;
      await this.#client.deleteCollection(WORKFLOW_TASK_RESULTS, namespace, { labelSelector });
    } catch (error) {
      if (classifyError(error) === "notFound") return;
      this.#options.log.warn("Could not delete task results", { error: String(error) });
    }
  }
}
