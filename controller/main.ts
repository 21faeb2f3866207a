/**
 * The controller's program: parses flags, connects, and runs until it is stopped. With `--release-pod-finalizers`, it
 * removes the finalizers of all pods and exits, to prepare an uninstallation.
 */
import { KubeClient } from "@tiphys/kube";
import { connectTransport, inClusterNamespace, isInCluster, type RateLimit } from "@tiphys/kube/connections";
import { VERSION } from "@tiphys/base/version";
import type { ConfigBase } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import { unusedVariables } from "./config/unused_variables.ts";
import { Telemetry } from "./telemetry/exporter.ts";
import { telemetryTargets } from "./telemetry/targets.ts";
import { Health } from "./health.ts";
import { serveHealth } from "./health_server.ts";
import { serveIfAvailable } from "@tiphys/base/net/own_port";
import { addressPolicyOf } from "@tiphys/base/net/reach";
import { startController } from "./start.ts";
import { type Flags, helpText, managedNamespace, readFlags } from "./flags.ts";
import { lineLog } from "@tiphys/base/log";
import type { MetricRegistry } from "@tiphys/base/metrics";
import { metricsAsSet, serveAsSet } from "./metrics/metrics_server.ts";
import { countingLog, countingTransport, waitObserver } from "./metrics/own_metrics.ts";
import { releaseAllPods } from "./workflow/orphans/release_all.ts";
import { type ProgramOptions, readSettings, runProgram } from "./program.ts";

type Settings = Flags & { readonly namespace: string };

async function main(): Promise<void> {
  const born = Date.now();
  const read = readFlags(Deno.args, (name) => Deno.env.get(name));
  if (read === "help") return console.log(helpText());
  if (read === "version") return console.log(`workflow-controller: v${VERSION}`);
  const environment = readEnvironment((name) => Deno.env.get(name));
  const flags = { ...read, namespace: read.namespace ?? (isInCluster() ? await inClusterNamespace() : "argo") };
  const log = lineLog({ level: flags.loglevel, format: flags.logFormat, write: (line) => console.error(line) });
  if (flags.ignored.length) log.warn("Flags without effect in this version", { flags: flags.ignored.join(" ") });
  const unused = unusedVariables((name) => Deno.env.get(name));
  if (unused.length) log.warn("Variables without effect in this version", { variables: unused.join(" ") });
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(name, () => stop.abort(new DOMException(`Stopped by ${name}`, "AbortError")));
  }
  let metrics = undefined as MetricRegistry | undefined;
  const transport = await connectTransport({ kubeconfig: flags.kubeconfig, context: flags.context });
  const client = new KubeClient(countingTransport(transport, () => metrics), {
    rate: rateOf(flags),
    onWaited: waitObserver(() => metrics),
    transientPattern: environment.TRANSIENT_ERROR_PATTERN,
  });
  const targets = telemetryTargets((name) => Deno.env.get(name));
  const base: ConfigBase = {
    executorImage: flags.executorImage ?? `docker.io/tiphys/argoexec:v${VERSION}`,
    executorImagePullPolicy: flags.executorImagePullPolicy,
    logLevel: flags.loglevel,
    namespace: flags.namespace,
    looksUpImages: true,
    archives: true,
    traces: targets.traces !== undefined,
    executorPlugins: flags.executorPlugins,
    workflowPlugins: flags.workflowLevelExecutorPlugins,
    environment,
  };
  const health = new Health();
  health.start(stop.signal);
  const onPaused = (reason: string | undefined) => health.setPauseReason(reason);
  const { namespace, configmap } = flags;
  const program: ProgramOptions = { client, namespace, configmap, base, log, onPaused };
  // Before the settings are read: they may be invalid until the administrator fixes them, and a restart would not help.
  const { healthPort: port } = flags;
  const healthServer = flags.releasePodFinalizers
    ? undefined
    : serveIfAvailable({ what: "The health endpoint", port, setting: "--health-port", log }, () =>
      serveHealth(health, port));
  const config = await readSettings(program, stop.signal);
  const worksIn = managedNamespace(flags, config.settings.namespace);
  if (flags.releasePodFinalizers) {
    const pods = await releaseAllPods(client, { namespace: worksIn, instanceId: config.instanceId });
    log.info("Removed the finalizers of all pods", { pods });
    return;
  }
  const { metricsConfig } = config.settings;
  metrics = metricsAsSet(metricsConfig, log, {
    count: environment.OPERATION_DURATION_METRIC_BUCKET_COUNT,
    lastMillis: environment.MAX_OPERATION_TIME,
  });
  serveAsSet(metrics, metricsConfig, log, stop.signal);
  const telemetry = new Telemetry({
    targets,
    registry: metrics,
    temporality: metricsConfig?.temporality,
    log,
    version: VERSION,
  });
  await runProgram(
    {
      ...program,
      log: countingLog(log, metrics),
      metrics,
      config,
      managedNamespace: worksIn,
      workers: flags.workflowWorkers,
      cronWorkers: flags.cronWorkflowWorkers,
      archiveWorkers: flags.workflowArchiveWorkers,
      identity: ownIdentity,
      onEnded: (workflow) => telemetry.workflowEnded(workflow),
      onWork: targets.traces && ((work) => telemetry.queueWorkSpan(work)),
      async openArchive(settings, world) {
        const { OpenArchive } = await import("@tiphys/storage/archive");
        return await OpenArchive.open(settings, world);
      },
      async openLocks(settings, world) {
        const { OpenLockDatabase } = await import("@tiphys/storage/lock_database");
        return await OpenLockDatabase.open(settings, world);
      },
      async fetchImageCommand(reference, secrets) {
        const { fetchImageCommand } = await import("@tiphys/registry/image_command");
        return await fetchImageCommand(reference, secrets, addressPolicyOf((name) => Deno.env.get(name)));
      },
      async start(options, signal, won = born) {
        const synced = Date.now();
        const controller = await startController(options, signal);
        telemetry.controllerStarted({ began: won, synced, ended: Date.now() });
        health.watch(controller);
        return controller;
      },
    },
    stop.signal,
  );
  await telemetry.close();
  await healthServer?.shutdown();
}

/** A name of this process that is unique among all processes. */
function ownIdentity(): string {
  return `${Deno.hostname()}_${crypto.randomUUID()}`;
}

/** A fixed rate if one is set. Otherwise, the client adapts to the capacity of the API server. */
function rateOf({ qps, burst }: Settings): RateLimit | undefined {
  if (qps === undefined) return undefined;
  return { qps, burst: burst ?? Math.max(1, Math.floor(qps)) };
}

main().then(() => Deno.exit(0), (error) => {
  console.error(`workflow-controller: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exit(1);
});
