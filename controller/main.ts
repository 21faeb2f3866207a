/** The controller's program: reads flags, connects, and runs until it is told to stop. */
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
import { type ConfigBase, type ControllerConfig, defaultConfig, parseControllerConfig } from "./config/config.ts";
import { probeLayout } from "./config/layout.ts";
import { watchConfig } from "./config/watch.ts";
import { type Level, lineLog } from "./log.ts";
import { startController } from "./mod.ts";
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
  let config = await withLayout(client, flags, await readConfig(client, flags, base), log);
  await watchConfig(
    { client, namespace: flags.namespace, name: flags.configmap, log, signal: stop.signal },
    async (configMap) => {
      config = await withLayout(client, flags, parseControllerConfig(configMap, base), log);
    },
  );
  const controller = await startController({
    client,
    log,
    namespace: flags.namespaced ? flags["managed-namespace"] ?? flags.namespace : undefined,
    instanceId: config.instanceId,
    workers: Number(flags["workflow-workers"]),
    config: () => config.engine,
  }, stop.signal);
  const health = Deno.serve({ port: Number(flags["health-port"]), onListen: () => {} }, (request) => {
    const found = new URL(request.url).pathname === "/healthz";
    return new Response(found ? "ok\n" : "not found\n", { status: found ? 200 : 404 });
  });
  await new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
  log.info("Stopping");
  await controller.close();
  await health.shutdown();
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

async function withLayout(
  client: KubeClient,
  flags: Flags,
  config: ControllerConfig,
  log: ReturnType<typeof lineLog>,
): Promise<ControllerConfig> {
  const answer = config.layout === "auto"
    ? await probeLayout(client, flags.namespace, config.engine.executor.image)
    : { layout: config.layout, reason: "initlessPod.enabled says so" };
  log.info("Pod layout", { layout: answer.layout, reason: answer.reason });
  return { ...config, engine: { ...config.engine, executor: { ...config.engine.executor, layout: answer.layout } } };
}

try {
  await main();
} catch (error) {
  console.error(`workflow-controller: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exit(1);
}
Deno.exit(0);
