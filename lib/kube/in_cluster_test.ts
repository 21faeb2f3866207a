import { assertEquals, assertThrows } from "@std/assert";
import { inClusterLogin, inClusterTransport, isInCluster } from "./in_cluster.ts";
import { chosenLogin } from "./login.ts";

/** The environment and files of a pod whose API server is local, without TLS. */
function pod(port: number, clock: { now: number }) {
  const env: Record<string, string> = {
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(port),
    TIPHYS_API_SCHEME: "http",
  };
  const files = { token: "first\n" };
  const options = {
    env: (name: string) => env[name],
    readFile: (path: string) =>
      path === "/var/run/secrets/kubernetes.io/serviceaccount/token"
        ? Promise.resolve(files.token)
        : Promise.reject(new Deno.errors.NotFound(path)),
    now: () => clock.now,
  };
  return { files, options };
}

Deno.test("inClusterTransport() sends the mounted token, and reads it again after a minute or when it is rejected", async () => {
  const seen: (string | null)[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const token = request.headers.get("authorization");
    seen.push(token);
    return new Response(null, { status: token === "Bearer ended" ? 401 : 200 });
  });
  const clock = { now: 0 };
  const { files, options } = pod(server.addr.port, clock);
  const transport = inClusterTransport(options);
  const ask = async () => void await (await transport.fetch("/version")).body?.cancel();
  await ask();
  files.token = "ended";
  await ask();
  clock.now = 60_000;
  const refused = transport.fetch("/version");
  files.token = "second";
  await (await refused).body?.cancel();
  assertEquals(seen, ["Bearer first", "Bearer first", "Bearer ended", "Bearer second"]);
  transport.close();
  await server.shutdown();
});

Deno.test("isInCluster() detects a pod by its environment", () => {
  assertEquals(isInCluster(() => undefined), false);
  assertEquals(isInCluster(() => "x"), true);
});

Deno.test("inClusterTransport() fails outside of a pod and names the missing variables", () => {
  assertThrows(() => inClusterTransport({ env: () => undefined }), Error, "KUBERNETES_SERVICE_HOST");
});

Deno.test("inClusterLogin() uses a token of the user instead of the service account's, and nothing else changes", async () => {
  const env: Record<string, string> = { KUBERNETES_SERVICE_HOST: "::1", KUBERNETES_SERVICE_PORT: "443" };
  const readFile = (path: string) => Promise.resolve(`${path.split("/").at(-1)}\n`);
  const login = await inClusterLogin({ env: (name) => env[name], readFile });
  assertEquals([login.namespace, login.cluster?.server], ["namespace", "https://[::1]:443"]);
  const told = async (choice: Parameters<typeof chosenLogin>[1]) => {
    const { headers, tls } = await chosenLogin(login, choice).credentials(false);
    return [headers?.authorization, tls?.caCerts];
  };
  assertEquals(await told({}), ["Bearer token", ["ca.crt\n"]]);
  assertEquals(await told({ token: "told" }), ["Bearer told", ["ca.crt\n"]]);
});
