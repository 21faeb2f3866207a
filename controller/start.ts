/** The controller: starts each kind of objects with the resources that they share. */
import type { KubeClient } from "@tiphys/kube";
import type { Reason } from "@tiphys/engine/explain";
import type { Log } from "@tiphys/base/log";
import { type CronOptions, cronWorkflows } from "./cron/start.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import { type Clock, machineClock } from "./loop/clock.ts";
import { controllerMetrics } from "./metrics/own_metrics.ts";
import type { PassGuard } from "./loop/pass_guard.ts";
import type { RunningKind, StartOptions } from "./loop/running_kind.ts";
import { Baselines } from "./workflow/observe/baselines.ts";
import { sharedCopies } from "./workflow/observe/caches.ts";
import { type WorkflowOptions, workflows } from "./workflow/start.ts";

/** The client and the restrictions of a controller, with the options of all kinds. */
export interface ControllerOptions extends WorkflowOptions, CronOptions {
  readonly client: KubeClient;
  /** The namespace to process; all of them if absent. */
  readonly namespace?: string;
  readonly instanceId?: string;
  readonly log: Log;
  /** Whether processing is paused. Checked before each pass; call `settingsChanged()` when it ends. */
  readonly isPaused?: () => boolean;
  /** Refuses passes over objects that ended the process repeatedly; absent if no state survives the process. */
  readonly guard?: PassGuard | undefined;
  /** The registry of all metrics. If absent, they are counted without being served. */
  readonly metrics?: MetricRegistry | undefined;
  /** The clock; the machine's if absent. */
  readonly clock?: Clock;
}

/** A running controller. */
export interface Controller {
  /** The number of queued passes. */
  readonly queueDepth: number;
  /** The time for which passes have been queued while none ended, in milliseconds; the maximum of all kinds. */
  readonly stalledMillis: number;
  /** Called when the settings have changed: enqueues the objects that depend on them. */
  settingsChanged(): void;
  /** The reasons why the workflow with a key (`namespace/name`) waits; undefined if it does not exist. */
  why(key: string): Promise<Reason[] | undefined>;
  /**
   * Resolves when the finalizers of the last pods of finished workflows have been removed and reported, or the signal
   * is aborted.
   */
  awaitLastPods(until: AbortSignal): Promise<void>;
  /** Accepts no more work, and resolves when running passes have ended. */
  close(): Promise<void>;
}

/** The kinds in their start order: a kind follows those whose objects it needs. */
const KINDS:
  readonly ((options: StartOptions & ControllerOptions & { readonly baselines: Baselines }) => RunningKind)[] = [
    workflows,
    cronWorkflows,
  ];

/**
 * Starts a controller; resolves when it has seen all objects once. It runs until the signal is aborted or `close()` is
 * called.
 */
export async function startController(options: ControllerOptions, signal?: AbortSignal): Promise<Controller> {
  const { log, namespace, clock = machineClock() } = options;
  const own = new AbortController();
  const ended = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const metrics = options.metrics ?? controllerMetrics({ now: () => clock.now() });
  const baselines = new Baselines();
  const copies = sharedCopies(options, (workflow) => baselines.recordWorkflow(workflow));
  const shared = { ...options, metrics, clock, signal: ended, baselines, copies };
  const kinds = KINDS.map((kind) => kind(shared));
  for (const kind of kinds) await kind.start();
  metrics.builtIn("is_leader").set({}, 1);
  log.info("The controller is running", {
    namespace: namespace ?? "(all)",
    ...Object.fromEntries(kinds.map(({ name, count }) => [name, count])),
  });
  return {
    get queueDepth() {
      return kinds.reduce((sum, { depth }) => sum + depth, 0);
    },
    get stalledMillis() {
      return Math.max(...kinds.map(({ stalledMillis }) => stalledMillis));
    },
    settingsChanged() {
      for (const kind of kinds) kind.settingsChanged();
    },
    async why(key) {
      for (const kind of kinds) {
        const reasons = await kind.why?.(key);
        if (reasons) return reasons;
      }
      return undefined;
    },
    async awaitLastPods(until) {
      await Promise.all(kinds.map((kind) => kind.awaitLastPods?.(until)));
    },
    async close() {
      await Promise.all(kinds.map((kind) => kind.close()));
      own.abort(new DOMException("The controller was closed", "AbortError"));
      await Promise.all(kinds.map((kind) => kind.idle?.()));
    },
  };
}
