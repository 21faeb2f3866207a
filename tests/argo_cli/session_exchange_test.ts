/** A person who is logged in stays so when our server is exchanged for Argo's: a session of ours, in Argo's own server. */
import { assertEquals } from "@std/assert";
import { CONFIGMAPS, SECRETS } from "../../lib/kube/mod.ts";
import { needs } from "../../lib/testing/needs.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { sealSession } from "../../server/sso/session.ts";
import { loadSessionKey } from "../../server/sso/session_key.ts";
import { CLIENT_ID, CLIENT_SECRET, providerBench } from "../../server/sso/testing/login_bench.ts";
import { awaitFact } from "../await_fact.ts";

const PROGRAM = Deno.env.get("ARGO_CLI");
const HOME = "argo";
const LATER = new Date(Date.now() + 3_600_000);

/** A port of this machine that nobody listens on. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function kubeconfigOf(
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

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    PROGRAM !== undefined,
    "a session that our server sealed opens in Argo's server",
  ),
  async fn() {
    await using opened = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    opened.defer(() => Deno.remove(folder, { recursive: true }));
    const provider = opened.use(await providerBench());
    const api = createApiServer({ storePath: ":memory:" });
    opened.defer(() => api.close());
    const served = await api.serve(0, { tls: true });
    opened.defer(() => served.close());
    const admin = api.client();
    const data = { id: btoa(CLIENT_ID), secret: btoa(CLIENT_SECRET) };
    await admin.create(SECRETS, HOME, { apiVersion: "v1", kind: "Secret", metadata: { name: "client" }, data });
    const sso = {
      issuer: provider.url,
      clientId: { name: "client", key: "id" },
      clientSecret: { name: "client", key: "secret" },
      redirectUrl: "http://127.0.0.1/oauth2/callback",
    };
    await admin.create(CONFIGMAPS, HOME, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "workflow-controller-configmap" },
      data: { sso: JSON.stringify(sso) },
    });
    // Our server makes the key where there is none; Argo's takes the one that is there.
    const key = await loadSessionKey(admin, HOME);
    await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(served));
    const port = freePort();
    const child = new Deno.Command(PROGRAM ?? "", {
      args: ["server", "-n", HOME, "--secure=false", "--auth-mode=sso", `--port=${port}`, "--loglevel=warn"],
      env: { KUBECONFIG: `${folder}/kubeconfig`, HOME: folder, PATH: "/usr/bin:/bin" },
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    opened.defer(async () => {
      child.kill("SIGKILL");
      await child.status;
    });
    const ask = async (authorization: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/userinfo`, { headers: { authorization } })
        .catch(() => undefined);
      return [response?.status, await response?.json()] as const;
    };
    await awaitFact("Argo's server listens", async () => (await ask("none"))[0] === 401, { seconds: 60 });
    const person = { subject: "jane", groups: ["admins"], email: "jane@example.com", name: "Jane" };
    const [status, who] = await ask(await sealSession(person, LATER, key));
    assertEquals([status, who.subject, who.groups, who.email, who.name], [
      200,
      "jane",
      ["admins"],
      "jane@example.com",
      "Jane",
    ]);
    assertEquals((await ask(await sealSession(person, LATER, new Uint8Array(32))))[0], 401);
  },
});
