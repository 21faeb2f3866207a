/**
 * The controller's program: reads flags, connects, and runs until it is told to stop. With `--release-pod-finalizers` it
 * lets all pods go instead and ends: for the time when no controller will be there.
 */
import type { ConfigMap } from "../lib/api/mod.ts";
import {
  CONFIGMAPS,
  connectTransport,
  inClusterNamespace,
  isInCluster,
  KubeClient,
  type RateLimit,
  sortError,
} from "../lib/kube/mod.ts";
import { ClusterLayout } from "./config/cluster_layout.ts";
import { type ConfigBase, type ControllerConfig, defaultConfig, parseControllerConfig } from "./config/config.ts";
import { watchConfig } from "./config/watch.ts";
import { runElected } from "./election.ts";
import { type Flags, helpText, readFlags } from "./flags.ts";
import { lineLog, type Log } from "./log.ts";
import { startController } from "./mod.ts";
import { releaseAllPods } from "./orphans/release_all.ts";
import { VERSION } from "../lib/version.ts";

type Settings = Flags & { readonly namespace: string };

async function main(): Promise<void> {
  const read = readFlags(Deno.args, (name) => Deno.env.get(name));
  if (read === "help") return console.log(helpText());
  if (read === "version") return console.log(`workflow-controller: v${VERSION}`);
  const flags = { ...read, namespace: read.namespace ?? (isInCluster() ? await inClusterNamespace() : "argo") };
  const log = lineLog({ level: flags.loglevel, format: flags.logFormat, write: (line) => console.error(line) });
  if (flags.ignored.length) log.warn("Flags without effect in this version", { flags: flags.ignored.join(" ") });
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(name, () => stop.abort(new DOMException(`Stopped by ${name}`, "AbortError")));
  }
  const client = new KubeClient(await connectTransport({ kubeconfig: flags.kubeconfig, context: flags.context }), {
    rate: rateOf(flags),
  });
  const base: ConfigBase = {
    executorImage: flags.executorImage ?? `docker.io/tiphys/argoexec:v${VERSION}`,
    executorImagePullPolicy: flags.executorImagePullPolicy,
  };
  const config = await readConfig(client, flags, base);
  warnOfIgnored(config, log);
  const scope = {
    namespace: flags.namespaced ? flags.managedNamespace ?? flags.namespace : undefined,
    instanceId: config.instanceId,
  };
  if (flags.releasePodFinalizers) {
    log.info("Pods were let go", { pods: await releaseAllPods(client, scope) });
    return;
  }
  const program: Program = { client, flags, base, config, scope, log };
  const health = serveHealth(program);
  const env = (name: string) => Deno.env.get(name);
  await runElected(
    { client, namespace: flags.namespace, instanceId: config.instanceId, log, env, identity: ownIdentity },
    (signal) => work(program, signal),
    stop.signal,
  );
  await health.shutdown();
}

/** What the program is made of, once it is connected. */
interface Program {
  readonly client: KubeClient;
  readonly flags: Settings;
  readonly base: ConfigBase;
  readonly config: ControllerConfig;
  readonly scope: { readonly namespace?: string; readonly instanceId?: string };
  readonly log: Log;
}

/** Runs the controller until the signal is aborted. */
async function work({ client, flags, base, config: first, scope, log }: Program, signal: AbortSignal): Promise<void> {
  const { namespace } = flags;
  const layout = new ClusterLayout({ client, namespace, log, signal });
  let config = first;
  await layout.settle(config);
  const controller = await startController({
    client,
    log,
    ...scope,
    workers: flags.workflowWorkers,
    config: () => layout.applyTo(config.engine),
    limits: () => config.limits,
  }, signal);
  await watchConfig({ client, namespace, name: flags.configmap, log, signal }, async (configMap) => {
    const next = parseControllerConfig(configMap, base);
    await layout.settle(next);
    config = next;
    warnOfIgnored(config, log);
    controller.settingsChanged();
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  log.info("Stopping");
  await controller.close();
}

function warnOfIgnored({ ignored }: ControllerConfig, log: Log): void {
  if (ignored.length) log.warn("Settings without effect in this version", { fields: ignored.join(", ") });
}

function serveHealth({ flags }: Program): Deno.HttpServer {
  return Deno.serve({ port: flags.healthPort, onListen: () => {} }, (request) => {
    const found = new URL(request.url).pathname === "/healthz";
    return new Response(found ? "ok\n" : "not found\n", { status: found ? 200 : 404 });
  });
}

/** No two processes have the same, wherever they run. */
function ownIdentity(): string {
  return `${Deno.hostname()}_${crypto.randomUUID()}`;
}

/** A fixed rate only where it is asked for: without one the client goes by what the API server can take. */
function rateOf({ qps, burst }: Settings): RateLimit | undefined {
  if (qps === undefined) return undefined;
  return { qps, burst: burst ?? Math.max(1, Math.floor(qps)) };
}

async function readConfig(client: KubeClient, flags: Settings, base: ConfigBase): Promise<ControllerConfig> {
  try {
    return parseControllerConfig(await client.get<ConfigMap>(CONFIGMAPS, flags.namespace, flags.configmap), base);
  } catch (error) {
    if (sortError(error) === "notFound") return defaultConfig(base);
    throw error;
  }
}

main().then(() => Deno.exit(0), (error) => {
  console.error(`workflow-controller: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exit(1);
});
