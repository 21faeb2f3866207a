/**
 * Baselines from the archive: how long the newest archived workflow took that is like one which is about to start, where none
 * such was seen in the cluster. Of its nodes nothing is estimated, as in Argo.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { type Clock, pause } from "@tiphys/base/clock";
import { keepNewest } from "@tiphys/base/text_cache";
import { likenessOf } from "@tiphys/engine";
import type { Baselines } from "../observe/baselines.ts";
import type { ArchiveAccess } from "./archive_access.ts";

/** The archive, and what is known without it. */
export interface ArchivedBaselinesOptions {
  readonly access: ArchiveAccess;
  readonly baselines: Baselines;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether durations are estimated at all. */
  readonly isWanted: () => boolean;
  /** The time for which an answer is waited for, milliseconds. */
  readonly timeoutMillis: number;
}

/** The question that is under way. */
interface Question {
  readonly key: string;
  /** Resolves when it was answered, failed, or took too long to be waited for. */
  readonly waited: Promise<void>;
}

/** The time for which nothing is asked after a failure: a database that was out of reach may be back. */
const QUIET_MILLIS = 60_000;
/** The time after which a question is given up that nobody waits for any longer: its database may never answer. */
const GIVEN_UP_AFTER_MILLIS = QUIET_MILLIS;
/** The time for which what was answered is not asked again: the baselines may have forgotten it since. */
const ANSWERED_MILLIS = 600_000;
/** The answered questions that are remembered; the oldest goes first. */
const MOST_ANSWERED = 2000;

/**
 * Asks the archive about the kinds of likeness: one question at a time, also while nobody waits for it any longer, and none
 * for a while after one that failed or took too long.
 */
export class ArchivedBaselines {
  readonly #options: ArchivedBaselinesOptions;
  /** The times from which on answered questions are asked again, milliseconds since 1970. */
  readonly #againAt = new Map<string, number>();
  #asking: Question | undefined;
  #quietUntil = 0;

  constructor(options: ArchivedBaselinesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the baselines know what the archive says of a workflow that is about to start: at once where nothing is to
   * be asked, or a question about others is under way, and without an answer where the database has none in time.
   */
  async lookUp(workflow: KubeObject): Promise<void> {
    const { access, baselines, isWanted } = this.#options;
    const { metadata: { namespace = "" }, status } = workflow;
    const likeness = likenessOf(workflow);
    if (likeness === undefined || fieldsOf(status).startedAt || !isWanted() || !access.isWanted) return;
    if (baselines.of(workflow)) return;
    const key = `${namespace}/${likeness}`;
    if (!this.#asking && this.#isDue(key)) {
      this.#asking = { key, waited: this.#inTime(workflow, this.#ask(workflow, likeness)) };
    }
    if (this.#asking?.key === key) await this.#asking.waited;
  }

  #isDue(key: string): boolean {
    const now = this.#options.clock.now();
    return now >= this.#quietUntil && now >= (this.#againAt.get(key) ?? 0);
  }

  /**
   * Asks, and lets the next one ask only when the database is done with it, or it was given up. An answer that comes late is
   * one, too.
   */
  async #ask(workflow: KubeObject, likeness: string): Promise<void> {
    const { baselines, clock, timeoutMillis } = this.#options;
    const { namespace = "" } = workflow.metadata;
    const giveUp = new AbortController();
    const answered = clock.after(timeoutMillis + GIVEN_UP_AFTER_MILLIS, () => giveUp.abort());
    try {
      const seconds = await unlessAborted(this.#answer(namespace, likeness, giveUp.signal), giveUp.signal);
      if (seconds !== undefined) baselines.seeArchived(workflow, seconds);
      keepNewest(this.#againAt, `${namespace}/${likeness}`, clock.now() + ANSWERED_MILLIS, MOST_ANSWERED);
    } catch (error) {
      this.#failed(workflow, error instanceof Error ? error.message : String(error));
    } finally {
      answered();
      this.#asking = undefined;
    }
  }

  async #answer(namespace: string, likeness: string, until: AbortSignal): Promise<number | undefined> {
    const archive = await this.#options.access.open();
    return await archive.newestSeconds(namespace, likeness, until);
  }

  /** Waits for a question that is being asked, as long as it may be waited for. */
  async #inTime(workflow: KubeObject, asked: Promise<void>): Promise<void> {
    const { clock, timeoutMillis } = this.#options;
    const stop = new AbortController();
    const late = pause(clock, timeoutMillis, stop.signal).then(() => true, () => false);
    if (await Promise.race([late, asked.then(() => false)])) {
      this.#failed(workflow, `the database did not answer within ${timeoutMillis / 1000} s`);
    }
    stop.abort();
  }

  #failed({ metadata: { namespace, name } }: KubeObject, error: string): void {
    const { clock, log } = this.#options;
    this.#quietUntil = clock.now() + QUIET_MILLIS;
    log.warn("A duration could not be estimated by the archive", { workflow: `${namespace}/${name}`, error });
  }
}

/** An answer that is waited for until a signal is aborted, also where whoever is asked does not listen to it. */
async function unlessAborted<Answer>(answer: Promise<Answer>, until: AbortSignal): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  until.addEventListener("abort", () => aborted.reject(new Error("the question was given up")), { once: true });
  return await Promise.race([answer, aborted.promise]);
}
