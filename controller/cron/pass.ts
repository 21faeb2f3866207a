/**
 * A pass over a cron workflow: observe, decide, create the child that is due, decide again with the outcome, record,
 * clean up. A child is created before it is recorded. Because its name is derived from its slot, a controller finds it
 * after a crash in between, and none creates a second one.
 */
import type { CronWorkflow, ReadResult } from "@tiphys/model/api";
import type { GoZone } from "@tiphys/base/go";
import { classifyError, CRON_WORKFLOWS, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { isRetryable } from "@tiphys/kube/errors";
import type { ReadingInformer } from "@tiphys/kube/informers";
import { createMergePatch } from "@tiphys/kube/patch";
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
import { readCron, unwrapCron } from "./read_cron.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Child, CronAction, CronDecision, CronFacts, DefaultMetadata, WatchState } from "./types.ts";

/**
 * The local copies that passes over cron workflows read, the client to act with, and the callback to schedule a pass.
 */
export interface CronPassOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly crons: ReadingInformer<ReadResult<CronWorkflow>>;
  readonly copies: SharedCopies;
  readonly children: ChildIndex;
  /** The time zone of schedules that do not name one. */
  readonly local: GoZone;
  readonly instanceId?: string | undefined;
  /** Returns the controller's current `workflowDefaults`. */
  readonly defaults: () => DefaultMetadata | undefined;
  readonly metrics: MetricRegistry;
  /** Schedules a pass over a cron workflow (`namespace/name`) after a delay. */
  readonly requeue: (key: string, millis: number) => void;
}

/** The state of one cron workflow between passes. */
interface CronState {
  readonly uid: string | undefined;
  watch?: WatchState;
  /** The cron workflow as the controller last wrote it, which may be newer than the local copy. */
  written?: KubeObject;
}

const RETRY_BACKOFF = { firstMillis: 1000, maxMillis: 30_000 };

/** Passes over cron workflows, with the state that they keep between passes. */
export class CronPasses {
  readonly #options: CronPassOptions;
  readonly #states = new Map<string, CronState>();
  readonly #backoff = new Backoff(RETRY_BACKOFF);
  readonly #pending = new PendingActions();

  constructor(options: CronPassOptions) {
    this.#options = options;
  }

  /**
   * Runs one pass.
   * @throws {UnreadableCronError} if the object is not a valid cron workflow.
   * @throws {KubeError} with a conflict if another client has written in the meantime.
   */
  async pass(key: string): Promise<PassEnd> {
    const { crons, children, clock } = this.#options;
    const seen = crons.get(key);
    if (!seen || seen.metadata.deletionTimestamp) {
      if (!seen) this.forget(key);
      return { requeue: "onChange" };
    }
    const state = this.#of(key, seen);
    const isOurs = state.written !== undefined && versionOf(state.written) > versionOf(seen);
    const cron = unwrapCron(isOurs ? readCron(state.written!) : crons.readObject(seen));
    const facts = this.#observe(key, cron);
    let decision = this.#decide(facts, state.watch);
    const { actions } = decision;
    for (const action of actions) {
      if (action.kind !== "createChild") continue;
      const outcome = await makeChild({ ...this.#options, backoff: this.#backoff }, cron, action);
      state.watch = { ...decision.watch, attempt: { slot: action.slot, outcome } };
      this.#logOutcome(key, action.slot, outcome);
      // The next decision continues from the result of this one, which has not been written yet.
      decision = this.#decide({ ...facts, cron: decision.cron }, state.watch);
    }
    await this.#record(state, cron, decision);
    state.watch = decision.watch;
    this.#count(cron, decision.cron, actions);
    children.markProcessed(key, cron.metadata.uid, facts.children);
    for (const note of decision.notes) {
      this.#options.log.debug("A slot was skipped", { cron: key, reason: note });
    }
    for (const action of decision.actions) if (action.kind === "deleteChild") this.#delete(key, action.child);
    const { requeueAt } = decision;
    return { requeue: requeueAt === undefined ? "onChange" : requeueAt <= clock.now() ? "now" : requeueAt };
  }

  /** Discards the last written state, because another client has written since. */
  discardWritten(key: string): void {
    const state = this.#states.get(key);
    if (state) delete state.written;
  }

  /** Called when a cron workflow is gone or cannot be processed. */
  forget(key: string): void {
    this.#states.delete(key);
    this.#options.children.forgetCron(key);
  }

  /** Resolves when no deletions of children are in flight. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  #of(key: string, { metadata: { uid } }: KubeObject): CronState {
    let state = this.#states.get(key);
    if (!state || state.uid !== uid) this.#states.set(key, state = { uid });
    return state;
  }

  #observe(key: string, cron: CronWorkflow): CronFacts {
    const { children, copies, local, instanceId, defaults } = this.#options;
    const { namespace, uid } = cron.metadata;
    return {
      cron,
      children: children.childrenOf(key, uid),
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

  #decide(facts: CronFacts, watch: WatchState | undefined): CronDecision {
    const meter = new EvaluationMeter({
      now: () => performance.now(),
      all: LIMITS.passEvaluationMillis,
      single: LIMITS.evaluationMillis,
    });
    return withMeter(meter, () => decide(facts, watch, this.#options.clock.now()));
  }

  async #record(state: CronState, before: CronWorkflow, { cron: after }: CronDecision): Promise<void> {
    if (after === before) return;
    const { namespace, name = "", uid, resourceVersion } = before.metadata;
    const change = createMergePatch(mutableParts(before), mutableParts(after)) as {
      metadata?: object;
      status?: object;
    };
    const patch = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
    state.written = await this.#options.client.patch<KubeObject>(CRON_WORKFLOWS, namespace, name, patch);
  }

  #logOutcome(key: string, slot: number, outcome: Awaited<ReturnType<typeof makeChild>>): void {
    const { log } = this.#options;
    const about = { cron: key, slot: new Date(slot).toISOString() };
    if (outcome.kind === "made") {
      log.info("Created a workflow of a schedule", { ...about, workflow: outcome.child.name });
    } else log.warn("Could not create a workflow of a schedule", { ...about, error: outcome.message });
  }

  /** Updates the metrics after a decision has been written. */
  #count(before: CronWorkflow, after: CronWorkflow, actions: readonly CronAction[]): void {
    const { metrics } = this.#options;
    const { name = "", namespace = "" } = after.metadata;
    const { concurrencyPolicy = "" } = after.spec;
    for (const action of actions) {
      if (action.kind !== "count") continue;
      const ofPolicy = action.metric === "cronworkflows_concurrencypolicy_triggered";
      metrics.builtIn(action.metric).add({
        name,
        namespace,
        ...(ofPolicy && { concurrency_policy: concurrencyPolicy }),
      });
    }
    for (const type of ["SpecError", "SubmissionError"] as const) {
      const now = conditionError(after, type);
      if (now !== undefined && now !== conditionError(before, type)) {
        metrics.builtIn("error_count").add({ cause: `CronWorkflow${type}` });
      }
    }
  }

  /** Deletes a finished child. Until the local copy shows the deletion, it is not deleted again. */
  #delete(key: string, { namespace, name, uid }: Child): void {
    const { client, requeue, log } = this.#options;
    const what = `delete ${uid}`;
    const act = async () => {
      try {
        await client.delete(WORKFLOWS, namespace, name, { uid, propagationPolicy: "Background" });
      } catch (error) {
        if (classifyError(error) === "notFound" || classifyError(error) === "conflict") return undefined;
        const again = isRetryable(error);
        log.warn("Could not delete a finished workflow", {
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
      if (millis !== undefined) requeue(key, millis);
    });
  }
}

/** The error message of a condition; undefined if the condition is not true. */
function conditionError({ status }: CronWorkflow, type: string): string | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type && condition.status === "True");
  return found && (found.message ?? "");
}

/** The parts of a cron workflow that the controller may change. */
function mutableParts({ metadata: { labels = {}, annotations = {} }, status = {} }: CronWorkflow) {
  return { metadata: { labels, annotations }, status };
}

function versionOf({ metadata }: KubeObject): bigint {
  return BigInt(metadata.resourceVersion ?? "0");
}
