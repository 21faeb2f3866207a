/** A pass: observe, decide, record, apply. */
import { isStackOverflow } from "@tiphys/base/overflow";
import { fieldsOf } from "@tiphys/base/fields_of";
import { LIMITS } from "@tiphys/base/limits";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { type KubeClient, type KubeObject, sortError, WORKFLOWS } from "@tiphys/kube";
import type { HandOver } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import { withWorkSpan } from "@tiphys/base/metrics";
import { isCompletedPhase } from "@tiphys/model/status";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import type { Clock } from "../loop/clock.ts";
import type { ComeBack, PassEnd } from "../loop/kind.ts";
import type { Throttle } from "../loop/throttle.ts";
import type { ActionContext } from "./apply/action_context.ts";
import { beginAll } from "./apply/apply.ts";
import { decide, type Decision, type EngineConfig, isKeptForGarbage, Memory, type Observed } from "@tiphys/engine";
import type { KnownWorkflow, KnownWorkflows } from "./known_workflow.ts";
import { type LaneDecision, LaneLostError, type SlowLane } from "./lane/lane.ts";
import { isLarge, type Pace, type Paces, withSlice } from "./lane/pace.ts";
import { WorkClock } from "./lane/work_clock.ts";
import type { ArchivedBaselines } from "./archive/archived_baselines.ts";
import type { Baselines } from "./observe/baselines.ts";
import type { Caches } from "./observe/caches.ts";
import { type Offload, offloadedVersion, OffloadingDisabledError } from "./archive/offload.ts";
import { UnreadableNodesError } from "@tiphys/model/nodes";
import { phaseOf } from "./observe/glance.ts";
import { isReduced } from "./observe/finished.ts";
import type { Ledger } from "./observe/ledger.ts";
import { observe, rawFacts } from "./observe/observe.ts";
import { readable, withNodes } from "./observe/read_workflow.ts";
import { record as recordDecision, send, type Stamp } from "./record/record.ts";
import { isOfOldNode, type Verdict } from "./record/status_writing.ts";
import type { Synchronizer } from "./sync/synchronizer.ts";
import { storedAs, TooLargeHereError } from "./record/stored_nodes.ts";

/** The parts of the controller that passes over workflows use, shared by all of them. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly ledger: Ledger;
  readonly known: KnownWorkflows;
  readonly actions: ActionContext;
  readonly throttle: Throttle;
  readonly baselines: Baselines;
  readonly log: Log;
  readonly locks: Synchronizer;
  /** The way of nodes into a database and back; absent where there is none. */
  readonly offload?: Offload | undefined;
  /** Durations of archived workflows; absent where there is no archive. */
  readonly archivedBaselines?: ArchivedBaselines | undefined;
  /** The lane in which passes are made that take long. */
  readonly lane: SlowLane;
  readonly paces: Paces;
  /** Whether the workflow of a key is worked in the slow lane from the beginning; large ones are anyway. */
  readonly isSlow?: ((key: string) => boolean) | undefined;
  /** Read anew in every pass: settings may change while the controller runs. */
  readonly config: () => EngineConfig;
  readonly clock: Clock;
  /** The epoch of our lease; undefined where nobody else can be at work. */
  readonly epoch?: number | undefined;
}

/** The milliseconds before the newest state of a workflow is looked for again. */
export const OUTDATED_RETRY_MILLIS = 200;
/** The time in milliseconds that the watch may take to show what somebody wrote; after it the API server is asked. */
const OUTDATED_LIMIT_MILLIS = 3000;

/** The milliseconds before a workflow goes on in the slow lane, or is read anew there. */
const LANE_AGAIN_MILLIS = 50;

const GONE: PassEnd = { comeBack: "onChange" };

/**
 * Makes one pass over the workflow of a key (`namespace/name`). `stepAside` is called when the pass is made in the slow
 * lane: it keeps nobody from a place.
 * @throws whatever went wrong; the loop sorts it.
 */
export async function pass(options: ReconcilerOptions, key: string, stepAside: () => void): Promise<PassEnd> {
  try {
    return await passOver(options, key, stepAside);
  } finally {
    options.locks.passEnded(key);
  }
}

async function passOver(options: ReconcilerOptions, key: string, stepAside: () => void): Promise<PassEnd> {
  const { caches, known, clock } = options;
  const seen = caches.workflows.get(key);
  if (!seen) {
    forgetWorkflow(options, key);
    return GONE;
  }
  // A workflow that is being deleted makes nothing new, and its pods go with it; unless its artifacts go first.
  if (seen.metadata.deletionTimestamp && !isKeptForGarbage(seen)) return GONE;
  const state = known.of(key, seen);
  await options.archivedBaselines?.lookUp(seen);
  const source = await newest(options, state, seen);
  if (source === "outdated") return { comeBack: clock.now() + OUTDATED_RETRY_MILLIS, isUnsettled: true };
  try {
    const read = source.read && await inflatedIfNeeded(options, key, await wholeIfNeeded(options, key, source.read));
    const { clock, actions: { onWork } } = options;
    const pass = onWork && { key: `pass ${crypto.randomUUID()}` };
    const act = () => work(options, { key, seen, state, read, ...(pass && { partOf: pass.key }) }, stepAside);
    return {
      comeBack: await withWorkSpan(onWork, { name: "reconcile_workflow", workflow: seen, ...pass }, clock, act),
    };
  } catch (error) {
    if (!(error instanceof LaneLostError)) throw error;
    return { comeBack: clock.now() + LANE_AGAIN_MILLIS, isUnsettled: true };
  }
}

/** A finished workflow of which the copy keeps little is asked for where something is left to be done about a pod of it. */
async function wholeIfNeeded(
  { client, ledger }: ReconcilerOptions,
  key: string,
  seen: KubeObject,
): Promise<KubeObject> {
  if (!isReduced(seen) || !hasOpenPods(ledger, key, seen)) return seen;
  return await client.get(WORKFLOWS, seen.metadata.namespace, seen.metadata.name ?? "");
}

/** A workflow whose nodes lie in a database gets them, where they are wanted. One that is over is worked without them if need be. */
async function inflatedIfNeeded(
  { offload, ledger }: ReconcilerOptions,
  key: string,
  read: KubeObject,
): Promise<KubeObject> {
  if (offloadedVersion(read) === undefined) return read;
  const isOver = isCompletedPhase(phaseOf(read));
  if (isOver && !isKeptForGarbage(read) && ledger.factsOf(key, read).pods.size === 0) return read;
  try {
    if (!offload) throw new OffloadingDisabledError();
    return await offload.inflate(read);
  } catch (error) {
    if (isOver && error instanceof UnreadableNodesError) return read;
    throw error;
  }
}

/** Whether a pod has not ended, or has and is not labelled as completed yet: its node says what becomes of it. */
function hasOpenPods(ledger: Ledger, key: string, seen: KubeObject): boolean {
  for (const { metadata: { deletionTimestamp, labels }, status } of ledger.factsOf(key, seen).pods.values()) {
    if (status?.phase !== "Succeeded" && status?.phase !== "Failed") return true;
    const isOwn = labels?.[LABEL.component] === undefined;
    if (isOwn && labels?.[LABEL.completed] !== "true" && !deletionTimestamp) return true;
  }
  return false;
}

/** A workflow of which nothing is left to be done is kept as little of as the copy has, once that shows its end. */
function letGo({ caches, known, ledger }: ReconcilerOptions, key: string, state: KnownWorkflow): void {
  const seen = caches.workflows.get(key);
  if (!seen || !isReduced(seen) || hasOpenPods(ledger, key, seen)) return;
  if (state.latest && versionOf(seen) < versionOf(state.latest)) return;
  caches.workflows.forgetRead(seen);
  ledger.forget(key);
  if (state.outcomes.isEmpty) known.forget(key);
  else state.letGo();
}

/** Forgets what is known of a workflow. */
export function forgetWorkflow({ ledger, known, lane, actions }: ReconcilerOptions, key: string): void {
  actions.metrics.forget(key);
  ledger.forget(key);
  known.forget(key);
  lane.forget(key);
}

/** The workflow that a pass is over. */
interface Subject {
  readonly key: string;
  /** The workflow as the local copy has it. */
  readonly seen: KubeObject;
  readonly state: KnownWorkflow;
  /** The workflow as somebody wrote it since we did; undefined where nobody did. */
  readonly read: KubeObject | undefined;
  /** The key of the pass among what is told of its work; absent where nobody is told. */
  readonly partOf?: string;
}

async function work(options: ReconcilerOptions, subject: Subject, stepAside: () => void): Promise<ComeBack> {
  const { actions: context, clock, epoch, ledger, locks, log } = options;
  const { key, state, read } = subject;
  if (read) locks.read(read);
  const { pace, writing, outcomes } = state;
  outcomes.throwDefect();
  if (read && !isKeptForGarbage(read)) outcomes.forgetCollectors();
  if (options.isSlow?.(key) || (read && takesLong(read, ledger.factsOf(key, read).pods.size > 0))) pace.toSlowLane();
  let decided: Decided | undefined;
  if (!pace.isSlow && !(state.isHead && !read)) {
    decided = await withLocks(options, subject, decideHere);
    // A pass without time comes back at once, twice at most, others in between: then the workflow is the slow lane's.
    if (!decided) return "now";
  } else {
    stepAside();
    decided = await withLocks(options, subject, decideInLane);
  }
  const heirs = locks.inherit(key, decided.decision.locks?.over ?? []);
  const inherited = heirs && await withHandOver(options, subject, heirs);
  const succeeded = heirs ? inherited?.decided : await withSuccessors(options, subject, decided);
  if (!succeeded) return "now";
  decided = succeeded;
  const { before, decision: first } = decided;
  for (const note of first.notes) log.debug(note, { workflow: key });
  const needsProof = writing.needsProof(epoch, first);
  // Nothing is made under a lock before the lock's holder is written.
  const isNewHolder = first.locks !== undefined && locks.isUnwritten(key);
  const mayBeEarly = writing.isProven(epoch) && !isNewHolder;
  const isAhead = (nodeId: string) => locks.isAhead(key, nodeId);
  const [early, later] = partition(first.actions, (action) => mayBeEarly && isOfOldNode(action, first, isAhead));
  beginAll(context, before, outcomes, early);
  const { isPuttingOff } = options.client;
  const { asks = [], over = [] } = first.locks ?? {};
  const handsOver = !inherited && asks.length === 0 && over.length > 0 && locks.mayHandOver(key, over);
  const due = needsProof || isNewHolder
    ? "now"
    : writing.due(before, first, clock.now(), { isPuttingOff, handsOver, isAhead, runsShort: locks.runsShort(key) });
  if (due !== "now") return Math.min(due, first.requeueAt ?? Infinity);
  const handedOver = handsOver ? await withHandOver(options, subject, locks.handOver(key, over)) : undefined;
  if (handsOver && !handedOver) return "now";
  decided = handedOver?.decided ?? decided;
  const { before: workflow, decision } = decided;
  const others = handedOver ? decision.actions : later;
  // Until all that the write tells is counted: a client may see the new phase before the answer to the write is here.
  using _ = context.metrics.beginWrite();
  writing.begun();
  const begun = clock.now();
  let written: Workflow;
  try {
    const { write: store } = decided;
    const write = () => store({ epoch, isNeeded: needsProof });
    written = await withWorkSpan(
      context.onWork,
      { name: "persist_updates", workflow, ...partOf(subject) },
      clock,
      write,
    );
  } catch (error) {
    (inherited ?? handedOver)?.undo();
    if (isRefused(error)) locks.refused(key);
    if (!(error instanceof TooLargeHereError)) throw error;
    pace.toSlowLane();
    state.memory = new Memory();
    return "now";
  }
  writing.ended(clock.now() - begun, { isWritten: written !== workflow });
  state.isNow(written, { isHead: state.isHead });
  if (written !== workflow && written.status?.phase !== workflow.status?.phase) {
    context.metrics.phaseEntered(workflow, written);
    if (!state.isHead && isCompletedPhase(written.status?.phase)) context.onEnded?.(written);
    log.info("The workflow's phase changed", {
      workflow: key,
      phase: written.status?.phase,
      message: written.status?.message ?? "",
    });
  }
  if (decision.locks) locks.written(key, decision.locks);
  beginAll(context, written, outcomes, others);
  for (const message of decision.gauges ? context.metrics.follow(written, decision.gauges) : []) {
    context.events.record(written, { type: "Warning", reason: "MetricsError", message });
  }
  // A workflow that is over, and has nothing under way, has few passes left, and there may be many such.
  if (written.status?.finishedAt && others.length === 0 && !ledger.isAwaited(key)) {
    state.memory = new Memory();
    options.lane.forget(key);
    letGo(options, key, state);
  }
  return decision.locks?.asks.length ? "now" : decision.requeueAt ?? "onChange";
}

function partOf({ partOf }: Subject): { readonly partOf?: string } {
  return partOf === undefined ? {} : { partOf };
}

/** The most rounds in one pass: a lock that is granted may let others ask, and the rest comes in the next pass. */
const MOST_ROUNDS = 20;

/** Decides, and again whenever locks are asked for, with the answer: nothing is written before. */
async function withLocks<D extends Decided | undefined>(
  options: ReconcilerOptions,
  subject: Subject,
  decide: (options: ReconcilerOptions, subject: Subject) => Promise<D>,
): Promise<D> {
  let decided = await decide(options, subject);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const asks = decided?.decision.locks?.asks ?? [];
    if (asks.length === 0) break;
    const { clock, actions: { onWork } } = options;
    const answer = () => options.locks.answer(subject.key, subject.seen, asks);
    await withWorkSpan(onWork, { name: "try_acquire_lock", workflow: subject.seen, ...partOf(subject) }, clock, answer);
    decided = await decide(options, { ...subject, read: undefined });
  }
  return decided;
}

/**
 * Decides once more where all locks that are given back go to those whom the status names as the next holders: these have
 * them at once, for that is written. Undefined when there was no time for it.
 */
async function withSuccessors(
  options: ReconcilerOptions,
  subject: Subject,
  decided: Decided,
): Promise<Decided | undefined> {
  const { asks = [], over = [], isEvident = false } = decided.decision.locks ?? {};
  const isAll = isEvident && asks.length === 0 && over.length > 0;
  if (!isAll || !options.locks.isNamed(subject.key, over)) return decided;
  const handedOver = await withHandOver(options, subject, options.locks.handOver(subject.key, over));
  handedOver?.keep();
  return handedOver?.decided;
}

/**
 * Decides once more, when what these nodes give back is in the hands of the next ones of the workflow: one write tells both.
 * Undefined when there was no time for it; who does not write it undoes it.
 */
async function withHandOver(options: ReconcilerOptions, subject: Subject, handOver: HandOver | undefined) {
  const { pace, isHead } = subject.state;
  const decide = pace.isSlow || isHead ? decideInLane : decideHere;
  let decided: Decided | undefined;
  try {
    return (decided = await decide(options, { ...subject, read: undefined })) &&
      { decided, undo: () => handOver?.undo(), keep: () => handOver?.keep() };
  } finally {
    if (!decided) handOver?.undo();
  }
}

/** A decision that a pass goes on with, wherever it was made. */
interface Decided {
  /** The workflow that was decided on; only the head of one that was decided on elsewhere. */
  readonly before: Workflow;
  readonly decision: Verdict;
  /** Writes the change; the answer is `before` itself when there is none. */
  readonly write: (stamp: Stamp) => Promise<Workflow>;
}

/** Decides among all others, within the time that each has there; undefined when that was not enough. */
async function decideHere(options: ReconcilerOptions, subject: Subject): Promise<Decided | undefined> {
  const { caches, clock, ledger, client } = options;
  const { key, seen, state, read } = subject;
  const pace = options.paces.next(key, clock.now());
  if (state.isHead) options.lane.forget(key);
  const known = read ? undefined : state.latest;
  const found = known ?? readable(caches.workflows.readObject(read ?? seen));
  const stored = state.writing.stored = known && state.writing.stored || storedAs(found, {
    ...options.config(),
    mayCompress: false,
  });
  const began = performance.now();
  const workflow = await withNodes(found, ledger.factsOf(key, found).pods.size > 0, options.config().limits.nodes);
  state.isNow(workflow, { isHead: false });
  const observed: Observed = {
    ...observe(
      caches,
      ledger,
      state.outcomes,
      workflow,
      options.throttle.mayRun(key),
      pluginNamespaces(options, workflow),
    ),
    baseline: options.baselines.of(workflow),
    locks: options.locks.factsOf(key),
    metricProblem: (value) => options.actions.metrics.problemWith(value, workflow.metadata.namespace),
  };
  const meter = meterOf(pace);
  const config = withSlice(options.config(), pace.sliceMillis);
  // What others take of the machine is no reason to make less in a pass.
  const elapsed = new WorkClock(pace.sliceMillis).now;
  const act = () => decide(workflow, observed, new Date(clock.now()), config, state.memory, elapsed);
  let decision: Decision | undefined;
  try {
    decision = withMeter(meter, act);
  } catch (error) {
    if (!meter.isOverdue) throw error;
  }
  if (!decision || meter.isOverdue) {
    // The decision is dropped also where the engine caught the end of its time and made a message of it.
    options.log.debug("A pass took too long among the others", { workflow: key, millis: performance.now() - began });
    state.memory = new Memory();
    state.pace.overran();
    return undefined;
  }
  state.pace.wasInTime(performance.now() - began);
  const decided = decision;
  return {
    before: workflow,
    decision: decided,
    write: (stamp) => recordDecision(client, workflow, decided.change, stored, stamp),
  };
}

/**
 * The namespaces in which plugins of agents are looked for: of two with the same name the one in the workflow's counts,
 * not the one in the controller's. Undefined where there are no plugins.
 */
function pluginNamespaces(
  { config }: ReconcilerOptions,
  { metadata }: { readonly metadata: { readonly namespace?: string } },
): string[] | undefined {
  const { executorPlugins, namespace } = config();
  if (!executorPlugins) return undefined;
  return [namespace, metadata.namespace].filter((name) => name !== undefined);
}

function meterOf({ millis }: Pace): EvaluationMeter {
  return new EvaluationMeter({
    now: new WorkClock(millis).now,
    all: LIMITS.passEvaluationMillis,
    single: LIMITS.evaluationMillis,
    whole: millis,
    // Code that is not compiled yet is no reason to make a key among the others.
    step: LIMITS.lonePassMillis,
  });
}

/** Decides in the slow lane. */
async function decideInLane(options: ReconcilerOptions, subject: Subject): Promise<Decided> {
  const { caches, clock, ledger, lane, client } = options;
  const { key, seen, state } = subject;
  const read = subject.read ?? await neededAnew(options, subject);
  const metricProblem: Observed["metricProblem"] = (value) =>
    options.actions.metrics.problemWith(value, seen.metadata.namespace);
  // The memory is of no use here any more: the slow lane has one of its own.
  if (!state.isHead) state.memory = new Memory();
  const observed = {
    ...observe(caches, ledger, state.outcomes, seen, options.throttle.mayRun(key), pluginNamespaces(options, seen)),
    baseline: options.baselines.of(seen),
    locks: options.locks.factsOf(key),
    metricProblem,
  };
  const raw = rawFacts(caches, seen.metadata.namespace ?? "", metricProblem);
  let decision: LaneDecision;
  try {
    decision = await lane.decide({ key, read, observed, raw, at: new Date(clock.now()), config: options.config() });
  } catch (error) {
    // An object may be nested too deeply to be handed to another thread: reading it here throws the reason.
    if (subject.read && isStackOverflow(error)) readable(caches.workflows.readObject(subject.read));
    throw error;
  }
  const { before, touched } = decision;
  state.isNow(before, { isHead: true });
  const mayGoBack = state.pace.tookInSlowLane(decision.millis, decision.bytes);
  const now = caches.workflows.get(key);
  if (mayGoBack && now && !isLarge(now)) state.pace.toFastLane();
  return {
    before,
    decision: { ...decision, isTouched: (id) => touched.has(id) },
    write: async (stamp) => {
      const packed = await lane.pack(key, stamp);
      if (!packed) return before;
      const patch = await options.offload?.deflate(before, packed.patch) ?? packed.patch;
      const receipt = await send(client, before, patch);
      lane.written(key, receipt);
      return { ...packed.after, metadata: { ...packed.after.metadata, ...receipt } };
    },
  };
}

/** The workflow for a lane that does not hold it, or for a pass that has its head only; undefined when the lane has it. */
async function neededAnew(options: ReconcilerOptions, subject: Subject): Promise<object | undefined> {
  const { key, seen, state } = subject;
  const { latest, isHead } = state;
  if (options.lane.holds(key) && isHead) return undefined;
  if (latest && !isHead) return latest;
  const isNewest = !latest || versionOf(seen) === versionOf(latest);
  const found = isNewest
    ? seen
    : await options.client.get<KubeObject>(WORKFLOWS, seen.metadata.namespace, seen.metadata.name ?? "");
  return await inflatedIfNeeded(options, key, found);
}

/** Whether it takes long to read a workflow: it is large, or has nodes that are wanted and compressed. */
function takesLong(read: KubeObject, hasPods: boolean): boolean {
  if (isLarge(read)) return true;
  return Boolean(fieldsOf(read.status).compressedNodes) &&
    (!isCompletedPhase(phaseOf(read)) || hasPods || isKeptForGarbage(read));
}

/** Whether a write was refused for good: trouble that passes, and a conflict, leave open what is written. */
function isRefused(error: unknown): boolean {
  const sort = sortError(error);
  return sort !== "conflict" && sort !== "transient";
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/**
 * Finds the newest state that we know: what we wrote last, or, in `read`, what somebody wrote since. `outdated` stands
 * for a state that the watch is yet to show.
 */
async function newest(
  { client, clock }: ReconcilerOptions,
  { latest, isHead, pace, outdatedSince }: KnownWorkflow,
  seen: KubeObject,
): Promise<{ readonly read?: KubeObject } | "outdated"> {
  if (!latest || versionOf(latest) < versionOf(seen)) return { read: seen };
  if (outdatedSince === undefined) {
    // A workflow that comes back from the slow lane is read again here.
    const isBack = isHead && !pace.isSlow;
    return isBack && versionOf(seen) === versionOf(latest) ? { read: seen } : {};
  }
  // A pass on an old state could take a pod for one that nobody knows.
  if (clock.now() - outdatedSince < OUTDATED_LIMIT_MILLIS) return "outdated";
  // No watch shows it: the conflict was another one, or the server was set back to an earlier state.
  const { namespace, name } = seen.metadata;
  const asked = await client.get(WORKFLOWS, namespace, name ?? "");
  return versionOf(asked) === versionOf(latest) ? {} : { read: asked };
}

function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): bigint {
  return BigInt(metadata.resourceVersion ?? "0");
}
