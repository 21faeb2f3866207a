/** Assembles the parts for workflows: the copies, the loop, the actions, and the pods without a pass. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import type { HasMetadata } from "@tiphys/kube/object";
import type { ReportWork } from "@tiphys/base/metrics";
import { isCompletedPhase, isFulfilled } from "@tiphys/model/status";
import { Backoff } from "../loop/backoff.ts";
import { DelayedActions } from "../loop/delayed_actions.ts";
import { EventRecorder } from "../loop/event_recorder.ts";
import { Loop, TRANSIENT_BACKOFF } from "../loop/loop.ts";
import { PendingActions } from "../loop/pending_actions.ts";
import { PodCounts, readWorkflows } from "../metrics/own_metrics.ts";
import { queueWatch } from "../metrics/queue_metrics.ts";
import { WorkflowMetrics } from "./apply/workflow_metrics.ts";
import type { RunningKind, StartOptions } from "../loop/running_kind.ts";
import { type Limits, Throttle } from "../loop/throttle.ts";
import type { ActionContext } from "./apply/action_context.ts";
import { type MemoLifetime, memoRounds } from "./apply/memo_gc.ts";
import { MemoStore } from "./apply/memo_store.ts";
import { TaskResultDeletion } from "./apply/task_result_deletion.ts";
import { Terminator } from "./apply/terminator.ts";
import { reportPodWork } from "./apply/work_of_pod.ts";
import type { EngineConfig } from "@tiphys/engine";
import { WorkflowKind } from "./kind.ts";
import { KnownWorkflows } from "./known_workflow.ts";
import { listen } from "./listen.ts";
import { type FetchImageCommand, ImageLookup } from "./apply/image_lookup.ts";
import { PodRate } from "./apply/pod_rate.ts";
import type { RateLimit } from "../loop/rate_limiter.ts";
import type { SlowLane } from "./lane/lane.ts";
import { LaneThread } from "./lane/lane_thread.ts";
import { Paces } from "./lane/pace.ts";
import { LayoutFallback } from "./layout_fallback.ts";
import { type Caches, makeCaches } from "./observe/caches.ts";
import { phaseOf } from "./observe/glance.ts";
import type { Baselines } from "./observe/baselines.ts";
import { NamespaceLimits } from "./observe/namespace_limits.ts";
import { ArchiveAccess, type ArchiveOptions } from "./archive/archive_access.ts";
import { archiveRounds } from "./archive/archive_gc.ts";
import { openingRounds } from "./archive/archive_opening.ts";
import { ArchivedBaselines } from "./archive/archived_baselines.ts";
import { Archiver } from "./archive/archiver.ts";
import { Offload } from "./archive/offload.ts";
import { offloadRounds } from "./archive/offload_gc.ts";
import { Retention } from "./retention/retention.ts";
import type { RetentionPolicy } from "./retention/surplus.ts";
import { Ledger } from "./observe/ledger.ts";
import { ReportedStages } from "./observe/reported_stages.ts";
import { whyWaits } from "./why.ts";
import { awaitLastPods } from "./last_pods.ts";
import { ownerOf } from "./orphans/orphan_action.ts";
import { Orphans } from "./orphans/orphans.ts";
import type { LockDatabaseOptions } from "./sync/database_locks.ts";
import type { LimitSettings } from "./sync/semaphore_limits.ts";
import { Synchronizer } from "./sync/synchronizer.ts";

/** Options for workflows alone. */
export interface WorkflowOptions {
  /** Called in every pass, because settings may change. */
  readonly config: () => EngineConfig;
  /** The epoch of the lease; undefined if no other controller can be active. */
  readonly epoch?: number | undefined;
  /** Returns the limits on the number of running workflows, which may change. */
  readonly limits?: () => Limits;
  /** Returns the settings for reading limits of semaphores, which may change. */
  readonly limitSettings?: () => LimitSettings;
  /** The database of locks that controllers share; without it, locks in a database are not available. */
  readonly lockDatabase?: LockDatabaseOptions | undefined;
  /** Reads commands of images from registries; undefined if no registry may be read. */
  readonly fetchImageCommand?: FetchImageCommand | undefined;
  /** Called for each workflow that has finished, with its nodes, unless it is so large that another thread has them. */
  readonly onWorkflowEnded?: ((workflow: Workflow) => void) | undefined;
  /** Called for each piece of work for a workflow; undefined if traces are disabled. */
  readonly onWork?: ReportWork | undefined;
  /** Returns the number of pods that may be created per second, which may change. */
  readonly podRate?: () => RateLimit | undefined;
  /** Returns the number of finished workflows to keep, by phase, which may change. */
  readonly retention?: () => RetentionPolicy | undefined;
  /** The archive for finished workflows; undefined if none are archived. */
  readonly archive?: ArchiveOptions | undefined;
  /** The number of workflows that are reconciled concurrently. */
  readonly workers?: number;
  /** The interval between two scans of all held pods, in milliseconds. */
  readonly sweepEveryMillis?: number;
  /** The lifetime of entries in memoization caches; they never expire if it is undefined. */
  readonly memoLifetime?: MemoLifetime | undefined;
  /** The lane for passes that take long; its own thread if undefined. It is closed with the controller. */
  readonly lane?: SlowLane;
  /** Whether the workflow of a key starts in that lane, for tests. */
  readonly isSlow?: (key: string) => boolean;
}

const DEFAULT_WORKERS = 32;
const DEFAULT_ARCHIVE_WORKERS = 8;

/** Creates the kind of workflows. */
export function workflows(options: StartOptions & WorkflowOptions & { readonly baselines: Baselines }): RunningKind {
  const { client, clock, log, namespace, instanceId, signal } = options;
  const { caches, start } = makeCaches({ client, namespace, instanceId, log, copies: options.copies });
  const ledger = new Ledger(caches);
  const known = new KnownWorkflows();
  const metrics = new WorkflowMetrics({ registry: options.metrics, clock, log });
  const layout = new LayoutFallback(options.config, log);
  const locks = new Synchronizer({
    client,
    clock,
    log,
    metrics: options.metrics,
    database: options.lockDatabase,
    settings: options.limitSettings ?? (() => ({ isWatched: true, cacheSeconds: 0 })),
    onFact: (key, fact) => known.get(key)?.outcomes.outside.add(fact),
    // A workflow that is granted a lock continues at once, because others wait behind it.
    requestPass: (key) => loop.add(key, { urgent: true }),
    isActive: (key) => {
      const seen = caches.workflows.get(key);
      return seen !== undefined && !seen.metadata.deletionTimestamp;
    },
    exists: (key) => caches.workflows.get(key) !== undefined,
  });
  const lane = options.lane ?? new LaneThread({ log });
  const namespaceLimits = new NamespaceLimits(caches.namespaces, log);
  const throttle = new Throttle(
    options.limits ?? (() => ({})),
    (key) => loop.add(key),
    (name) => namespaceLimits.of(name),
  );
  const requeue = (key: string, millis: number) => loop.requeue(key, millis);
  const actions = actionContext(options, { metrics, caches, ledger, knownWorkflows: known, layout, requeue });
  const access = options.archive && archiveAccess(options, options.archive);
  const offload = access && new Offload({
    access,
    clock,
    offloadMode: () => options.config().offload,
    storedBytes: () => options.config().maxNodesBytes,
  });
  const archivedBaselines = access && options.archive && new ArchivedBaselines({
    access,
    baselines: options.baselines,
    clock,
    log,
    isWanted: () => options.config().estimatesDurations !== false,
    timeoutMillis: options.archive.estimateWithinMillis,
  });
  const kind = new WorkflowKind({
    client,
    offload,
    archivedBaselines,
    caches,
    ledger,
    knownWorkflows: known,
    actions,
    throttle,
    baselines: options.baselines,
    log,
    lane,
    locks,
    paces: new Paces(),
    isSlow: options.isSlow,
    config: () => layout.config(),
    clock,
    epoch: options.epoch,
  });
  const loop = new Loop({
    kind,
    log,
    clock,
    workers: options.workers ?? DEFAULT_WORKERS,
    watch: queueWatch(options.metrics, "workflow_queue", () => clock.now()),
    isPaused: options.isPaused,
    guard: options.guard,
  });
  const orphans = new Orphans({
    client,
    log,
    namespace,
    instanceId,
    workflowAt: (key) => caches.workflows.get(key),
    podNow: (key) => caches.pods.get(key),
    clock,
    sweepEveryMillis: options.sweepEveryMillis,
    finishing: (pod) => ledger.podFinishingOnce(pod),
    onLate: (workflow, pod) => reportPodWork(actions, workflow, pod),
  });
  const retention = new Retention({
    client,
    clock,
    log,
    policy: options.retention ?? (() => undefined),
    propagation: () => options.config().deletePropagation,
    isPaused: () => options.isPaused?.() ?? false,
    workflows: () => caches.workflows.list(),
  });
  const archiving = options.archive && access && offload && startArchiving(options, options.archive, {
    access,
    offload,
    workflows: () => caches.workflows.list(),
  });
  const memoGc = memoRounds({
    client,
    clock,
    log,
    configMaps: () => caches.configMaps.list(),
    ...(options.memoLifetime ?? { everyMillis: 0, afterNotHitMillis: 0 }),
  });
  const config = () => layout.config();
  const knowledge = { caches, ledger, knownWorkflows: known, throttle, locks, config, instanceId };
  readWorkflows(options.metrics, () => caches.workflows.list());
  const podCounts = new PodCounts(options.metrics, () => caches.pods.list());
  return {
    name: "workflows",
    get count() {
      return caches.workflows.list().length;
    },
    get depth() {
      return loop.depth;
    },
    get stalledMillis() {
      return loop.stalledMillis;
    },
    async start() {
      await start(signal);
      locks.restoreHolds(caches.workflows.list());
      caches.workflows.onChange((type, workflow, old) => locks.recordChange(type, workflow, old));
      caches.pods.onChange((type, pod) => podCounts.recordPod(type, pod));
      caches.namespaces.onChange(() => throttle.reconsider());
      caches.workflows.onChange(() => retention.reconsider());
      archiving?.start(caches);
      listen(caches, { knownWorkflows: known, loop, throttle, orphans, terminator: actions.terminator });
      orphans.start();
      actions.taskResults.start();
      memoGc.start();
    },
    settingsChanged() {
      throttle.reconsider();
      actions.podRate.reconsider();
      retention.reconsider();
      archiving?.archiver.reconsider();
      loop.resume();
    },
    async close() {
      actions.delayed.close();
      actions.podRate.close();
      await retention.close();
      await archiving?.close();
      await Promise.all([lane.close(), loop.close()]);
      // Running passes may still store nodes there.
      await access?.close();
      await locks.close();
      await Promise.all([orphans.close(), memoGc.close()]);
      await actions.pending.idle();
      await actions.events.flush();
      await actions.taskResults.close();
    },
    awaitLastPods: (until) =>
      awaitLastPods(caches, (pod) => {
        const owner = ownerOf(pod, (key) => caches.workflows.get(key));
        if (owner.kind === "gone") return false;
        return isCompletedPhase(latestPhase(owner.workflow, known.get(keyOf(owner.workflow))?.latest));
      }, until),
    idle: () => actions.terminator.idle(),
    why: (key) => whyWaits({ ...knowledge, loop }, key, new Date(clock.now())),
  };
}

/** The database of the archive, which is opened when it is first needed. */
function archiveAccess(
  { client, clock, log, namespace, instanceId }: StartOptions,
  { open, settings, ownNamespace }: ArchiveOptions,
): ArchiveAccess {
  return new ArchiveAccess({
    client,
    clock,
    log,
    open,
    settings,
    ownNamespace,
    instanceId,
    managedNamespace: namespace,
  });
}

/** Starts the archiver, which then sees every change of a workflow. */
function startArchiving(
  { client, clock, log, isPaused, config }: StartOptions & WorkflowOptions,
  { workers = DEFAULT_ARCHIVE_WORKERS, collectEveryMillis, offload: pace, opensAtStart }: ArchiveOptions,
  { access, offload, workflows }: {
    readonly access: ArchiveAccess;
    readonly offload: Offload;
    readonly workflows: () => readonly KubeObject[];
  },
) {
  const inflate = (workflow: KubeObject) => offload.inflate(workflow);
  const archiver = new Archiver({
    client,
    clock,
    log,
    access,
    workers,
    inflate,
    isPaused: () => isPaused?.() ?? false,
  });
  const offloadGc = offloadRounds({
    client,
    clock,
    log,
    access,
    workflows,
    which: () => config().offload,
    everyMillis: pace?.collectEveryMillis ?? 0,
    youngMillis: pace?.youngMillis ?? 0,
  });
  const gc = archiveRounds({ clock, log, access, everyMillis: collectEveryMillis });
  const opening = openingRounds({ clock, log, access });
  return {
    archiver,
    start(caches: Caches) {
      for (const workflow of caches.workflows.list()) archiver.recordWorkflow("added", workflow);
      caches.workflows.onChange((type, workflow) => archiver.recordWorkflow(type, workflow));
      if (opensAtStart) opening.start();
      gc.start();
      offloadGc.start();
    },
    async close() {
      await Promise.all([archiver.close(), opening.close(), gc.close(), offloadGc.close()]);
    },
  };
}

/** Assembles what actions need. */
function actionContext(
  { client, clock, log, signal, config, metrics: registry, podRate, fetchImageCommand, onWorkflowEnded, onWork }:
    & StartOptions
    & WorkflowOptions,
  { metrics, caches, ledger, knownWorkflows, layout, requeue }: {
    readonly metrics: WorkflowMetrics;
    readonly caches: Caches;
    readonly ledger: Ledger;
    readonly knownWorkflows: KnownWorkflows;
    readonly layout: LayoutFallback;
    readonly requeue: ActionContext["requeue"];
  },
): ActionContext {
  const podNow = (key: string): Pod | undefined => caches.pods.get(key);
  const backoff = new Backoff(TRANSIENT_BACKOFF);
  return {
    client,
    ledger,
    log,
    metrics,
    onEnded: onWorkflowEnded,
    onWork,
    stages: onWork && new ReportedStages(caches.taskResults, clock),
    clock,
    signal,
    newestPod: podNow,
    requeue,
    backoff,
    pending: new PendingActions(),
    images: new ImageLookup({ client, clock, fetchCommand: fetchImageCommand }),
    podRate: new PodRate({
      limit: podRate ?? (() => undefined),
      clock,
      metrics: registry,
      isWanted(workflow, nodeId) {
        const seen = caches.workflows.get(keyOf(workflow));
        if (seen?.metadata.uid !== workflow.metadata.uid || seen?.metadata.deletionTimestamp) return false;
        const state = knownWorkflows.get(keyOf(workflow));
        const node = state?.isWithoutNodes ? undefined : state?.latest?.status?.nodes?.[nodeId];
        return node === undefined || !isFulfilled(node);
      },
    }),
    delayed: new DelayedActions({ clock, log }),
    events: new EventRecorder({
      client,
      log,
      clock,
      kind: "Workflow",
      byAnnotations: config().separatesEventsByAnnotations,
    }),
    taskResults: new TaskResultDeletion({
      client,
      log,
      clock,
      workflowsWithReports: () => caches.workflowsWithTaskResults(),
      isOver: (key) => isCompletedPhase(latestPhase(caches.workflows.get(key), knownWorkflows.get(key)?.latest)),
    }),
    memos: new MemoStore({ client, clock, signal, namespace: () => layout.config().namespace }),
    terminator: new Terminator({
      client,
      log,
      podNow,
      signal,
      onTried: (pod) => {
        const name = `end ${pod.metadata.uid}`;
        if (!isStillActive(podNow(keyOf(pod)), pod)) return backoff.forget(name);
        requeue(`${pod.metadata.namespace}/${pod.metadata.labels?.[LABEL.workflow]}`, backoff.next(name));
      },
    }),
    onImageVolumesFailed: (reason) => layout.imageVolumesFailed(reason),
  };
}

/** Whether the pod exists and has not ended. */
function isStillActive(now: Pod | undefined, pod: Pod): boolean {
  const phase = now?.status?.phase ?? "Pending";
  return now?.metadata.uid === pod.metadata.uid && (phase === "Pending" || phase === "Running");
}

/** The phase of the later of two states of a workflow; one that is gone counts as finished. */
function latestPhase(
  seen: KubeObject | undefined,
  written: (HasMetadata & { readonly status?: { readonly phase?: string } }) | undefined,
): string {
  if (!seen) return "Succeeded";
  const version = ({ metadata }: HasMetadata) => BigInt(metadata?.resourceVersion ?? "0");
  const isSame = written?.metadata?.uid === seen.metadata.uid;
  return written && isSame && version(written) > version(seen) ? written.status?.phase ?? "" : phaseOf(seen);
}
