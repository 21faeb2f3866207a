/** Deleting the reports of workflows that are over: those of many workflows in one request. */
import { LABEL } from "../../lib/constants.ts";
import { type KubeClient, sortError, WORKFLOW_TASK_RESULTS } from "../../lib/kube/mod.ts";
import type { Log } from "../log.ts";

/** How long workflows that end are waited for, to go with the first, milliseconds. */
const GATHER_MILLIS = 500;
/** The names travel in the address of the request, which has an end. */
const AT_A_TIME = 50;

/** Gathers workflows and deletes their reports. */
export class TaskResultDeletion {
  readonly #client: KubeClient;
  readonly #log: Log;
  readonly #gatherMillis: number;
  /** Names of workflows by namespace. */
  readonly #waiting = new Map<string, Set<string>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: KubeClient, log: Log, gatherMillis = GATHER_MILLIS) {
    this.#client = client.inBackground();
    this.#log = log;
    this.#gatherMillis = gatherMillis;
  }

  /** The reports of a workflow are not needed any more. */
  delete(namespace: string, workflow: string): void {
    const names = this.#waiting.get(namespace);
    if (names) names.add(workflow);
    else this.#waiting.set(namespace, new Set([workflow]));
    this.#timer ??= setTimeout(() => this.flush(), this.#gatherMillis);
  }

  /** Deletes what was gathered, now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#waiting];
    this.#waiting.clear();
    await Promise.all(all.flatMap(([namespace, names]) => {
      const list = [...names];
      const requests: Promise<void>[] = [];
      while (list.length) requests.push(this.#deleteOf(namespace, list.splice(0, AT_A_TIME)));
      return requests;
    }));
  }

  /** What stays because of an error goes with its workflow. */
  async #deleteOf(namespace: string, names: readonly string[]): Promise<void> {
    try {
      const labelSelector = `${LABEL.workflow} in (${names.join(",")})`;
      await this.#client.deleteCollection(WORKFLOW_TASK_RESULTS, namespace, { labelSelector });
    } catch (error) {
      if (sortError(error) !== "notFound") this.#log.warn("Could not delete task results", { error: String(error) });
    }
  }
}
