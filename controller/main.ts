/**
 * The controller's program: reads flags, connects, and runs until it is told to stop. With `--release-pod-finalizers` it
 * lets all pods go instead and ends: for the time when no controller will be there.
 */
import { parseArgs } from "node:util";
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
import { type Level, lineLog, type Log } from "./log.ts";
import { startController } from "./mod.ts";
import { releaseAllPods } from "./orphans/release_all.ts";
import { VERSION } from "../lib/version.ts";

const OPTIONS = {
  "kubeconfig": { type: "string" },
  "context": { type: "string" },
  "namespace": { type: "string", short: "n" },
  "namespaced": { type: "boolean" },
  "managed-namespace": { type: "string" },
  "configmap": { type: "string", default: "workflow-controller-configmap" },
  "executor-image": { type: "string" },
  "executor-image-pull-policy": { type: "string" },
  "qps": { type: "string" },
  "burst": { type: "string" },
  "workflow-workers": { type: "string", default: "32" },
  "loglevel": { type: "string", default: "info" },
  "log-format": { type: "string", default: "text" },
  "health-port": { type: "string", default: "6060" },
  "release-pod-finalizers": { type: "boolean" },
} as const;

type Flags = Awaited<ReturnType<typeof readFlags>>;

/** Flags, each of which may also come from the environment as ARGO_<NAME>. */
async function readFlags(args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const fromEnv = (name: string) => Deno.env.get(`ARGO_${name.toUpperCase().replaceAll("-", "_")}`) || undefined;
  return {
    ...values,
    namespace: values.namespace ?? fromEnv("namespace") ?? (isInCluster() ? await inClusterNamespace() : "argo"),
    executorImage: values["executor-image"] ?? fromEnv("executor-image"),
    loglevel: values.loglevel as Level,
  };
}

async function main(): Promise<void> {
  const flags = await readFlags(Deno.args);
  const log = lineLog({
    level: flags.loglevel,
    format: flags["log-format"] === "json" ? "json" : "text",
    write: (line) => console.error(line),
  });
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(name, () => stop.abort(new DOMException(`Stopped by ${name}`, "AbortError")));
  }
  const client = new KubeClient(await connectTransport({ kubeconfig: flags.kubeconfig, context: flags.context }), {
    rate: rateOf(flags),
  });
  const base: ConfigBase = {
    executorImage: flags.executorImage ?? `docker.io/tiphys/argoexec:v${VERSION}`,
    executorImagePullPolicy: flags["executor-image-pull-policy"],
  };
  const config = await readConfig(client, flags, base);
  warnOfIgnored(config, log);
  const scope = {
    namespace: flags.namespaced ? flags["managed-namespace"] ?? flags.namespace : undefined,
    instanceId: config.instanceId,
  };
  if (flags["release-pod-finalizers"]) {
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
  readonly flags: Flags;
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
    workers: Number(flags["workflow-workers"]),
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
  return Deno.serve({ port: Number(flags["health-port"]), onListen: () => {} }, (request) => {
    const found = new URL(request.url).pathname === "/healthz";
    return new Response(found ? "ok\n" : "not found\n", { status: found ? 200 : 404 });
  });
}

/** No two processes have the same, wherever they run. */
function ownIdentity(): string {
  return `${Deno.hostname()}_${crypto.randomUUID()}`;
}

/** A fixed rate only where it is asked for: without one the client goes by what the API server can take. */
function rateOf({ qps, burst }: Flags): RateLimit | undefined {
  if (qps === undefined) return undefined;
  return { qps: Number(qps), burst: Number(burst ?? qps) };
}

async function readConfig(client: KubeClient, flags: Flags, base: ConfigBase): Promise<ControllerConfig> {
  try {
    return parseControllerConfig(await client.get<ConfigMap>(CONFIGMAPS, flags.namespace, flags.configmap), base);
  } catch (error) {
    if (sortError(error) === "notFound") return defaultConfig(base);
    throw error;
  }
}

try {
  await main();
} catch (error) {
  console.error(`workflow-controller: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exit(1);
}
Deno.exit(0);
