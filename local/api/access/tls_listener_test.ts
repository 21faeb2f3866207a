import { assert, assertEquals } from "@std/assert";
import { CONFIGMAPS, httpTransport, KubeClient } from "@tiphys/kube";
import { needs } from "../../../lib/base/testing/needs.ts";
import { CAN_READ_NO_DELAY, hasNoDelay } from "../../../lib/base/testing/no_delay.ts";
import { type ApiServer, createApiServer, type ServedApi } from "../mod.ts";

async function served(tls: boolean, test: (served: ServedApi, api: ApiServer) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0, { tls });
  try {
    await test(served, api);
  } finally {
    await served.close();
    api.close();
  }
}

function connect({ url, caCert }: ServedApi): Promise<Deno.Conn<Deno.NetAddr>> {
  const address = { hostname: "127.0.0.1", port: Number(new URL(url).port) };
  return caCert === undefined ? Deno.connect(address) : Deno.connectTls({ ...address, caCerts: [caCert] });
}

const HEALTH = new TextEncoder().encode("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");

for (const tls of [false, true]) {
  const how = tls ? "over TLS" : "in plain text";

  Deno.test({
    ...needs(
      "Linux with glibc",
      CAN_READ_NO_DELAY,
      `no piece of an answer ${how} waits until the client has acknowledged the one before`,
    ),
    fn: () =>
      served(tls, async (servedApi) => {
        using client = await connect(servedApi);
        await client.write(HEALTH);
        await client.read(new Uint8Array(1024));
        const { localAddr, remoteAddr } = client;
        assertEquals(hasNoDelay(remoteAddr.port, localAddr.port), true);
      }),
  });

  Deno.test(`gate: a client that has closed its sending side ${how} receives its response`, () =>
    served(tls, async (servedApi) => {
      using client = await connect(servedApi);
      await client.write(HEALTH);
      await (client as Deno.TcpConn).closeWrite();
      const buffer = new Uint8Array(1024);
      const size = await client.read(buffer);
      assert(new TextDecoder().decode(buffer.subarray(0, size ?? 0)).startsWith("HTTP/1.1 200"));
    }));
}

Deno.test("TLS: the end of a response differs from a broken connection", () =>
  served(true, async (servedApi) => {
    using client = await connect(servedApi);
    await client.write(new TextEncoder().encode("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"));
    // A TLS client fails if the other side disconnects without a close notification.
    for (const buffer = new Uint8Array(1024); await client.read(buffer) !== null;);
  }));

Deno.test("TLS: a large object is sent completely, also to many concurrent clients", () =>
  served(true, async ({ url, token, caCert }, api) => {
    const data = { text: "x".repeat(900_000) };
    await api.client().create(CONFIGMAPS, "default", { metadata: { name: "large" }, data });
    const credentials = () =>
      Promise.resolve({ headers: { authorization: `Bearer ${token}` }, tls: { caCerts: [caCert ?? ""] } });
    const client = new KubeClient(httpTransport({ server: url, credentials }));
    try {
      const asked = Array.from({ length: 20 }, () => client.get(CONFIGMAPS, "default", "large"));
      for (const object of await Promise.all(asked)) assertEquals((object as unknown as { data: object }).data, data);
    } finally {
      client.close();
    }
  }));

Deno.test("TLS: a client without TLS only affects its own connection", () =>
  served(true, async (servedApi) => {
    const { port } = new URL(servedApi.url);
    using stranger = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    await stranger.write(HEALTH);
    const buffer = new Uint8Array(1024);
    while (await stranger.read(buffer).catch(() => null) !== null);
    using client = await connect(servedApi);
    await client.write(HEALTH);
    assert((await client.read(buffer) ?? 0) > 0);
  }));
