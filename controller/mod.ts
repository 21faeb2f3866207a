/**
 * The controller: keeps local copies of what it reads (`observe/`), decides about one workflow at a time (`engine/`,
 * pure), writes the status (`record/`) and then acts (`apply/`). `orphans/` lets go of pods that no pass will look at.
 * `config/` reads the settings; `main.ts` wires it for a cluster, the CLI wires it for the embedded one. Imports `lib` only.
 */
import type { Pod, WorkflowTaskResult } from "../lib/api/mod.ts";
import { LABEL } from "../lib/constants.ts";
import { keyOf, type KubeClient } from "../lib/kube/mod.ts";
import { systemClock } from "../lib/watch/mod.ts";
import type { Hands } from "./apply/hands.ts";
import { Errands } from "./apply/errands.ts";
import { EventRecorder } from "./apply/event_recorder.ts";
import { TaskResultDeletion } from "./apply/task_result_deletion.ts";
import { Terminator } from "./apply/terminator.ts";
import { type EngineConfig, isDeleting, isHeld } from "./engine/mod.ts";
import type { Log } from "./log.ts";
import { startCaches } from "./observe/caches.ts";
import { Ledger } from "./observe/ledger.ts";
import { Orphans } from "./orphans/orphans.ts";
import { reconcile } from "./reconciler.ts";
import { type Limits, Throttle } from "./throttle.ts";
import { WorkQueue } from "./work_queue.ts";

export { type ControllerConfig, defaultConfig, parseControllerConfig } from "./config/config.ts";
export { lineLog, type Log, silentLog } from "./log.ts";

/** What a controller is started with. */
export interface ControllerOptions {
  readonly client: KubeClient;
  /** Only this namespace; all of them when absent. */
  readonly namespace?: string;
  readonly instanceId?: string;
  /** Read anew in every pass. */
  readonly config: () => EngineConfig;
  readonly log: Log;
  /** How many workflows may be at work; read anew whenever it matters. */
  readonly limits?: () => Limits;
  /** Workflows worked on at a time. */
  readonly workers?: number;
  /** How often all held pods are looked through, milliseconds. */
  readonly sweepEveryMillis?: number;
  /** The clock, for tests. */
  readonly now?: () => Date;
}

/** A running controller. */
export interface Controller {
  /** Passes that wait for a place. */
  readonly queueDepth: number;
  /** The settings have changed: what waits for them is looked at again. */
  settingsChanged(): void;
  /** Stops taking work and resolves when what was begun is done. */
  close(): Promise<void>;
}

const DEFAULT_WORKERS = 32;

/** Starts a controller; resolves when it has seen everything once. It ends with the signal, or by `close()`. */
export async function startController(options: ControllerOptions, signal?: AbortSignal): Promise<Controller> {
  const { client, log } = options;
  const own = new AbortController();
  const ended = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const caches = await startCaches(
    { client, namespace: options.namespace, instanceId: options.instanceId, log },
    ended,
  );
  const ledger = new Ledger(caches);
  const podNow = (key: string): Pod | undefined => caches.pods.get(key);
  const timers = new Map<string, () => void>();
  const now = options.now ?? (() => new Date());
  let layoutFailure: string | undefined;
  const hands: Hands = {
    client,
    ledger,
    log,
    podNow,
    errands: new Errands(),
    events: new EventRecorder({ client, log, now }),
    taskResults: new TaskResultDeletion(client, log),
    terminator: new Terminator({ client, log, podNow, signal: ended }),
    imageVolumesFailed(reason) {
      if (layoutFailure === undefined) log.warn("Pods are built in the legacy layout from now on", { reason });
      layoutFailure = reason;
    },
    comeBack(key, millis) {
      if (millis === 0) queue.add(key);
      else queue.addAt(key, Date.now() + millis);
    },
    later(what, seconds, act) {
      if (timers.has(what)) return;
      const run = () => {
        timers.delete(what);
        act().catch((error) => log.warn("A delayed action failed", { what, error: String(error) }));
      };
      timers.set(what, systemClock.after(seconds * 1000, run));
    },
  };
  let legacy: { readonly of: EngineConfig; readonly config: EngineConfig } | undefined;
  /** The settings; the same object as long as they are the same. */
  const config = (): EngineConfig => {
    const given = options.config();
    if (!layoutFailure) return given;
    if (legacy?.of !== given) legacy = { of: given, config: { ...given, legacyBecause: layoutFailure } };
    return legacy.config;
  };
  const throttle: Throttle = new Throttle(options.limits ?? (() => ({})), (key) => queue.add(key));
  const reconciler = { client, throttle, caches, ledger, hands, log, config, now };
  const queue: WorkQueue = new WorkQueue(async (key) => {
    const back = await reconcile(reconciler, key);
    if (back === "now") queue.add(key);
    else if (back !== "onChange") queue.addAt(key, back);
    return ledger.known(key)?.restMillis;
  }, options.workers ?? DEFAULT_WORKERS);

  const workflowAt = (key: string) => caches.workflows.get(key);
  const orphans = new Orphans({
    client,
    log,
    namespace: options.namespace,
    instanceId: options.instanceId,
    workflowAt,
    podNow,
    now,
    sweepEveryMillis: options.sweepEveryMillis,
  });
  // Heard of first, and of all of them: who may start depends on who is at work.
  caches.workflows.onChange((type, workflow) => {
    if (type === "deleted") throttle.forget(keyOf(workflow));
    else throttle.see(workflow);
  });
  caches.workflows.onChange((type, workflow) => {
    queue.add(keyOf(workflow));
    if (type !== "deleted" && !workflow.metadata.deletionTimestamp) return;
    for (const pod of caches.podsOf(keyOf(workflow))) orphans.onPod(pod);
  });
  const addOwner = (object: Pod | WorkflowTaskResult, urgent: boolean) => {
    const workflow = object.metadata.labels?.[LABEL.workflow];
    if (workflow) queue.add(`${object.metadata.namespace}/${workflow}`, { urgent });
  };
  caches.pods.onChange((_type, pod) => {
    hands.terminator.notice(pod);
    orphans.onPod(pod);
    addOwner(pod, isHeld(pod) && isDeleting(pod));
  });
  caches.taskResults.onChange((_type, result) => addOwner(result, false));
  orphans.start();
  log.info("The controller is running", {
    namespace: options.namespace ?? "(all)",
    workflows: caches.workflows.list().length,
  });

  return {
    get queueDepth() {
      return queue.depth;
    },
    settingsChanged: () => throttle.reconsider(),
    async close() {
      for (const takeBack of timers.values()) takeBack();
      await queue.close();
      await orphans.close();
      await hands.errands.idle();
      await hands.events.flush();
      await hands.taskResults.flush();
      own.abort(new DOMException("The controller was closed", "AbortError"));
      await hands.terminator.idle();
    },
  };
}
