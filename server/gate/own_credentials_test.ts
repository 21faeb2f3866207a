/** Tests that none of the server's own credentials, of every kind of a kubeconfig, is sent with a caller's request. */
import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { httpTransport, KubeClient } from "@tiphys/kube";
import { connectSharedServer, withAuthorization } from "@tiphys/kube/connections";
import { ownCertificate } from "@tiphys/base/x509";
import { createApiServer } from "../../local/api/mod.ts";
import { benchOver, NAMESPACE } from "../testing/server_bench.ts";

/** The credentials that a request contained. */
interface RecordedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  /** The common name of the client certificate. */
  readonly certificate: string | undefined;
  readonly impersonated: string | undefined;
}

const SERVER = ownCertificate("api", new Date());
const CLIENT = ownCertificate("tiphys-itself", new Date());

/** The user entries of kubeconfigs. */
const USERS: Readonly<Record<string, (folder: string) => Promise<Record<string, unknown>> | Record<string, unknown>>> =
  {
    "a client certificate": () => ({
      "client-certificate-data": btoa(CLIENT.cert),
      "client-key-data": btoa(CLIENT.key),
    }),
    "a token and a client certificate": () => ({
      token: "own-token",
      "client-certificate-data": btoa(CLIENT.cert),
      "client-key-data": btoa(CLIENT.key),
    }),
    "a token of a file": async (folder) => {
      await Deno.writeTextFile(`${folder}/token`, "own-token");
      return { tokenFile: `${folder}/token` };
    },
    "a name with a password": () => ({ username: "own", password: "secret" }),
    "a command that gives a token": (folder) => loginBy(folder, { token: "own-token" }),
    "a command that gives a certificate": (folder) =>
      loginBy(folder, { clientCertificateData: CLIENT.cert, clientKeyData: CLIENT.key }),
  };

/** A command that prints credentials, for a kubeconfig's `exec` entry. */
async function loginBy(folder: string, status: Record<string, string>): Promise<Record<string, unknown>> {
  const apiVersion = "client.authentication.k8s.io/v1";
  await Deno.writeTextFile(`${folder}/login.json`, JSON.stringify({ apiVersion, kind: "ExecCredential", status }));
  return { exec: { apiVersion, command: "cat", args: [`${folder}/login.json`], interactiveMode: "Never" } };
}

/** An API server over TLS that requests client certificates, records credentials, and forwards to the embedded API. */
async function recordingServer(target: string, admin: string, seen: RecordedRequest[]) {
  const tls = { ...SERVER, requestCert: true, rejectUnauthorized: false, ca: [CLIENT.cert] };
  const server = createServer(tls as never, async (request, response) => {
    const { authorization } = request.headers;
    const shown = (request.socket as TLSSocket).getPeerCertificate()?.subject?.CN;
    const certificate = Array.isArray(shown) ? shown[0] : shown;
    const impersonated = request.headers["impersonate-user"];
    seen.push({ path: request.url ?? "", authorization, certificate, impersonated: impersonated?.toString() });
    const isOwn = certificate !== undefined || /own-token|^Basic /.test(authorization ?? "");
    const body = ["GET", "HEAD"].includes(request.method ?? "")
      ? undefined
      : await new Response(request as never).text();
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        authorization: isOwn ? `Bearer ${admin}` : authorization ?? "",
        "content-type": request.headers["content-type"] ?? "application/json",
      },
      ...(body ? { body } : {}),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      response.destroy(); // A watch that was still open when the test ended.
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

for (const [title, user] of Object.entries(USERS)) {
  Deno.test(`AU-07 credentials: with ${title} as the server's own, a caller's requests carry only the caller's token`, async () => {
    const api = createApiServer({ storePath: ":memory:", roles: true });
    const served = await api.serve();
    const seen: RecordedRequest[] = [];
    const keeping = await recordingServer(served.url, served.token, seen);
    const folder = await Deno.makeTempDir();
    const kubeconfig = `${folder}/config`;
    const name = "one";
    await Deno.writeTextFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name, cluster: { server: keeping.url, "certificate-authority-data": btoa(SERVER.cert) } }],
        users: [{ name, user: await user(folder) }],
        contexts: [{ name, context: { cluster: name, user: name } }],
        "current-context": name,
      }),
    );
    const { transport: own, anonymous } = await connectSharedServer({ kubeconfig });
    const direct = httpTransport({
      server: served.url,
      credentials: () => Promise.resolve({ headers: { authorization: `Bearer ${served.token}` } }),
    });
    const bench = await benchOver({ own, anonymous, admin: new KubeClient(direct) }, ["client"]);
    try {
      const isOwn = ({ authorization, certificate }: RecordedRequest) =>
        certificate === "tiphys-itself" || /own-token|^Basic /.test(authorization ?? "");
      // The server's caches are filled with its own credentials, so they must have been recorded.
      assert(seen.length > 0 && seen.every(isOwn), JSON.stringify(seen));
      const { token } = await bench.account([]);
      const begin = seen.length;
      for (
        const path of [`workflows/${NAMESPACE}`, `workflows/${NAMESPACE}/any`, "userinfo", "cluster-workflow-templates"]
      ) {
        const response = await bench.ask("GET", `/api/v1/${path}`, { token });
        await response.body?.cancel();
        assertEquals(response.status, path === "userinfo" ? 200 : 403, path);
      }
      // An invalid token is not replaced by the server's own.
      const refused = await bench.ask("GET", "/api/v1/userinfo", { token: "junk" });
      await refused.body?.cancel();
      assertEquals(refused.status, 401);
      const ofCallers = seen.slice(begin).filter(({ path }) => !path.includes("watch="));
      assert(ofCallers.length >= 4, JSON.stringify(ofCallers));
      for (const { path, authorization, certificate, impersonated } of ofCallers) {
        assert(authorization === `Bearer ${token}` || authorization === "Bearer junk", `${path}: ${authorization}`);
        assertEquals([certificate, impersonated], [undefined, undefined], path);
      }
      const answer = await withAuthorization(anonymous, "").fetch("/version");
      await answer.body?.cancel();
      assertEquals([seen.at(-1)?.certificate, seen.at(-1)?.authorization], [undefined, ""]);
    } finally {
      await bench[Symbol.asyncDispose]();
      own.close();
      anonymous.close();
      direct.close();
      await keeping.close();
      await served.close();
      api.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("AU-07 credentials: the server's impersonation is not applied to callers", async () => {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const seen: RecordedRequest[] = [];
  const keeping = await recordingServer(served.url, served.token, seen);
  const folder = await Deno.makeTempDir();
  const kubeconfig = `${folder}/config`;
  await Deno.writeTextFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server: keeping.url, "certificate-authority-data": btoa(SERVER.cert) } }],
      users: [{ name: "u", user: { token: "own-token" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  const { transport, anonymous } = await connectSharedServer({ kubeconfig, actAs: { user: "admin" } });
  try {
    await (await transport.fetch("/version")).body?.cancel();
    await (await withAuthorization(anonymous, "Bearer caller").fetch("/version")).body?.cancel();
    assertEquals(seen.map(({ authorization, impersonated }) => [authorization, impersonated]), [
      ["Bearer own-token", "admin"],
      ["Bearer caller", undefined],
    ]);
  } finally {
    transport.close();
    anonymous.close();
    await keeping.close();
    await served.close();
    api.close();
    await Deno.remove(folder, { recursive: true });
  }
});
