/**
 * Argo's server used the same certificate and key in every installation, and clients were instructed not to verify it
 * (GHSA-6c73-2v8x-qpvm). In this project each cluster creates its own, and a client cannot turn off verification.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CONFIGMAPS, httpTransport, KubeClient, KubeError } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { createApiServer, type ServedApi } from "../../local/api/mod.ts";

async function withTwoServers(test: (servedApi: ServedApi, other: ServedApi) => Promise<void>): Promise<void> {
  const [one, other] = [createApiServer({ storePath: ":memory:" }), createApiServer({ storePath: ":memory:" })];
  const [first, second] = [await one.serve(0, { tls: true }), await other.serve(0, { tls: true })];
  try {
    await test(first, second);
  } finally {
    for (const served of [first, second]) await served.close();
    for (const api of [one, other]) api.close();
  }
}

function clientOf(server: string, token: string, caCert: string | undefined): KubeClient {
  const tls = caCert === undefined ? {} : { tls: { caCerts: [caCert] } };
  return new KubeClient(httpTransport({
    server,
    credentials: () => Promise.resolve({ headers: { authorization: `Bearer ${token}` }, ...tls }),
  }));
}

Deno.test("GHSA-6c73-2v8x-qpvm: a client trusts only the configured certificate authority", () =>
  withTwoServers(async (first, second) => {
    const good = clientOf(first.url, first.token, first.caCert);
    assertEquals((await good.list(CONFIGMAPS, "default")).items.length >= 0, true);
    good.close();
    for (const caCert of [second.caCert, undefined]) {
      const client = clientOf(first.url, first.token, caCert);
      const error = await assertRejects(() => client.list(CONFIGMAPS, "default"), KubeError);
      assertEquals(error.status, 0, "no response is received");
      client.close();
    }
  }));

Deno.test("GHSA-6c73-2v8x-qpvm: a kubeconfig with insecure-skip-tls-verify is rejected, with and without other TLS fields", () =>
  withTwoServers(async ({ url, token, caCert }) => {
    const user = { name: "u", user: { token } };
    const context = { name: "c", context: { cluster: "s", user: "u" } };
    for (const more of [{}, { "certificate-authority-data": btoa(caCert!) }, { "tls-server-name": "elsewhere" }]) {
      const path = await Deno.makeTempFile();
      const cluster = { name: "s", cluster: { server: url, "insecure-skip-tls-verify": true, ...more } };
      const config = { apiVersion: "v1", kind: "Config", clusters: [cluster], users: [user], contexts: [context] };
      await Deno.writeTextFile(path, JSON.stringify({ ...config, "current-context": "c" }));
      await assertRejects(
        () => connectKubeconfig({ kubeconfig: path }),
        Error,
        "sets insecure-skip-tls-verify",
      );
      await Deno.remove(path);
    }
  }));

Deno.test("GHSA-6c73-2v8x-qpvm: no two clusters have the same certificate or token", () =>
  withTwoServers((servedApi, other) => {
    assert(servedApi.caCert !== other.caCert && servedApi.token !== other.token);
    return Promise.resolve();
  }));
