/**
 * Baselines from the archive: the duration of the newest similar archived workflow, for a workflow that is about to
 * start, if no similar one was seen in the cluster. Nodes have no estimates then, as in Argo.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { type Clock, pause } from "@tiphys/base/clock";
import { keepNewest } from "@tiphys/base/text_cache";
import { similarityKey } from "@tiphys/engine";
import type { Baselines } from "../observe/baselines.ts";
import type { ArchiveAccess } from "./archive_access.ts";

/** The archive, and the baselines without it. */
export interface ArchivedBaselinesOptions {
  readonly access: ArchiveAccess;
  readonly baselines: Baselines;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether durations are estimated. */
  readonly isWanted: () => boolean;
  /** The timeout of a query, in milliseconds. */
  readonly timeoutMillis: number;
}

/** The query in progress. */
interface RunningQuery {
  readonly key: string;
  /** Resolves when the query has succeeded, failed, or timed out. */
  readonly waited: Promise<void>;
}

/**
 * The time after a failure in which no query is sent, in milliseconds. After that, an unreachable database may be
 * available again.
 */
const FAILURE_PAUSE_MILLIS = 60_000;
/** The maximum duration of a query, even if nothing waits for it anymore: the database may never respond. */
const QUERY_TIMEOUT_MILLIS = FAILURE_PAUSE_MILLIS;
/**
 * The time for which a successful query is not repeated, in milliseconds. After that, the baselines may have dropped
 * its result.
 */
const REPEAT_AFTER_MILLIS = 600_000;
/** The maximum number of successful queries to remember; the oldest is dropped first. */
const MAX_REMEMBERED = 2000;

/**
 * Queries the archive about groups of similar workflows: one query at a time, even if nothing waits for it anymore,
 * and none for a while after a failure or a timeout.
 */
export class ArchivedBaselines {
  readonly #options: ArchivedBaselinesOptions;
  /** The times at which successful queries are repeated, in milliseconds since the epoch. */
  readonly #againAt = new Map<string, number>();
  #current: RunningQuery | undefined;
  #quietUntil = 0;

  constructor(options: ArchivedBaselinesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the baselines have the archive's result for a workflow that is about to start: immediately if no
   * query is needed or another one is in progress, and without a result if the database takes too long.
   */
  async lookUp(workflow: KubeObject): Promise<void> {
    const { access, baselines, isWanted } = this.#options;
    const { metadata: { namespace = "" }, status } = workflow;
    const likeness = similarityKey(workflow);
    if (likeness === undefined || fieldsOf(status).startedAt || !isWanted() || !access.isEnabled) return;
    if (baselines.baselineOf(workflow)) return;
    const key = `${namespace}/${likeness}`;
    if (!this.#current && this.#isDue(key)) {
      this.#current = { key, waited: this.#awaitQuery(workflow, this.#query(workflow, likeness)) };
    }
    if (this.#current?.key === key) await this.#current.waited;
  }

  #isDue(key: string): boolean {
    const now = this.#options.clock.now();
    return now >= this.#quietUntil && now >= (this.#againAt.get(key) ?? 0);
  }

  /**
   * Runs a query. The next one may follow when the database has responded or the timeout has passed. A late response is
   * used as well.
   */
  async #query(workflow: KubeObject, likeness: string): Promise<void> {
    const { baselines, clock, timeoutMillis } = this.#options;
    const { namespace = "" } = workflow.metadata;
    const giveUp = new AbortController();
    const answered = clock.after(timeoutMillis + QUERY_TIMEOUT_MILLIS, () => giveUp.abort());
    try {
      const seconds = await unlessAborted(this.#answer(namespace, likeness, giveUp.signal), giveUp.signal);
      if (seconds !== undefined) baselines.recordArchived(workflow, seconds);
      keepNewest(this.#againAt, `${namespace}/${likeness}`, clock.now() + REPEAT_AFTER_MILLIS, MAX_REMEMBERED);
    } catch (error) {
      this.#pauseAfterFailure(workflow, error instanceof Error ? error.message : String(error));
    } finally {
      answered();
      this.#current = undefined;
    }
  }

  async #answer(namespace: string, likeness: string, until: AbortSignal): Promise<number | undefined> {
    const archive = await this.#options.access.open();
    return await archive.newestDurationSeconds(namespace, likeness, until);
  }

  /** Waits for the query in progress, up to the timeout. */
  async #awaitQuery(workflow: KubeObject, query: Promise<void>): Promise<void> {
    const { clock, timeoutMillis } = this.#options;
    const stop = new AbortController();
    const late = pause(clock, timeoutMillis, stop.signal).then(() => true, () => false);
    if (await Promise.race([late, query.then(() => false)])) {
      this.#pauseAfterFailure(workflow, `the database did not respond within ${timeoutMillis / 1000} s`);
    }
    stop.abort();
  }

  #pauseAfterFailure({ metadata: { namespace, name } }: KubeObject, error: string): void {
    const { clock, log } = this.#options;
    this.#quietUntil = clock.now() + FAILURE_PAUSE_MILLIS;
    log.warn("Could not estimate a duration from the archive", { workflow: `${namespace}/${name}`, error });
  }
}

/** Waits for a promise until a signal is aborted, even if the callee ignores the signal. */
async function unlessAborted<Answer>(answer: Promise<Answer>, until: AbortSignal): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  until.addEventListener("abort", () => aborted.reject(new Error("the query was aborted")), { once: true });
  return await Promise.race([answer, aborted.promise]);
}
