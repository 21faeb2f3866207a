/** The credentials that leave the server: a caller's own, and nobody's beside them. */
import { assert, assertEquals } from "@std/assert";
import { httpTransport, KubeClient, type Transport } from "../../lib/kube/mod.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { benchOver, NAMESPACE } from "../testing/server_bench.ts";

interface Seen {
  readonly path: string;
  readonly headers: Headers;
}

/** The transport, which keeps what was asked. */
function kept(transport: Transport, seen: Seen[]): Transport {
  return {
    fetch(path, init) {
      seen.push({ path, headers: new Headers(init?.headers) });
      return transport.fetch(path, init);
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}

Deno.test("AU-07 a caller's requests carry the caller's token and nothing of the server's own, whatever headers the caller sends", async () => {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const authorization = `Bearer ${served.token}`;
  const own = httpTransport({
    server: served.url,
    credentials: () => Promise.resolve({ headers: { authorization } }),
  });
  const seen: Seen[] = [];
  const ownSeen: Seen[] = [];
  const bench = await benchOver({
    own: kept(own, ownSeen),
    anonymous: kept(httpTransport({ server: served.url, asksAgain: false }), seen),
    admin: new KubeClient(own),
  }, ["client"]);
  try {
    const { token } = await bench.account([]);
    const headers = {
      "impersonate-user": "system:admin",
      "impersonate-group": "system:masters",
      "impersonate-uid": "0",
      "impersonate-extra-scopes": "all",
      "x-remote-user": "system:admin",
      "x-remote-group": "system:masters",
    };
    const before = ownSeen.length;
    const paths = [
      `/api/v1/workflows/${NAMESPACE}`,
      `/api/v1/workflows/${NAMESPACE}/any`,
      "/api/v1/userinfo",
      "/api/v1/cluster-workflow-templates",
    ];
    for (const path of paths) {
      const response = await bench.ask("GET", path, { token, headers });
      await response.body?.cancel();
      assertEquals(response.status, path.endsWith("userinfo") ? 200 : 403, path);
    }
    assert(seen.length > 0);
    for (const { path, headers } of seen) {
      assertEquals(headers.get("authorization"), `Bearer ${token}`, path);
      for (const [name] of headers) assert(!/^(impersonate-|x-remote-)/.test(name), `${path}: ${name}`);
    }
    // A refused request is asked with the caller's rights: nothing is looked up with the server's own before.
    assertEquals(ownSeen.slice(before).map(({ path }) => path), []);
  } finally {
    await bench[Symbol.asyncDispose]();
    await served.close();
    api.close();
  }
});
