/** Starts Argo's own server on an embedded API, if its program is available. */
import { CONFIGMAPS } from "@tiphys/kube";
import type { ApiServer } from "../../local/api/mod.ts";
import { awaitFact } from "../await_fact.ts";

/** Path of Argo's program, which contains its CLI and its server; undefined if ARGO_CLI is not set. */
export const ARGO_PROGRAM = Deno.env.get("ARGO_CLI");

/** The namespace of the server and its settings. */
export const ARGO_HOME = "argo";

/** A running server. Disposing it stops it. */
export interface ArgoServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of the administrator of the embedded API. */
  readonly token: string;
}

/** The auth mode of the server, and its settings. */
export interface ArgoServerOptions {
  readonly authMode: "server" | "client" | "sso";
  /** Fields of `workflow-controller-configmap`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts Argo's server. Resolves when it responds. */
export function startArgoServer(api: ApiServer, options: ArgoServerOptions): Promise<ArgoServer> {
  return startServer(api, options, [ARGO_PROGRAM ?? "", "server", "--loglevel=warn"]);
}

/** Starts our server like Argo's, on an embedded API. */
export function startOurServer(api: ApiServer, options: ArgoServerOptions): Promise<ArgoServer> {
  const main = new URL("../../server/main.ts", import.meta.url).pathname;
  return startServer(api, options, [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    main,
    "server",
    "--address=127.0.0.1",
    "--loglevel=warn",
  ]);
}

async function startServer(
  api: ApiServer,
  { authMode, settings = {} }: ArgoServerOptions,
  [program = "", ...words]: readonly string[],
): Promise<ArgoServer> {
  await using opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const served = await api.serve(0, { tls: true });
  opened.defer(() => served.close());
  await api.client().create(CONFIGMAPS, ARGO_HOME, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap" },
    data: settings,
  });
  await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(served));
  const port = freePort();
  const child = new Deno.Command(program, {
    args: [...words, "-n", ARGO_HOME, "--secure=false", `--auth-mode=${authMode}`, `--port=${port}`],
    env: { KUBECONFIG: `${folder}/kubeconfig`, HOME: folder, PATH: "/usr/bin:/bin", DENO_DIR },
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  opened.defer(async () => {
    child.kill("SIGKILL");
    await child.status;
  });
  const address = `http://127.0.0.1:${port}`;
  // Argo's REST gateway has a connection per service to its gRPC server, and responds with 503 until it is established.
  for (const service of SERVICES) {
    await awaitFact(`the server responds for ${service}`, async () => {
      const response = await fetch(`${address}/api/v1/${service}`);
      await response.body?.cancel();
      return response.status !== 503;
    }, { seconds: 60 });
  }
  const parts = opened.move();
  return { address, token: served.token, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** The folder of Deno's module cache, which a program with an empty environment would not find. */
export const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** A path of each service. */
const SERVICES = [
  "info",
  "workflows/argo",
  "workflow-templates/argo",
  "cluster-workflow-templates",
  "cron-workflows/argo",
  "archived-workflows",
  "workflow-event-bindings/argo",
];

/** A free port of 127.0.0.1. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** The kubeconfig for a served API. */
export function kubeconfigOf(
  { url, token, caCert = "" }: { url: string; token: string; caCert?: string | undefined },
): string {
  const name = "one";
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": btoa(caCert) } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}
