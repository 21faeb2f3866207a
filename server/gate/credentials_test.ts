/** Tests of the credentials that the server sends: only the caller's own. */
import { assert, assertEquals } from "@std/assert";
import { httpTransport, KubeClient, type Transport } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { benchOver, NAMESPACE } from "../testing/server_bench.ts";

interface RecordedRequest {
  readonly path: string;
  readonly headers: Headers;
}

/** Wraps a transport and records its requests. */
function recordRequests(transport: Transport, seen: RecordedRequest[]): Transport {
  return {
    fetch(path, init) {
      seen.push({ path, headers: new Headers(init?.headers) });
      return transport.fetch(path, init);
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}

Deno.test("AU-07 credentials: requests for a caller carry only the caller's token, whatever headers the caller sends", async () => {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const authorization = `Bearer ${served.token}`;
  const own = httpTransport({
    server: served.url,
    credentials: () => Promise.resolve({ headers: { authorization } }),
  });
  const seen: RecordedRequest[] = [];
  const ownSeen: RecordedRequest[] = [];
  const bench = await benchOver({
    own: recordRequests(own, ownSeen),
    anonymous: recordRequests(httpTransport({ server: served.url, retriesUnauthorized: false }), seen),
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
    // Permissions are checked with the caller's credentials; the server's own are not used.
    assertEquals(ownSeen.slice(before).map(({ path }) => path), []);
  } finally {
    await bench[Symbol.asyncDispose]();
    await served.close();
    api.close();
  }
});
