/** The controller put together: one start for each kind of objects, and what they share. */
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

/** The client and the restrictions of a controller, with the options of all kinds that it works. */
export interface ControllerOptions extends WorkflowOptions, CronOptions {
  readonly client: KubeClient;
  /** Only this namespace; all of them when absent. */
  readonly namespace?: string;
  readonly instanceId?: string;
  readonly log: Log;
  /** Whether nothing may be worked now; asked for each pass. When that ends, `settingsChanged()` is to be called. */
  readonly isHeld?: () => boolean;
  /** Refuses passes over objects that ended the process repeatedly; absent if no state survives the process. */
  readonly guard?: PassGuard | undefined;
  /** The registry in which everything is counted; nobody reads the numbers when it is absent. */
  readonly metrics?: MetricRegistry | undefined;
  /** The clock; the machine's own when absent. */
  readonly clock?: Clock;
}

/** A running controller. */
export interface Controller {
  /** Passes that wait for a place. */
  readonly queueDepth: number;
  /**
   * The time for which passes have waited while none came to its end, in milliseconds, of the kind that is worst off.
   */
  readonly stalledMillis: number;
  /** The settings have changed: what waits for them is looked at again. */
  settingsChanged(): void;
  /** The reasons for which the workflow of a key (`namespace/name`) waits; undefined where it sees no such workflow. */
  why(key: string): Promise<Reason[] | undefined>;
  /** Resolves when the last pods of workflows that are over were let go and told of, or the signal is aborted. */
  lastPodsLetGo(until: AbortSignal): Promise<void>;
  /** Stops taking work and resolves when what was begun is done. */
  close(): Promise<void>;
}

/** The kinds, in the order in which they are started: what the others make and read is there first. */
const KINDS:
  readonly ((options: StartOptions & ControllerOptions & { readonly baselines: Baselines }) => RunningKind)[] = [
    workflows,
    cronWorkflows,
  ];

/** Starts a controller; resolves when it has seen everything once. It ends with the signal, or by `close()`. */
export async function startController(options: ControllerOptions, signal?: AbortSignal): Promise<Controller> {
  const { log, namespace, clock = machineClock() } = options;
  const own = new AbortController();
  const ended = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const metrics = options.metrics ?? controllerMetrics({ now: () => clock.now() });
  const baselines = new Baselines();
  const copies = sharedCopies(options, (workflow) => baselines.see(workflow));
  const shared = { ...options, metrics, clock, signal: ended, baselines, copies };
  const kinds = KINDS.map((kind) => kind(shared));
  for (const kind of kinds) await kind.start();
  metrics.of("is_leader").set({}, 1);
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
    async lastPodsLetGo(until) {
      await Promise.all(kinds.map((kind) => kind.lastPodsLetGo?.(until)));
    },
    async close() {
      await Promise.all(kinds.map((kind) => kind.close()));
      own.abort(new DOMException("The controller was closed", "AbortError"));
      await Promise.all(kinds.map((kind) => kind.idle?.()));
    },
  };
}
