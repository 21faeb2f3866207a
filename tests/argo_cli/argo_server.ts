/** Argo's own server over an embedded API, where a machine has its program. */
import { CONFIGMAPS } from "@tiphys/kube";
import type { ApiServer } from "../../local/api/mod.ts";
import { awaitFact } from "../await_fact.ts";

/** Argo's program, which is its CLI and its server; undefined where nobody names one. */
export const ARGO_PROGRAM = Deno.env.get("ARGO_CLI");

/** The namespace that the server and its settings are in. */
export const ARGO_HOME = "argo";

/** The server, until it is disposed. */
export interface ArgoServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of the administrator of the embedded API. */
  readonly token: string;
}

/** The way in which the server lets people in, and its settings. */
export interface ArgoServerOptions {
  readonly authMode: "server" | "client" | "sso";
  /** Fields of `workflow-controller-configmap`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts Argo's program as a server; resolves when it answers. */
export function startArgoServer(api: ApiServer, options: ArgoServerOptions): Promise<ArgoServer> {
  return startServer(api, options, [ARGO_PROGRAM ?? "", "server", "--loglevel=warn"]);
}

/** Starts our server as Argo's is started, over the same kind of API. */
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
  // Its REST side has a connection for each service to the gRPC side behind it, and says 503 while that one is not there.
  for (const service of SERVICES) {
    await awaitFact(`the server answers ${service}`, async () => {
      const response = await fetch(`${address}/api/v1/${service}`);
      await response.body?.cancel();
      return response.status !== 503;
    }, { seconds: 60 });
  }
  const parts = opened.move();
  return { address, token: served.token, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** The cache of Deno's modules, which a program without this environment would not find. */
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

/** A port of this machine that nobody listens on. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** A kubeconfig of an API that is served. */
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
