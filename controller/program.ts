/** The controller's program after it has connected: it waits to become the leader, runs, and applies new settings. */
import { type ConfigMap, isProblem } from "@tiphys/model/api";
import { classifyError, CONFIGMAPS, type KubeClient } from "@tiphys/kube";
import { ClusterLayout } from "./config/cluster_layout.ts";
import { type ConfigBase, configWithFallbacks, type ControllerConfig, defaultConfig } from "./config/config.ts";
import { DEFAULT_ENVIRONMENT } from "./config/environment.ts";
import { reportProblems } from "./config/report_problems.ts";
import { configChanged, watchConfig } from "./config/watch.ts";
import { runElected, type Work } from "./election.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Log } from "@tiphys/base/log";
import { type Controller, type ControllerOptions, startController } from "./start.ts";
import { readConfigMap } from "./workflow/observe/readers.ts";
import type { OpenArchive } from "./workflow/archive/archive_access.ts";
import type { LockDatabaseOptions } from "./workflow/sync/database_locks.ts";
import { retryAtStart } from "./loop/retry_at_start.ts";

/** The ConfigMap with the settings, and the values that complete them. */
export interface ProgramOptions {
  readonly client: KubeClient;
  /** The namespace of its ConfigMap and its Lease. */
  readonly namespace: string;
  /** The name of its ConfigMap. Without this ConfigMap, the defaults apply. */
  readonly configmap: string;
  readonly base: ConfigBase;
  readonly log: Log;
  /**
   * Called with the reason why no workflow is processed until the ConfigMap is fixed, and with undefined when it is.
   */
  readonly onPaused?: (reason: string | undefined) => void;
  /** The clock. */
  readonly now?: () => Date;
}

/** The initial settings, and the parts of a controller that are not in a ConfigMap. */
export interface RunOptions extends ProgramOptions {
  /** The initial settings. */
  readonly config: ControllerConfig;
  /** The namespace of the workflows to process; all of them if absent. */
  readonly managedNamespace?: string | undefined;
  readonly workers?: number | undefined;
  readonly cronWorkers?: number | undefined;
  /** The number of workflows that are archived concurrently. */
  readonly archiveWorkers?: number | undefined;
  /** Called for each workflow that ends. */
  readonly onEnded?: ControllerOptions["onWorkflowEnded"];
  /** Called for each piece of work for a workflow, for traces. */
  readonly onWork?: ControllerOptions["onWork"];
  /** Opens the archive of workflows if one is configured. If absent, nothing is archived. */
  readonly openArchive?: OpenArchive | undefined;
  /** Opens the database of locks if one is configured. If absent, database locks are unavailable. */
  readonly openLocks?: LockDatabaseOptions["open"] | undefined;
  /** Looks up the commands of images in registries. */
  readonly fetchImageCommand?: ControllerOptions["fetchImageCommand"];
  /** The registry of all metrics. */
  readonly metrics?: MetricRegistry | undefined;
  /** Returns the identity of this process if it is not set in the environment. It must be unique. */
  readonly identity: () => string;
  /** Starts the controller; overridden by callers that need access to it. */
  readonly start?: Start;
}

/**
 * Starts a controller. `won` is when the lease was acquired, in milliseconds since 1970; undefined without an election.
 */
export type Start = (options: ControllerOptions, signal: AbortSignal, won: number | undefined) => Promise<Controller>;

/**
 * Reads the settings, retrying until it succeeds. If they are invalid in a way that makes processing unsafe, waits
 * until they are fixed.
 * @throws the reason of the signal.
 */
export async function readSettings(options: ProgramOptions, signal: AbortSignal): Promise<ControllerConfig> {
  const { client, namespace, configmap, base, log } = options;
  for (;;) {
    const configMap = await currentConfigMap(options, signal);
    const config = configMap ? await parseAndReport(options, configMap) : defaultConfig(base);
    if (config) return config;
    const watch = { client, namespace, name: configmap, log, signal };
    await configChanged(watch, configMap?.metadata.resourceVersion);
  }
}

/** Parses the settings of a ConfigMap and reports its problems; undefined if the controller cannot run with it. */
async function parseAndReport(
  { client, base, log, onPaused, now = () => new Date() }: ProgramOptions,
  configMap: ConfigMap,
  before?: ControllerConfig,
): Promise<ControllerConfig | undefined> {
  const { config, pauseReason, problems } = configWithFallbacks(configMap, base, before);
  onPaused?.(pauseReason);
  await reportProblems({ client, log, now }, configMap, problems);
  if (config?.ignored.length) {
    log.warn("Settings without effect in this version", { fields: config.ignored.join(", ") });
  }
  return config;
}

/** Reads the ConfigMap, retrying until it succeeds; undefined if it does not exist. */
async function currentConfigMap(options: ProgramOptions, signal: AbortSignal): Promise<ConfigMap | undefined> {
  const { client, namespace, configmap, log } = options;
  return await retryAtStart(async () => {
    try {
      const found = readConfigMap(await client.get(CONFIGMAPS, namespace, configmap));
      if (isProblem(found)) throw new Error(found.message);
      return found;
    } catch (error) {
      if (classifyError(error) === "notFound") return undefined;
      throw error;
    }
  }, { what: "read the controller's ConfigMap", log, signal });
}

/**
 * Runs until the signal is aborted.
 * @throws {Error} if the lease was lost: work that began under it must end with the process.
 */
export async function runProgram(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, config: { instanceId }, log, base: { environment = DEFAULT_ENVIRONMENT }, identity } =
    options;
  await runElected(
    { client, namespace, instanceId, log, environment, identity },
    (leading, lead) => work(options, lead, leading),
    signal,
  );
}

/** Processes workflows under the lease until the signal is aborted, with the client and the epoch of the lease. */
async function work(options: RunOptions, { client, epoch }: Work, signal: AbortSignal): Promise<void> {
  const { namespace, configmap, log, start = startController, base: { environment = DEFAULT_ENVIRONMENT } } = options;
  const { now = () => new Date() } = options;
  const won = epoch === undefined ? undefined : now().getTime();
  const program = { ...options, client };
  const layout = new ClusterLayout({ client, namespace, log, signal });
  let { config } = options;
  // The settings may have changed while this process waited to become the leader.
  const configMap = await currentConfigMap(program, signal);
  if (configMap && configMap.metadata.resourceVersion !== config.version) {
    config = await parseAndReport(program, configMap, config) ?? config;
  }
  await retryAtStart(() => layout.determine(config), { what: "determine the pod layout", log, signal });
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
      onWorkflowEnded: options.onEnded,
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
      isPaused: () => config.pauseReason !== undefined,
      memoLifetime: {
        everyMillis: environment.CACHE_GC_PERIOD,
        afterNotHitMillis: environment.CACHE_GC_AFTER_NOT_HIT_DURATION,
      },
    },
    signal,
    won,
  );
  let newest = config;
  let probing = new AbortController();
  const change = async (configMap: ConfigMap) => {
    probing.abort(new DOMException("The settings changed again", "AbortError"));
    probing = new AbortController();
    const current = AbortSignal.any([signal, probing.signal]);
    const next = await parseAndReport(program, configMap, newest) ?? newest;
    if (current.aborted) return;
    newest = next;
    // Processing pauses at once if the settings require it, because probing the layout may take long.
    if (next.pauseReason !== undefined) config = { ...config, pauseReason: next.pauseReason };
    try {
      await retryAtStart(() => layout.determine(next), { what: "determine the pod layout", log, signal: current });
    } catch (error) {
      if (!current.aborted) throw error;
    }
    if (current.aborted) return;
    config = next;
    controller.settingsChanged();
    log.info("Configuration updated");
  };
  await watchConfig({ client, namespace, name: configmap, log, signal }, config.version, (configMap) => {
    change(configMap).catch((error) => {
      log.error("The controller's ConfigMap cannot be used; the previous settings remain in effect", {
        error: String(error),
      });
    });
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  log.info("Stopping");
  await controller.close();
}
