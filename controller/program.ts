/** The controller's program once it is connected: it waits to become the leader, runs, and receives new settings. */
import { type ConfigMap, isProblem } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeClient, sortError } from "@tiphys/kube";
import { ClusterLayout } from "./config/cluster_layout.ts";
import { type ConfigBase, type ControllerConfig, defaultConfig, settleConfig } from "./config/config.ts";
import { USUAL_ENVIRONMENT } from "./config/environment.ts";
import { tellProblems } from "./config/tell_problems.ts";
import { configChanged, watchConfig } from "./config/watch.ts";
import { runElected, type Work } from "./election.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Log } from "@tiphys/base/log";
import { type Controller, type ControllerOptions, startController } from "./start.ts";
import { readConfigMap } from "./workflow/observe/readers.ts";
import type { OpenArchive } from "./workflow/archive/archive_access.ts";
import type { LockDatabaseOptions } from "./workflow/sync/database_locks.ts";
import { persist } from "./loop/persist.ts";

/** The ConfigMap that the program reads its settings from, and what they are completed with. */
export interface ProgramOptions {
  readonly client: KubeClient;
  /** The namespace of its ConfigMap and its Lease. */
  readonly namespace: string;
  /** The name of its ConfigMap; settings are the defaults where there is none. */
  readonly configmap: string;
  readonly base: ConfigBase;
  readonly log: Log;
  /** Hears why no workflow is worked until the ConfigMap is mended, and of undefined when that is over. */
  readonly onHeld?: (reason: string | undefined) => void;
  /** The clock. */
  readonly now?: () => Date;
}

/** The settings to start with, and the parts of a controller that no ConfigMap can name. */
export interface RunOptions extends ProgramOptions {
  /** The settings that it starts with. */
  readonly config: ControllerConfig;
  /** Workflows of this namespace only; of all where it is absent. */
  readonly managedNamespace?: string | undefined;
  readonly workers?: number | undefined;
  readonly cronWorkers?: number | undefined;
  /** Workflows archived at a time. */
  readonly archiveWorkers?: number | undefined;
  /** A function that is told of each workflow that is over. */
  readonly onEnded?: ControllerOptions["onEnded"];
  /** A function that is told of the work that is done for workflows. */
  readonly onWork?: ControllerOptions["onWork"];
  /** Opens the archive of workflows where the settings name one; without it nothing is archived. */
  readonly openArchive?: OpenArchive | undefined;
  /** Opens the database of locks where the settings name one; without it nobody has such a lock. */
  readonly openLocks?: LockDatabaseOptions["open"] | undefined;
  /** Asks registries for the commands of images. */
  readonly fetchImageCommand?: ControllerOptions["fetchImageCommand"];
  /** The registry in which everything is counted. */
  readonly metrics?: MetricRegistry | undefined;
  /** Makes the name of this process where the environment gives none: no two processes may have the same. */
  readonly identity: () => string;
  /** Starts the controller; given by callers that want to hold it or start it otherwise. */
  readonly start?: Start;
}

/**
 * Starts a controller. `won` is the time at which the lease was won, milliseconds since 1970; undefined where there is no
 * election.
 */
export type Start = (options: ControllerOptions, signal: AbortSignal, won: number | undefined) => Promise<Controller>;

/**
 * The settings as the ConfigMap says, asked for until they can be read; while something is wrong with them without which it
 * would not be safe to work, its mending is waited for.
 * @throws the signal's reason.
 */
export async function readSettings(options: ProgramOptions, signal: AbortSignal): Promise<ControllerConfig> {
  const { client, namespace, configmap, base, log } = options;
  for (;;) {
    const configMap = await currentConfigMap(options, signal);
    const config = configMap ? await settled(options, configMap) : defaultConfig(base);
    if (config) return config;
    const watch = { client, namespace, name: configmap, log, signal };
    await configChanged(watch, configMap?.metadata.resourceVersion);
  }
}

/** The settings of a ConfigMap, told of; undefined where there are none to work with. */
async function settled(
  { client, base, log, onHeld, now = () => new Date() }: ProgramOptions,
  configMap: ConfigMap,
  before?: ControllerConfig,
): Promise<ControllerConfig | undefined> {
  const { config, heldBecause, problems } = settleConfig(configMap, base, before);
  onHeld?.(heldBecause);
  await tellProblems({ client, log, now }, configMap, problems);
  if (config?.ignored.length) {
    log.warn("Settings without effect in this version", { fields: config.ignored.join(", ") });
  }
  return config;
}

/** The ConfigMap as it is now, asked for until it can be read; undefined where there is none. */
async function currentConfigMap(options: ProgramOptions, signal: AbortSignal): Promise<ConfigMap | undefined> {
  const { client, namespace, configmap, log } = options;
  return await persist(async () => {
    try {
      const found = readConfigMap(await client.get(CONFIGMAPS, namespace, configmap));
      if (isProblem(found)) throw new Error(found.message);
      return found;
    } catch (error) {
      if (sortError(error) === "notFound") return undefined;
      throw error;
    }
  }, { what: "read the controller's ConfigMap", log, signal });
}

/**
 * Runs until the signal is aborted.
 * @throws {Error} when the lease was lost: what was begun under it must end with the process.
 */
export async function runProgram(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, config: { instanceId }, log, base: { environment = USUAL_ENVIRONMENT }, identity } =
    options;
  await runElected(
    { client, namespace, instanceId, log, environment, identity },
    (leading, lead) => work(options, lead, leading),
    signal,
  );
}

/** Works under its lease until the signal is aborted: with the lease's client, in the lease's epoch. */
async function work(options: RunOptions, { client, epoch }: Work, signal: AbortSignal): Promise<void> {
  const { namespace, configmap, log, start = startController, base: { environment = USUAL_ENVIRONMENT } } = options;
  const { now = () => new Date() } = options;
  const won = epoch === undefined ? undefined : now().getTime();
  const program = { ...options, client };
  const layout = new ClusterLayout({ client, namespace, log, signal });
  let { config } = options;
  // Its turn may have come long after the settings were read.
  const configMap = await currentConfigMap(program, signal);
  if (configMap && configMap.metadata.resourceVersion !== config.version) {
    config = await settled(program, configMap, config) ?? config;
  }
  await persist(() => layout.settle(config), { what: "find out which layout pods get", log, signal });
  const controller = await start(
    {
      client,
      epoch,
      log,
      namespace: options.managedNamespace,
      instanceId: config.instanceId,
      workers: options.workers,
      cronWorkers: options.cronWorkers,
      metrics: options.metrics,
      config: () => layout.applyTo(config.engine),
      limits: () => config.limits,
      fetchImageCommand: options.fetchImageCommand,
      onEnded: options.onEnded,
      onWork: options.onWork,
      podRate: () => config.podRate,
      retention: () => config.retention,
      limitSettings: () => config.limitSettings,
      lockDatabase: options.openLocks && {
        open: options.openLocks,
        settings: () => config.synchronization,
        ownNamespace: namespace,
        opensAtStart: true,
      },
      archive: options.openArchive && {
        open: options.openArchive,
        settings: () => config.persistence,
        ownNamespace: namespace,
        opensAtStart: true,
        workers: options.archiveWorkers,
        collectEveryMillis: environment.ARCHIVED_WORKFLOW_GC_PERIOD,
        estimateWithinMillis: environment.WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS * 1000,
        offload: {
          collectEveryMillis: environment.WORKFLOW_GC_PERIOD,
          youngMillis: environment.OFFLOAD_NODE_STATUS_TTL,
        },
      },
      isHeld: () => config.heldBecause !== undefined,
      memoLifetime: {
        everyMillis: environment.CACHE_GC_PERIOD,
        afterNotHitMillis: environment.CACHE_GC_AFTER_NOT_HIT_DURATION,
      },
    },
    signal,
    won,
  );
  let newest = config;
  let asking = new AbortController();
  const change = async (configMap: ConfigMap) => {
    asking.abort(new DOMException("The settings changed again", "AbortError"));
    asking = new AbortController();
    const asked = AbortSignal.any([signal, asking.signal]);
    const next = await settled(program, configMap, newest) ?? newest;
    if (asked.aborted) return;
    newest = next;
    // Work is held at once where the settings forbid it: the answer about the layout may take long.
    if (next.heldBecause !== undefined) config = { ...config, heldBecause: next.heldBecause };
    try {
      await persist(() => layout.settle(next), { what: "find out which layout pods get", log, signal: asked });
    } catch (error) {
      if (!asked.aborted) throw error;
    }
    if (asked.aborted) return;
    config = next;
    controller.settingsChanged();
    log.info("Configuration updated");
  };
  await watchConfig({ client, namespace, name: configmap, log, signal }, config.version, (configMap) => {
    change(configMap).catch((error) => {
      log.error("The controller's ConfigMap cannot be used; the old settings stay", { error: String(error) });
    });
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  log.info("Stopping");
  await controller.close();
}
