/** The local cluster: an embedded cluster and its controller in this process. */
import { pause, systemClock } from "@tiphys/base/clock";
import { ALLOW_ALL } from "@tiphys/base/net";
import {
  type ControllerConfig,
  type ControllerOptions,
  defaultConfig,
  lineLog,
  readEnvironment,
} from "../../controller/mod.ts";
import {
  CrashGuard,
  findRunning,
  type RuntimeName,
  RUNTIMES,
  startEmbeddedCluster,
  StoreInUse,
} from "../../local/mod.ts";
import type { EngineConfig } from "@tiphys/engine";
import { ClusterService } from "@tiphys/service";
import { logDeletionHook } from "@tiphys/service/log_removal";
import { badInput, CommandError } from "../command_error.ts";
import { connectRunning, DEFAULT_NAMESPACE, secretsOf } from "./connect.ts";
import { EmbeddedArchive, storePersistence } from "./embedded_archive.ts";
import { storeSynchronization } from "./embedded_locks.ts";
import { cacheDir } from "./data_dir.ts";
import { standInPolicy } from "./stand_in_policy.ts";
import { LocalTelemetry } from "./local_telemetry.ts";
import { findPage, type LocalPageRunning, startLocalPage } from "./local_page.ts";
import { readSettings, type SettingsBase } from "./local_cluster_settings.ts";
import type { LocalCluster, LocalClusterOptions } from "../world.ts";

/**
 * Starts the embedded cluster and its controller, or connects to the one that already uses the data folder.
 * @throws when another process uses the data folder and `joins` is false, or when this machine cannot run containers.
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const { dataDir, log, verbose, runtime, standIn, onNotice, allowHostPath, tls, port, settings, artifactBytes } =
    options;
  const settingsIn = settings === undefined ? undefined : await readSettingsFile(settings);
  const telemetry = new LocalTelemetry((name) => Deno.env.get(name));
  const cache = cacheDir((name) => Deno.env.get(name));
  await makeFolder(dataDir, 0o700, "set another data folder with --data");
  await makeFolder(cache, 0o700, "set another cache folder with XDG_CACHE_HOME");
  const running = await findRunning(dataDir);
  if (running && options.joins) return await joinCluster(dataDir);
  if (running) {
    throw new CommandError(
      `Another tiphys (process ${running.pid}) uses ${dataDir}: set another data folder with --data, ` +
        `or submit the workflow to it with  tiphys submit --data ${dataDir}`,
    );
  }
  const cluster = await startEmbeddedCluster({
    dataDir,
    cacheDir: cache,
    ...(runtime !== undefined && { runtime: runtimeNamed(runtime) }),
    standIn: await standInPolicy(dataDir, standIn, options.askStandIn),
    attempts: options.attempts,
    ...(allowHostPath !== undefined && { allowHostPath }),
    ...(artifactBytes !== undefined && { artifactBytes }),
    artifactRepository: settingsIn?.({ executorImage: "" }).engine.artifactRepository,
    ...(tls !== undefined && { tls }),
    ...(port !== undefined && { port }),
    onNotice,
    onError: (what, error) => log(`could not ${what}: ${error instanceof Error ? error.message : String(error)}`),
  }).catch((error) => {
    // Another process is starting with the same folder, and has not announced its address yet.
    if (error instanceof StoreInUse && options.joins) return undefined;
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new CommandError(`Another program listens on port ${port}: set another port with --port, or unset it`);
  });
  if (!cluster) return await joinCluster(dataDir);
  let page: LocalPageRunning | undefined;
  let guard: CrashGuard | undefined;
  const archive = new EmbeddedArchive(dataDir, secretsOf(cluster.client));
  const offloaded = archive.nodes;
  try {
    const passes = guard = new CrashGuard({ dataDir, onNotice });
    const base = {
      executorImage: cluster.executorImage,
      environment: readEnvironment((name) => Deno.env.get(name)),
      archives: true,
      traces: telemetry.traces,
    };
    const { engine, instanceId: named, limits, podRate, retention, limitSettings, settings: fields, ...databases } =
      settingsIn?.(base) ??
        defaultConfig(base);
    const instanceId = options.instanceId || named || undefined;
    const { persistence: own, synchronization } = databases;
    const locks = await storeSynchronization(dataDir, synchronization);
    const persistence = await storePersistence(dataDir, own);
    const { artifactCache } = engine.executor;
    const isPlaced = artifactCache?.hostPath !== undefined || artifactCache?.claimName !== undefined;
    const executor = {
      ...engine.executor,
      image: cluster.executorImage,
      instanceId,
      nodeKnowsImages: cluster.runtime !== "host",
      ...(artifactCache && !isPlaced && { artifactCache: { ...artifactCache, hostPath: cluster.artifactCacheFolder } }),
    };
    // Every call of `config` returns the same object: a new one would make the controller reconcile every workflow.
    const isAlways = base.environment.ALWAYS_OFFLOAD_NODE_STATUS;
    const { artifactRepository } = cluster;
    const removal = logDeletionHook(cluster.client, () => Promise.resolve({ repository: artifactRepository }));
    const config: EngineConfig = {
      ...engine,
      executor,
      restartsPodsAfterShutdown: true,
      ...(persistence.archive && { archived: persistence.archiveLabelSelector ?? {} }),
      ...(persistence.nodeStatusOffLoad && { offload: isAlways ? "always" as const : "large" as const }),
      ...(artifactRepository && { artifactRepository }),
    };
    const controllerOptions: ControllerOptions = {
      client: cluster.client,
      guard: passes,
      ...(instanceId ? { instanceId } : {}),
      config: () => config,
      limits: () => limits,
      podRate: () => podRate,
      retention: () => retention,
      limitSettings: () => limitSettings,
      lockDatabase: {
        async open(settings, world) {
          const { OpenLockDatabase } = await import("@tiphys/storage/lock_database");
          return await OpenLockDatabase.open(settings, world);
        },
        settings: () => locks,
        ownNamespace: DEFAULT_NAMESPACE,
        opensAtStart: false,
      },
      archive: {
        async open(settings, world) {
          const { OpenArchive } = await import("@tiphys/storage/archive");
          return await OpenArchive.open(settings, { ...world, beforeDelete: removal });
        },
        settings: () => persistence,
        ownNamespace: DEFAULT_NAMESPACE,
        workers: ARCHIVE_WORKERS,
        collectEveryMillis: base.environment.ARCHIVED_WORKFLOW_GC_PERIOD,
        estimateWithinMillis: base.environment.WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS * 1000,
        offload: {
          collectEveryMillis: base.environment.WORKFLOW_GC_PERIOD,
          youngMillis: base.environment.OFFLOAD_NODE_STATUS_TTL,
        },
      },
      log: lineLog({ level: verbose ? "debug" : "error", format: "text", write: log }),
    };
    const controller = await telemetry.startController(controllerOptions, log, fields.metricsConfig);
    if (options.page) {
      page = await startLocalPage({
        ...options.page,
        dataDir,
        cacheDir: cache,
        transport: cluster.transport,
        offloaded,
        instanceId,
        store: cluster.artifactRepository?.s3?.endpoint,
        log,
      });
    }
    const served = page;
    return {
      service: new ClusterService(cluster.client, undefined, { offloaded, instanceId, reach: ALLOW_ALL }),
      runtime: cluster.runtime,
      ...(served ? { page: served } : {}),
      async close() {
        // Exit in bounded time: the next start recovers state that was not written.
        if (served) await waitForClose(served.close());
        await telemetry.waitForLastPods();
        await waitForClose(controller.close());
        await waitForClose(telemetry.close());
        await archive.close();
        await waitForClose(cluster.close());
        passes.close();
      },
    };
  } catch (error) {
    await page?.close();
    await telemetry.close();
    await archive.close();
    await cluster.close();
    guard?.close();
    throw error;
  }
}

/** SQLite allows one writer at a time, so more workers do not help. */
const ARCHIVE_WORKERS = 2;

/** Maximum time to wait for each component to close. */
const CLOSED_WITHIN_MS = 20_000;

async function waitForClose(ending: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, CLOSED_WITHIN_MS));
  await Promise.race([ending, late]).finally(() => clearTimeout(timer));
}

/**
 * Reads and validates a settings file before anything starts. Returns a function that applies it to a base.
 * @throws {CommandError} for an invalid file.
 */
async function readSettingsFile(path: string): Promise<(base: SettingsBase) => ControllerConfig> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw badInput(`${path} cannot be read: ${(error as Error).message}`);
  }
  const read = (base: SettingsBase) => readSettings(text, path, base);
  read({ executorImage: "" });
  return read;
}

/** Timeout of waiting for a cluster that another process starts, and interval between checks, in milliseconds. */
const JOIN_MILLIS = 15_000;
const JOIN_PAUSE_MILLIS = 100;

/**
 * Connects to the cluster that another process runs or starts with a data folder.
 * @throws {CommandError} if it does not start in time.
 */
async function joinCluster(dataDir: string): Promise<LocalCluster> {
  let connection = await connectRunning(dataDir, DEFAULT_NAMESPACE);
  for (const since = Date.now(); !connection && Date.now() - since < JOIN_MILLIS;) {
    await pause(systemClock, JOIN_PAUSE_MILLIS);
    connection = await connectRunning(dataDir, DEFAULT_NAMESPACE);
  }
  if (!connection) throw new CommandError(`Another process uses ${dataDir}: set another data folder with --data`);
  const page = await findPage(dataDir);
  return {
    service: connection.service,
    runtime: "joined",
    joined: connection.pid,
    ...(page ? { page } : {}),
    close: async () => await connection.close(),
  };
}

function runtimeNamed(name: string): RuntimeName {
  const found = RUNTIMES.find((runtime) => runtime === name);
  if (!found) throw badInput(`--runtime ${JSON.stringify(name)}: expected one of ${RUNTIMES.join(", ")}`);
  return found;
}

/** Creates a folder. @throws {CommandError} with the advice `instead` if it cannot be created or is not writable. */
async function makeFolder(path: string, mode: number, instead: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode });
    await Deno.remove(await Deno.makeTempFile({ dir: path }));
  } catch (error) {
    throw new CommandError(`${path} cannot be used: ${error instanceof Error ? error.message : error}; ${instead}`);
  }
}
