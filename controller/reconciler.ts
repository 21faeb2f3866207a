/** A pass: observe, decide, record, apply. */
import { parseWorkflow, type Workflow } from "../lib/api/mod.ts";
import { API_VERSION, LABEL } from "../lib/constants.ts";
import { hydrate } from "../lib/nodes/mod.ts";
import { type KubeClient, KubeError, type KubeObject, sortError, WORKFLOWS } from "../lib/kube/mod.ts";
import { beginAll } from "./apply/apply.ts";
import type { Hands } from "./apply/hands.ts";
import { type Action, decide, type Decision, type EngineConfig, formatTime, Memory } from "./engine/mod.ts";
import type { Log } from "./log.ts";
import type { Caches } from "./observe/caches.ts";
import { type Ledger, storedAs, type WorkflowRecord } from "./observe/ledger.ts";
import { observe } from "./observe/observe.ts";
import { record as recordDecision } from "./record/record.ts";
import { StatusTooLargeError } from "./record/stored_nodes.ts";
import type { Throttle } from "./throttle.ts";

/** When to come back, in one place: milliseconds since 1970, `now`, or only when something changes. */
export type ComeBack = number | "now" | "onChange";

/** What passes are made with. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly ledger: Ledger;
  readonly hands: Hands;
  readonly throttle: Throttle;
  readonly log: Log;
  /** Read anew in every pass: settings may change while the controller runs. */
  readonly config: () => EngineConfig;
  readonly now: () => Date;
}

const TRANSIENT_RETRY_MILLIS = 1000;
const OUTDATED_RETRY_MILLIS = 200;

/** Makes one pass over the workflow of a key (`namespace/name`). Never throws: one workflow must not stop the others. */
export async function reconcile(options: ReconcilerOptions, key: string): Promise<ComeBack> {
  const { log, now } = options;
  try {
    return await pass(options, key);
  } catch (error) {
    switch (sortError(error)) {
      case "conflict":
        // Somebody wrote in between. The watch brings the newer state, and with it the next pass.
        options.ledger.markOutdated(key);
        return now().getTime() + OUTDATED_RETRY_MILLIS;
      case "notFound":
        return "onChange";
      case "transient":
        log.warn("A pass failed and is tried again", { workflow: key, error: String(error) });
        return now().getTime() + TRANSIENT_RETRY_MILLIS;
      default:
        log.error("A pass failed", {
          workflow: key,
          error: error instanceof Error ? error.stack ?? error.message : String(error),
        });
        return await markBroken(options, key, error);
    }
  }
}

async function pass(options: ReconcilerOptions, key: string): Promise<ComeBack> {
  const { caches, ledger, hands, client, log } = options;
  const seen = caches.workflows.get(key);
  if (!seen) {
    ledger.forget(key);
    return "onChange";
  }
  // One that is being deleted makes nothing new; its pods go with it.
  if (seen.metadata.deletionTimestamp) return "onChange";
  const found = current(options, key, seen);
  if (found === "outdated") return options.now().getTime() + OUTDATED_RETRY_MILLIS;
  if ("problem" in found) {
    await refuse(options, seen, found.problem);
    return "onChange";
  }
  const record = ledger.recordOf(key, found);
  if (found !== record.latest) record.stored = storedAs(found);
  const isCompressed = found.status?.compressedNodes && !found.status.offloadNodeStatusVersion;
  const workflow = isCompressed ? await hydrate(found) : found;
  Object.assign(record, { latest: workflow, outdated: false });
  const began = performance.now();
  const observed = observe(caches, ledger, record, workflow, options.throttle.mayRun(key));
  const decision = decide(workflow, observed, options.now(), options.config(), record.memory);
  noteDuration(record, performance.now() - began);
  for (const note of decision.notes) log.debug(note, { workflow: key });
  const [early, others] = partition(decision.actions, (action) => isOfOldNode(action, decision));
  beginAll(hands, workflow, record, early);
  const due = writeDue(options, record, workflow, decision);
  if (due !== "now") return Math.min(due, decision.requeueAt ?? Infinity);
  record.unwrittenSince = undefined;
  const begun = options.now().getTime();
  const written = await recordDecision(client, workflow, decision, record.stored);
  record.writeMillis = options.now().getTime() - begun;
  record.latest = written;
  if (written !== workflow && written.status?.phase !== workflow.status?.phase) {
    log.info("The workflow's phase changed", {
      workflow: key,
      phase: written.status?.phase,
      message: written.status?.message ?? "",
    });
  }
  beginAll(hands, written, record, others);
  // What is over and has nothing under way has few passes left, and there may be many of them.
  if (written.status?.finishedAt && others.length === 0 && !ledger.isAwaited(key)) record.memory = new Memory();
  return decision.requeueAt ?? "onChange";
}

/**
 * A large workflow is left alone for a while after each pass: it took one for every pod that came up or ended, and most of
 * the machine. Two durations, because the first pass of a process is slow for other reasons.
 */
function noteDuration(record: WorkflowRecord, millis: number): void {
  const usual = Math.min(millis, record.decisionMillis ?? 0);
  record.decisionMillis = millis;
  record.restMillis = Math.floor(Math.min(usual * REST_SHARE, MOST_REST_MILLIS));
}

const REST_SHARE = 8;
const MOST_REST_MILLIS = 200;

/**
 * When a decision is to be written. What only shows how things stand (a pod came up, one of many ended) may wait a moment
 * for what comes next and be written with it; until then every pass decides it anew.
 */
function writeDue(
  { now }: ReconcilerOptions,
  record: WorkflowRecord,
  before: Workflow,
  decision: Decision,
): number | "now" {
  const { actions, isChange, phase } = decision;
  if (!isChange && actions.length === 0) return "now";
  const isNews = phase === before.status?.phase &&
    actions.every((action) => PATIENT.has(action.kind) || isOfOldNode(action, decision));
  if (!isNews) return "now";
  record.unwrittenSince ??= now().getTime();
  const due = record.unwrittenSince + Math.max(GATHER_MILLIS, WRITING_SHARE * (record.writeMillis ?? 0));
  return now().getTime() >= due ? "now" : due;
}

/** What changes nothing for a workflow when it comes a little later. */
const PATIENT: ReadonlySet<Action["kind"]> = new Set(["event", "finishPod"]);
const GATHER_MILLIS = 500;
/** A large status is expensive to write, for the server above all: it is not written all the time. */
const WRITING_SHARE = 4;

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** The pod of a node that was written before and did not change since: its status need not be written first. */
function isOfOldNode(action: Action, decision: Decision): boolean {
  return action.kind === "createPod" && !decision.isTouched(action.nodeId);
}

/** The newest state we know: what we wrote last, or what somebody wrote since. */
function current(
  options: ReconcilerOptions,
  key: string,
  seen: KubeObject,
): Workflow | "outdated" | { problem: string } {
  const known = options.ledger.known(key);
  const version = (workflow: { metadata: { resourceVersion?: string } }) =>
    BigInt(workflow.metadata.resourceVersion ?? "0");
  if (known && known.uid === seen.metadata.uid && version(known.latest) >= version(seen)) {
    // A pass on an old state could take a pod for one that nobody knows.
    return known.outdated ? "outdated" : known.latest;
  }
  const parsed = parseWorkflow(seen, "lenient");
  if (parsed.ok) return parsed.value;
  const [first] = parsed.errors;
  return { problem: `cannot unmarshall spec: ${first.path}: ${first.message}` };
}

/** A workflow that cannot be read is told so, and left alone until somebody mends it. */
async function refuse(options: ReconcilerOptions, seen: KubeObject, problem: string): Promise<void> {
  const status = seen.status as { phase?: string; message?: string } | undefined;
  if (status?.message === problem) return;
  await endWith(options, seen, problem);
}

/** A mistake of ours: loud, and the workflow does not hang because of it. */
async function markBroken(options: ReconcilerOptions, key: string, error: unknown): Promise<ComeBack> {
  const seen = options.caches.workflows.get(key);
  if (!seen) return "onChange";
  try {
    const isForAuthor = error instanceof KubeError || error instanceof StatusTooLargeError;
    const message = isForAuthor ? error.message : `the controller failed: ${(error as Error).message}`;
    await endWith(options, seen, message);
  } catch (second) {
    options.log.error("Could not mark a workflow", { workflow: key, error: String(second) });
    return options.now().getTime() + 10 * TRANSIENT_RETRY_MILLIS;
  }
  return "onChange";
}

async function endWith(options: ReconcilerOptions, seen: KubeObject, message: string): Promise<void> {
  const at = formatTime(options.now());
  const status = (seen.status ?? {}) as Record<string, unknown>;
  options.ledger.forget(`${seen.metadata.namespace}/${seen.metadata.name}`);
  await options.client.patch(WORKFLOWS, seen.metadata.namespace, seen.metadata.name!, {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { labels: { [LABEL.phase]: "Error", [LABEL.completed]: "true" } },
    status: { phase: "Error", message, startedAt: status.startedAt ?? at, finishedAt: at },
  });
}
