/** Starts the processing of cron workflows: their local copy, the index of their children, and their loop. */
import { GoZone, ZoneError } from "@tiphys/base/go";
import { CRON_WORKFLOWS, keyOf, type KubeObject } from "@tiphys/kube";
import { ReadingInformer } from "@tiphys/kube/informers";
import { sameJson } from "@tiphys/kube/patch";
import { EventRecorder } from "../loop/event_recorder.ts";
import { Loop } from "../loop/loop.ts";
import { ownSelector } from "../loop/own_selector.ts";
import type { RunningKind, StartOptions } from "../loop/running_kind.ts";
import { queueWatch } from "../metrics/queue_metrics.ts";
import { ChildIndex } from "./child_index.ts";
import { CronKind } from "./kind.ts";
import { CronPasses } from "./pass.ts";
import { readCron } from "./read_cron.ts";
import type { DefaultMetadata } from "./types.ts";

/** Options that only cron workflows use. */
export interface CronOptions {
  /** The number of cron workflows that are processed concurrently. */
  readonly cronWorkers?: number | undefined;
  /** The zone of schedules without a zone; the machine's zone if absent. */
  readonly timezone?: string | undefined;
}

/** The current settings. Cron workflows need the defaults of workflows. */
interface CronSettings {
  readonly config: () => { readonly workflowDefaults?: DefaultMetadata | undefined };
}

const DEFAULT_WORKERS = 8;

/** Creates the part of the controller that processes CronWorkflows. */
export function cronWorkflows(options: StartOptions & CronOptions & CronSettings): RunningKind {
  const { client, clock, log, namespace, instanceId, copies, signal } = options;
  const failed = Promise.withResolvers<void>();
  const crons = new ReadingInformer(client, CRON_WORKFLOWS, {
    namespace,
    labelSelector: ownSelector(instanceId),
    onError: (error) => {
      log.warn("Watching cron workflows failed, retrying", { error: String(error) });
      failed.resolve();
    },
    read: readCron,
  });
  const children = new ChildIndex(copies.workflows, (key) => {
    if (crons.isSynced) loop.add(key);
  });
  const local = zoneOf(options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const requeue = (key: string, millis: number) => loop.requeue(key, millis);
  const { metrics } = options;
  let known = options.config().workflowDefaults;
  const defaults = () => known;
  const watched = { crons, copies, children, local, defaults };
  const passes = new CronPasses({ metrics, client, log, clock, instanceId, requeue, ...watched });
  const events = new EventRecorder({ client, log, clock, kind: "CronWorkflow" });
  const kind = new CronKind({ client, clock, events, log, passes, seen: (key) => crons.get(key) });
  const loop: Loop = new Loop({
    kind,
    log,
    clock,
    workers: options.cronWorkers ?? DEFAULT_WORKERS,
    watch: queueWatch(options.metrics, "cron_wf_queue", () => clock.now()),
    isPaused: options.isPaused,
    guard: options.guard,
  });
  crons.onChange((type, cron) => {
    if (type === "deleted") loop.forget(keyOf(cron));
    loop.add(keyOf(cron));
  });
  // Validation of a cron workflow reads the templates that it refers to, so their changes may make it valid or invalid.
  const addAll = ({ metadata: { namespace } }: KubeObject) => {
    for (const cron of crons.list()) if (!namespace || cron.metadata.namespace === namespace) loop.add(keyOf(cron));
  };
  copies.workflowTemplates.onChange((_type, template) => addAll(template));
  copies.clusterWorkflowTemplates.onChange((_type, template) => addAll(template));
  return {
    name: "cronWorkflows",
    get count() {
      return crons.list().length;
    },
    get depth() {
      return loop.depth;
    },
    get stalledMillis() {
      return loop.stalledMillis;
    },
    async start() {
      // The other kinds keep running if cron workflows are forbidden, or unknown to the cluster.
      await Promise.race([crons.start(signal), failed.promise]);
    },
    settingsChanged() {
      loop.resume();
      const now = options.config().workflowDefaults;
      if (sameJson(now ?? null, known ?? null)) return;
      known = now;
      for (const cron of crons.list()) loop.add(keyOf(cron));
    },
    async close() {
      await loop.close();
      await passes.idle();
      await events.flush();
    },
  };
}

/** The zone with a name; UTC if the zone of the machine is unknown. */
function zoneOf(name: string): GoZone {
  try {
    return GoZone.load(name);
  } catch (error) {
    if (!(error instanceof ZoneError)) throw error;
    return GoZone.UTC;
  }
}
