/**
 * Makes the decision of a pass, from the facts of that moment: in the fast lane, which all other workflows share, or in
 * the slow lane.
 */
import { LIMITS } from "@tiphys/base/limits";
import { isStackOverflow } from "@tiphys/base/overflow";
import { decide, type Decision, Memory, type ObservedState } from "@tiphys/engine";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import type { Workflow } from "@tiphys/model/api";
import type { LaneDecision } from "./lane/lane.ts";
import { isLarge, type Pace, withSlice } from "./lane/pace.ts";
import { WorkClock } from "./lane/work_clock.ts";
import { observe, rawFacts } from "./observe/observe.ts";
import { unwrapWorkflow, withNodes } from "./observe/read_workflow.ts";
import type { Owner } from "./observe/workflow_facts.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";
import { type EpochStamp, record, send } from "./record/record.ts";
import type { DecisionSummary } from "./record/status_writing.ts";
import { storedAs } from "./record/stored_nodes.ts";
import { readForLane, type Subject } from "./subject.ts";

/** A decision, whichever lane made it. */
export interface LaneResult {
  /** The workflow before the decision; in the slow lane only its head. */
  readonly before: Workflow;
  readonly decision: DecisionSummary;
  /** Writes the change; returns `before` itself if nothing changed. */
  readonly write: (stamp: EpochStamp) => Promise<Workflow>;
}

/** Decides in the fast lane, within the time limit of that lane; undefined if the decision took longer. */
export async function decideInFastLane(options: ReconcilerOptions, subject: Subject): Promise<LaneResult | undefined> {
  const { caches, clock, ledger, client } = options;
  const { key, seen, state, read } = subject;
  const pace = options.paces.next(key, clock.now());
  if (state.isWithoutNodes) options.lane.forget(key);
  const known = read ? undefined : state.latest;
  const found = known ?? unwrapWorkflow(caches.workflows.readObject(read ?? seen));
  const stored = state.writing.stored = known && state.writing.stored || storedAs(found, {
    ...options.config(),
    mayCompress: false,
  });
  const began = performance.now();
  const workflow = await withNodes(found, ledger.factsOf(key, found).pods.size > 0, options.config().limits.nodes);
  state.setLatest(workflow, { isHead: false });
  const observed = factsOf(options, subject, workflow);
  const meter = meterOf(pace);
  const config = withSlice(options.config(), pace.sliceMillis);
  // A machine that is busy with other work is not a reason to create less in a pass.
  const elapsed = new WorkClock(pace.sliceMillis).now;
  const act = () => decide(workflow, observed, new Date(clock.now()), config, state.memory, elapsed);
  let decision: Decision | undefined;
  try {
    decision = withMeter(meter, act);
  } catch (error) {
    if (!meter.isOverdue) throw error;
  }
  if (!decision || meter.isOverdue) {
    // The decision is also dropped if the engine caught the timeout and converted it to a message.
    options.log.debug("A pass exceeded its time on the main thread", {
      workflow: key,
      millis: performance.now() - began,
    });
    state.memory = new Memory();
    state.pace.recordOverrun();
    return undefined;
  }
  state.pace.recordInTime(performance.now() - began);
  const decided = decision;
  // The change is computed when it is first read: most passes over a large workflow are not written.
  const write = (stamp: EpochStamp) => record(client, workflow, decided.change, stored, stamp);
  return { before: workflow, decision: decided, write };
}

/** Decides in the slow lane. */
export async function decideInSlowLane(options: ReconcilerOptions, subject: Subject): Promise<LaneResult> {
  const { caches, clock, lane, client } = options;
  const { key, seen, state } = subject;
  const read = subject.read ?? await readForLane(options, subject);
  // The slow lane has its own memory.
  if (!state.isWithoutNodes) state.memory = new Memory();
  const observed = factsOf(options, subject, seen);
  const raw = rawFacts(caches, seen.metadata.namespace ?? "", observed.metricProblem);
  let decision: LaneDecision;
  try {
    decision = await lane.decide({ key, read, observed, raw, at: new Date(clock.now()), config: options.config() });
  } catch (error) {
    // An object may be nested too deeply to be sent to another thread: reading it here throws the reason.
    if (subject.read && isStackOverflow(error)) unwrapWorkflow(caches.workflows.readObject(subject.read));
    throw error;
  }
  const { before, changedNodes } = decision;
  state.setLatest(before, { isHead: true });
  const mayReturn = state.pace.recordSlowLanePass(decision.millis, decision.bytes);
  const now = caches.workflows.get(key);
  if (mayReturn && now && !isLarge(now)) state.pace.toFastLane();
  return {
    before,
    decision: { ...decision, isNodeChanged: (id) => changedNodes.has(id) },
    write: async (stamp) => {
      const packed = await lane.packChange(key, stamp);
      if (!packed) return before;
      const patch = await options.offload?.deflate(before, packed.patch) ?? packed.patch;
      const receipt = await send(client, before, patch);
      lane.recordWrite(key, receipt);
      return { ...packed.after, metadata: { ...packed.after.metadata, ...receipt } };
    },
  };
}

/** All facts about a workflow as they are now. */
function factsOf(
  { actions, baselines, caches, config, ledger, locks, throttle }: ReconcilerOptions,
  { key, state }: Subject,
  workflow: Owner & Parameters<typeof observe>[3] & Parameters<typeof baselines.baselineOf>[0],
): ObservedState & Required<Pick<ObservedState, "metricProblem">> {
  const { namespace } = workflow.metadata;
  const { executorPlugins, namespace: own } = config();
  // Of two plugins with the same name the one in the workflow's namespace wins.
  const pluginNamespaces = executorPlugins ? [own, namespace].filter((name) => name !== undefined) : undefined;
  return {
    ...observe(caches, ledger, state.outcomes, workflow, throttle.mayRun(key), pluginNamespaces),
    baseline: baselines.baselineOf(workflow),
    locks: locks.factsOf(key),
    metricProblem: (value) => actions.metrics.problemWith(value, namespace),
  };
}

function meterOf({ millis }: Pace): EvaluationMeter {
  return new EvaluationMeter({
    now: new WorkClock(millis).now,
    all: LIMITS.passEvaluationMillis,
    single: LIMITS.evaluationMillis,
    whole: millis,
    // Code that is not compiled yet is not a reason to drop a pass.
    step: LIMITS.lonePassMillis,
  });
}
