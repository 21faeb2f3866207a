/** Start of cron workflows, put together: their copy, the index of their children, and their loop. */
import { GoZone, ZoneError } from "@tiphys/base/go";
import { CRON_WORKFLOWS, keyOf, type KubeObject, ReadingInformer, sameJson } from "@tiphys/kube";
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

/** Options of cron workflows alone. */
export interface CronOptions {
  /** Cron workflows worked on at a time. */
  readonly cronWorkers?: number | undefined;
  /** The zone of schedules that name none; the machine's when absent. */
  readonly timezone?: string | undefined;
}

/** The settings as they are now, of which this kind reads what lies under every workflow. */
interface CronSettings {
  readonly config: () => { readonly workflowDefaults?: DefaultMetadata | undefined };
}

const DEFAULT_WORKERS = 8;

/** Cron workflows as a kind of the controller. */
export function cronWorkflows(options: StartOptions & CronOptions & CronSettings): RunningKind {
  const { client, clock, log, namespace, instanceId, copies, signal } = options;
  const failed = Promise.withResolvers<void>();
  const crons = new ReadingInformer(client, CRON_WORKFLOWS, {
    namespace,
    labelSelector: ownSelector(instanceId),
    onError: (error) => {
      log.warn("Cron workflows cannot be watched; it is tried again", { error: String(error) });
      failed.resolve();
    },
    read: readCron,
  });
  const children = new ChildIndex(copies.workflows, (key) => {
    if (crons.synced) loop.add(key);
  });
  const local = zoneOf(options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const comeBack = (key: string, millis: number) => loop.comeBack(key, millis);
  const { metrics } = options;
  let known = options.config().workflowDefaults;
  const defaults = () => known;
  const watched = { crons, copies, children, local, defaults };
  const passes = new CronPasses({ metrics, client, log, clock, instanceId, comeBack, ...watched });
  const events = new EventRecorder({ client, log, clock, kind: "CronWorkflow" });
  const kind = new CronKind({ client, clock, events, log, passes, seen: (key) => crons.get(key) });
  const loop: Loop = new Loop({
    kind,
    log,
    clock,
    workers: options.cronWorkers ?? DEFAULT_WORKERS,
    watch: queueWatch(options.metrics, "cron_wf_queue", () => clock.now()),
    isHeld: options.isHeld,
    guard: options.guard,
  });
  crons.onChange((type, cron) => {
    if (type === "deleted") loop.forget(keyOf(cron));
    loop.add(keyOf(cron));
  });
  // A cron workflow is validated with the templates that it refers to: their change may make it valid or not.
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
      // The other kinds go on where cron workflows may not be read, or the cluster does not know them.
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

/** The zone of a name; UTC where the machine's is not known. */
function zoneOf(name: string): GoZone {
  try {
    return GoZone.load(name);
  } catch (error) {
    if (!(error instanceof ZoneError)) throw error;
    return GoZone.UTC;
  }
}
