/**
 * A pass over a cron workflow: observe, decide, make what is due, decide anew with what came of it, record, tidy up. A
 * child is made before it is written down: its name says its slot, so that a crash in between is found out, and no
 * controller makes a second one.
 */
import type { CronWorkflow, Read } from "@tiphys/model/api";
import type { GoZone } from "@tiphys/base/go";
import {
  createMergePatch,
  CRON_WORKFLOWS,
  type KubeClient,
  type KubeObject,
  mayPass,
  type ReadingInformer,
  sortError,
  WORKFLOWS,
} from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import type { Log } from "@tiphys/base/log";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import { Backoff } from "../loop/backoff.ts";
import type { Clock } from "../loop/clock.ts";
import type { PassEnd } from "../loop/kind.ts";
import { PendingActions } from "../loop/pending_actions.ts";
import type { SharedCopies } from "../loop/running_kind.ts";
import type { ChildIndex } from "./child_index.ts";
import { decide } from "./decide.ts";
import { makeChild } from "./make_child.ts";
import { readable, readCron } from "./read_cron.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Child, CronAction, CronDecision, CronFacts, DefaultMetadata, Watch } from "./types.ts";

/** The local copies that passes over cron workflows read, and the means to act and to come back. */
export interface CronPassOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly crons: ReadingInformer<Read<CronWorkflow>>;
  readonly copies: SharedCopies;
  readonly children: ChildIndex;
  /** The zone of schedules that name none. */
  readonly local: GoZone;
  readonly instanceId?: string | undefined;
  /** The controller's `workflowDefaults`, as they are now. */
  readonly defaults: () => DefaultMetadata | undefined;
  readonly metrics: MetricRegistry;
  /** Asks for a pass over a cron workflow (`namespace/name`) in so many milliseconds. */
  readonly comeBack: (key: string, millis: number) => void;
}

/** The state of one cron workflow between passes. */
interface Known {
  readonly uid: string | undefined;
  watch?: Watch;
  /** The cron workflow as we wrote it last; the copy may not show it yet. */
  written?: KubeObject;
}

const AGAIN = { firstMillis: 1000, mostMillis: 30_000 };

/** Passes over cron workflows, with what is remembered between them. */
export class CronPasses {
  readonly #options: CronPassOptions;
  readonly #known = new Map<string, Known>();
  readonly #backoff = new Backoff(AGAIN);
  readonly #pending = new PendingActions();

  constructor(options: CronPassOptions) {
    this.#options = options;
  }

  /**
   * Makes one pass.
   * @throws {UnreadableCronError} when the object is no cron workflow.
   * @throws {KubeError} a conflict when somebody wrote in between.
   */
  async pass(key: string): Promise<PassEnd> {
    const { crons, children, clock } = this.#options;
    const seen = crons.get(key);
    if (!seen || seen.metadata.deletionTimestamp) {
      if (!seen) this.forget(key);
      return { comeBack: "onChange" };
    }
    const known = this.#of(key, seen);
    const isOurs = known.written !== undefined && versionOf(known.written) > versionOf(seen);
    const cron = readable(isOurs ? readCron(known.written!) : crons.readObject(seen));
    const facts = this.#observe(key, cron);
    let decision = this.#decide(facts, known.watch);
    const { actions } = decision;
    for (const action of actions) {
      if (action.kind !== "createChild") continue;
      const outcome = await makeChild({ ...this.#options, backoff: this.#backoff }, cron, action);
      known.watch = { ...decision.watch, attempt: { slot: action.slot, outcome } };
      this.#tell(key, action.slot, outcome);
      // The next decision goes on from the last one, which is not written yet.
      decision = this.#decide({ ...facts, cron: decision.cron }, known.watch);
    }
    await this.#record(known, cron, decision);
    known.watch = decision.watch;
    this.#count(cron, decision.cron, actions);
    children.settled(key, cron.metadata.uid, facts.children);
    for (const note of decision.notes) {
      this.#options.log.debug("Nothing is made for a slot", { cron: key, reason: note });
    }
    for (const action of decision.actions) if (action.kind === "deleteChild") this.#delete(key, action.child);
    const { comeBackAt } = decision;
    return { comeBack: comeBackAt === undefined ? "onChange" : comeBackAt <= clock.now() ? "now" : comeBackAt };
  }

  /** Forgets the state that we wrote last: somebody else wrote since, and it is not the newest any more. */
  outdated(key: string): void {
    const known = this.#known.get(key);
    if (known) delete known.written;
  }

  /** A cron workflow is gone, or cannot be worked. */
  forget(key: string): void {
    this.#known.delete(key);
    this.#options.children.forgetGone(key);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  #of(key: string, { metadata: { uid } }: KubeObject): Known {
    let known = this.#known.get(key);
    if (!known || known.uid !== uid) this.#known.set(key, known = { uid });
    return known;
  }

  #observe(key: string, cron: CronWorkflow): CronFacts {
    const { children, copies, local, instanceId, defaults } = this.#options;
    const { namespace, uid } = cron.metadata;
    return {
      cron,
      children: children.of(key, uid),
      hasSeen: ({ resourceVersion }) => !resourceVersion || copies.workflows.hasSeen(resourceVersion),
      templates: {
        workflowTemplate: (name) => copies.workflowTemplates.read(`${namespace}/${name}`),
        clusterWorkflowTemplate: (name) => copies.clusterWorkflowTemplates.read(name),
      },
      defaults: defaults(),
      local,
      instanceId,
    };
  }

  #decide(facts: CronFacts, watch: Watch | undefined): CronDecision {
    const meter = new EvaluationMeter({
      now: () => performance.now(),
      all: LIMITS.passEvaluationMillis,
      single: LIMITS.evaluationMillis,
    });
    return withMeter(meter, () => decide(facts, watch, this.#options.clock.now()));
  }

  async #record(known: Known, before: CronWorkflow, { cron: after }: CronDecision): Promise<void> {
    if (after === before) return;
    const { namespace, name = "", uid, resourceVersion } = before.metadata;
    const change = createMergePatch(changing(before), changing(after)) as { metadata?: object; status?: object };
    const patch = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
    known.written = await this.#options.client.patch<KubeObject>(CRON_WORKFLOWS, namespace, name, patch);
  }

  #tell(key: string, slot: number, outcome: Awaited<ReturnType<typeof makeChild>>): void {
    const { log } = this.#options;
    const about = { cron: key, slot: new Date(slot).toISOString() };
    if (outcome.kind === "made") {
      log.info("A workflow of a schedule is made", { ...about, workflow: outcome.child.name });
    } else log.warn("A workflow of a schedule could not be made", { ...about, error: outcome.message });
  }

  /** Counts what was decided, once it is written. */
  #count(before: CronWorkflow, after: CronWorkflow, actions: readonly CronAction[]): void {
    const { metrics } = this.#options;
    const { name = "", namespace = "" } = after.metadata;
    const { concurrencyPolicy = "" } = after.spec;
    for (const action of actions) {
      if (action.kind !== "count") continue;
      const ofPolicy = action.metric === "cronworkflows_concurrencypolicy_triggered";
      metrics.of(action.metric).add({ name, namespace, ...(ofPolicy && { concurrency_policy: concurrencyPolicy }) });
    }
    for (const type of ["SpecError", "SubmissionError"] as const) {
      const now = errorOf(after, type);
      if (now !== undefined && now !== errorOf(before, type)) {
        metrics.of("error_count").add({ cause: `CronWorkflow${type}` });
      }
    }
  }

  /** Deletes a finished child; the copy will show it, and until then nobody asks again. */
  #delete(key: string, { namespace, name, uid }: Child): void {
    const { client, comeBack, log } = this.#options;
    const what = `delete ${uid}`;
    const act = async () => {
      try {
        await client.delete(WORKFLOWS, namespace, name, { uid, propagationPolicy: "Background" });
      } catch (error) {
        if (sortError(error) === "notFound" || sortError(error) === "conflict") return undefined;
        const again = mayPass(error);
        log.warn("A finished workflow could not be deleted", {
          workflow: name,
          error: String(error),
          triedAgain: again,
        });
        return again ? this.#backoff.next(what) : undefined;
      }
      this.#backoff.forget(what);
      return undefined;
    };
    this.#pending.begin(what, act, (millis) => {
      if (millis !== undefined) comeBack(key, millis);
    });
  }
}

/** The message of a condition that says what is wrong; undefined where that condition is not true. */
function errorOf({ status }: CronWorkflow, type: string): string | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type && condition.status === "True");
  return found && (found.message ?? "");
}

/** The parts of a cron workflow that we may change. */
function changing({ metadata: { labels = {}, annotations = {} }, status = {} }: CronWorkflow) {
  return { metadata: { labels, annotations }, status };
}

function versionOf({ metadata }: KubeObject): bigint {
  return BigInt(metadata.resourceVersion ?? "0");
}
