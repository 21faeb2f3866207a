/**
 * Baselines from the archive: how long the newest archived workflow took that is like one which is about to start, where none
 * such was seen in the cluster. Of its nodes nothing is estimated, as in Argo.
 */
import { fieldsOf } from "../../../lib/fields_of.ts";
import type { KubeObject } from "../../../lib/kube/mod.ts";
import type { Log } from "../../../lib/log.ts";
import { type Clock, pause } from "../../../lib/clock/mod.ts";
import { likenessOf } from "../engine/mod.ts";
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

interface Question {
  readonly answered: Promise<void>;
  /** The time from which on it is asked again, milliseconds since 1970: a database that was out of reach may be back. */
  againAt: number;
}

const AGAIN_MILLIS = 60_000;
/** The questions that are remembered; the oldest goes first. */
const MOST_QUESTIONS = 2000;

/** Asks the archive once about each kind of likeness. */
export class ArchivedBaselines {
  readonly #options: ArchivedBaselinesOptions;
  readonly #questions = new Map<string, Question>();

  constructor(options: ArchivedBaselinesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the baselines know what the archive says of a workflow that is about to start: at once where nothing is to
   * be asked, and without an answer where the database has none in time.
   */
  async lookUp(workflow: KubeObject): Promise<void> {
    const { access, baselines, clock, isWanted } = this.#options;
    const { metadata: { namespace = "", labels }, status } = workflow;
    const likeness = likenessOf(labels);
    if (likeness === undefined || fieldsOf(status).startedAt || !isWanted() || !access.isWanted) return;
    if (baselines.of(workflow)) return;
    const key = `${namespace}/${likeness}`;
    const before = this.#questions.get(key);
    if (before && before.againAt > clock.now()) return await before.answered;
    const question: Question = { againAt: Infinity, answered: this.#ask(workflow, likeness, () => question) };
    this.#questions.delete(key);
    this.#questions.set(key, question);
    if (this.#questions.size > MOST_QUESTIONS) this.#questions.delete(this.#questions.keys().next().value!);
    await question.answered;
  }

  async #ask(workflow: KubeObject, likeness: string, question: () => Question): Promise<void> {
    const { baselines, clock, log } = this.#options;
    const { namespace = "", name } = workflow.metadata;
    try {
      const seconds = await this.#inTime(async (archive) => await archive.newestSeconds(namespace, likeness));
      if (seconds !== undefined) baselines.seeArchived(workflow, seconds);
    } catch (error) {
      question().againAt = clock.now() + AGAIN_MILLIS;
      log.warn("A duration could not be estimated by the archive", {
        workflow: `${namespace}/${name}`,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async #inTime<T>(ask: (archive: Awaited<ReturnType<ArchiveAccess["open"]>>) => Promise<T>): Promise<T> {
    const { access, clock, timeoutMillis } = this.#options;
    const stop = new AbortController();
    const late = async () => {
      await pause(clock, timeoutMillis, stop.signal);
      throw new Error(`the database did not answer within ${timeoutMillis / 1000} s`);
    };
    try {
      return await Promise.race([access.open().then(ask), late()]);
    } finally {
      stop.abort();
    }
  }
}
