/** Tests of one port with all protocols, with curl as the client. */
import { connect as connectHttp2 } from "node:http2";
import { text } from "node:stream/consumers";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { needs } from "../../lib/base/testing/needs.ts";
import { CAN_READ_NO_DELAY, hasNoDelay } from "../../lib/base/testing/no_delay.ts";
import { ownCertificate } from "@tiphys/base/x509";
import { textResponse } from "../wire/whole_text.ts";
import { listen } from "./listen.ts";

/** Longer than any test: a test that waits for it hangs. */
const HOUR_MILLIS = 3_600_000;
/** Short, but long enough for a handshake on a busy machine. */
const SOON_MILLIS = 500;

const hasCurl = await new Deno.Command("curl", { args: ["--version"], stdout: "null" }).output().then(
  ({ success }) => success,
  () => false,
);

async function curl(...args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command("curl", { args: ["-s", "-k", "-i", "--max-time", "20", ...args] }).output();
  return new TextDecoder().decode(stdout);
}

async function handler(request: Request): Promise<Response> {
  const body = await request.text();
  return new Response(`${request.method} ${new URL(request.url).pathname} ${body}`, { headers: { "x-seen": "yes" } });
}

for (const secure of [false, true]) {
  Deno.test({
    name: `listen: HTTP/1.1 and HTTP/2 work on one port, ${secure ? "with" : "without"} TLS`,
    ignore: !hasCurl,
    async fn() {
      const tls = secure ? ownCertificate("ArgoProj", new Date()) : undefined;
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
      try {
        const url = `${secure ? "https" : "http"}://127.0.0.1:${listening.port}/a%20b?c=d`;
        const first = await curl("--http1.1", "-X", "PUT", "-d", "x".repeat(100_000), url);
        assertStringIncludes(first, "HTTP/1.1 200");
        assert(first.endsWith(`PUT /a%20b ${"x".repeat(100_000)}`));
        const second = await curl(secure ? "--http2" : "--http2-prior-knowledge", url);
        assertStringIncludes(second, "HTTP/2 200");
        assertStringIncludes(second, "x-seen: yes");
        assert(second.endsWith("GET /a%20b "));
      } finally {
        await listening.close();
      }
    },
  });
}

Deno.test("listen: plain HTTP on a port of TLS is answered with 400, and TLS still works", async () => {
  const tls = ownCertificate("ArgoProj", new Date());
  const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
  try {
    const plain = (init?: RequestInit) => fetch(`http://127.0.0.1:${listening.port}/a`, init);
    for (const init of [{}, { method: "POST", body: "x".repeat(1_000_000) }]) {
      const answer = await plain(init);
      assertEquals([answer.status, answer.headers.get("connection")], [400, "close"]);
      assertStringIncludes(await answer.text(), "Client sent an HTTP request to an HTTPS server.");
    }
    using client = Deno.createHttpClient({ caCerts: [tls.cert] });
    const secure = await fetch(`https://localhost:${listening.port}/a`, { client });
    assertEquals([secure.status, await secure.text()], [200, "GET /a "]);
  } finally {
    await listening.close();
  }
});

Deno.test({
  name: "listen: old TLS versions are refused: 1.1 always, 1.2 if the minimum is 1.3",
  ignore: !hasCurl,
  async fn() {
    for (const [minVersion, best] of [[undefined, "1.2"], ["TLSv1.3", "1.3"]] as const) {
      const certificate = ownCertificate("ArgoProj", new Date());
      const tls = { ...certificate, ...(minVersion ? { minVersion } : {}) };
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
      try {
        const url = `https://127.0.0.1:${listening.port}/`;
        for (const version of ["1.1", "1.2", "1.3"]) {
          const answer = await curl("--tls-max", version, url);
          assertEquals(answer.includes(" 200"), version >= best, `${version} where ${best} is the least`);
        }
      } finally {
        await listening.close();
      }
    }
  },
});

Deno.test("listen: a stream is sent as it is produced, and its source is notified when the client disconnects", async () => {
  const left = Promise.withResolvers<void>();
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    handler: () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode("first\n")),
        cancel: () => left.resolve(),
      });
      return Promise.resolve(new Response(body));
    },
  });
  const client = await Deno.connect({ port: listening.port });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  let seen = "";
  const buffer = new Uint8Array(4096);
  while (!seen.includes("first")) seen += new TextDecoder().decode(buffer.subarray(0, await client.read(buffer) ?? 0));
  client.close();
  await left.promise;
  await listening.close();
});

Deno.test("listen: the handler's signal is aborted when the client disconnects before the response", async () => {
  const [asked, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    async handler({ signal }) {
      const left = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      asked.resolve();
      await left;
      return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
    },
  });
  const client = await Deno.connect({ port: listening.port });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  await asked.promise;
  client.close();
  await cancelled.promise;
  await listening.close();
});

Deno.test("listen: the error for a port in use names the port", async () => {
  const options = { hostname: "127.0.0.1", handler: () => Promise.resolve(new Response()) };
  const first = await listen({ ...options, port: 0 });
  const words = `Another program listens on port ${first.port}`;
  await assertRejects(() => listen({ ...options, port: first.port }), Deno.errors.AddrInUse, words);
  await first.close();
});

Deno.test("listen: the first bytes of a connection may arrive one by one", async () => {
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler });
  const client = await Deno.connect({ port: listening.port });
  client.setNoDelay(true);
  const request = new TextEncoder().encode("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  for (const byte of request) await client.write(Uint8Array.of(byte));
  const answer = await new Response(client.readable).text();
  assertStringIncludes(answer, "GET /slow ");
  await listening.close();
});

for (const tls of [undefined, ownCertificate("ArgoProj", new Date())]) {
  const how = tls ? "over TLS" : "in plain text";
  const connect = (port: number) => {
    const address = { hostname: "localhost", port };
    return tls ? Deno.connectTls({ ...address, caCerts: [tls.cert] }) : Deno.connect(address);
  };
  const ask = async (client: Deno.Conn) => {
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    let seen = "";
    for (const buffer = new Uint8Array(4096); !seen.endsWith("0\r\n\r\n");) {
      const size = await client.read(buffer);
      if (size === null) return "the connection has ended";
      seen += new TextDecoder().decode(buffer.subarray(0, size));
    }
    return seen.slice(0, "HTTP/1.1 200".length);
  };

  Deno.test(`listen: an HTTP/1.1 connection ${how} is reused for several requests`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
    const client = await connect(listening.port);
    const answers = [await ask(client), await ask(client), await ask(client)];
    client.close();
    await listening.close();
    assertEquals(answers, ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 200"]);
  });

  Deno.test(`listen: the time limit for the head applies to the second request ${how} as well`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, headerMillis: SOON_MILLIS });
    const client = await connect(listening.port);
    await ask(client);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost:"));
    const buffer = new Uint8Array(4096);
    while (await client.read(buffer).catch(() => null) !== null);
    client.close();
    await listening.close();
  });

  Deno.test(`listen: an idle new connection ${how} is closed after the time limit of the head`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, headerMillis: SOON_MILLIS });
    const client = await Deno.connect({ hostname: "127.0.0.1", port: listening.port });
    assertEquals(await client.read(new Uint8Array(1)).catch(() => null), null);
    client.close();
    await listening.close();
  });

  Deno.test(`listen: connections ${how} above the maximum are closed, and the others are served`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, mostConnections: 2 });
    const clients = [await connect(listening.port), await connect(listening.port)];
    for (const client of clients) await ask(client);
    const third = await Deno.connect({ hostname: "127.0.0.1", port: listening.port });
    assertEquals(await third.read(new Uint8Array(1)).catch(() => null), null);
    third.close();
    for (const client of clients) assertEquals(await ask(client), "HTTP/1.1 200");
    clients[0]!.close();
    const askAnew = async () => {
      using client = await connect(listening.port);
      return await ask(client);
    };
    // The server notices the closed connection a little later.
    while (await askAnew().catch(() => "refused") !== "HTTP/1.1 200");
    clients[1]!.close();
    await listening.close();
  });

  Deno.test(`listen: an HTTP/2 session ${how} without SETTINGS is closed after the time limit of the head`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, headerMillis: SOON_MILLIS });
    const address = { hostname: "localhost", port: listening.port };
    const client = tls
      ? await Deno.connectTls({ ...address, caCerts: [tls.cert], alpnProtocols: ["h2"] })
      : await Deno.connect(address);
    await client.write(new TextEncoder().encode("PRI * HTTP/2.0\r\n"));
    const buffer = new Uint8Array(4096);
    while (await client.read(buffer).catch(() => null) !== null);
    client.close();
    await listening.close();
  });

  Deno.test(`listen: an idle HTTP/2 session ${how} is closed after its open streams have ended`, async () => {
    const goOn = Promise.withResolvers<void>();
    const slow = async () => (await goOn.promise, new Response("whole"));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: slow, restMillis: 50 });
    const address = `${tls ? "https" : "http"}://localhost:${listening.port}`;
    const [resting, asking] = [1, 2].map(() => deferSessionEnd(connectHttp2(address, tls ? { ca: tls.cert } : {})));
    const answer = text(asking!.request({ ":path": "/" }));
    const ended = new Promise<void>((resolve) => resting!.once("close", resolve));
    const told = new Promise<void>((resolve) => asking!.once("goaway", () => resolve()));
    await Promise.all([ended, told]);
    goOn.resolve();
    assertEquals(await answer, "whole");
    await listening.close();
  });

  Deno.test(`listen: close ${how} does not wait for idle connections`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
    const client = await connect(listening.port);
    await ask(client);
    await listening.close(HOUR_MILLIS);
    client.close();
  });

  Deno.test(`listen: close ${how} ends HTTP/2 sessions after their responses`, async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow = async () => (asked.resolve(), await goOn.promise, new Response("whole"));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: slow });
    const session = deferSessionEnd(connectHttp2(
      `${tls ? "https" : "http"}://localhost:${listening.port}`,
      tls ? { ca: tls.cert } : {},
    ));
    const answer = text(session.request({ ":path": "/" }));
    await asked.promise;
    const closed = listening.close(HOUR_MILLIS);
    goOn.resolve();
    assertEquals(await answer, "whole");
    await closed;
    session.destroy();
  });

  /** Responds before it has read the whole body. */
  const hasty = async (request: Request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    reader?.releaseLock();
    return new Response("refused");
  };

  Deno.test(`listen: an unread body ${how} does not block the next request`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: hasty });
    const client = await connect(listening.port);
    const size = 3_000_000;
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`;
    let all = new TextEncoder().encode(`${head}${"x".repeat(size)}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    const sent = (async () => {
      while (all.length > 0) all = all.subarray(await client.write(all));
    })();
    let seen = "";
    for (const buffer = new Uint8Array(4096); seen.split("HTTP/1.1 200").length < 3;) {
      seen += new TextDecoder().decode(buffer.subarray(0, await client.read(buffer) ?? 0));
    }
    await sent;
    client.close();
    await listening.close();
  });

  Deno.test(`listen: an HTTP/2 request ${how} ends with its response, even if its body was not read`, async () => {
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: hasty });
    const session = deferSessionEnd(connectHttp2(
      `${tls ? "https" : "http"}://localhost:${listening.port}`,
      tls ? { ca: tls.cert } : {},
    ));
    const stream = session.request({ ":path": "/", ":method": "POST" });
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.end("x".repeat(3_000_000));
    assertEquals(await text(stream), "refused");
    await closed;
    session.destroy();
    await listening.close();
  });

  Deno.test({
    ...needs(
      "Linux with glibc",
      CAN_READ_NO_DELAY,
      `no piece of an answer ${
        tls ? "over TLS" : "in plain text"
      } waits until the client has acknowledged the one before`,
    ),
    async fn() {
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
      const client = await connect(listening.port);
      await ask(client);
      assertEquals(hasNoDelay(listening.port, client.localAddr.port), true);
      client.close();
      await listening.close();
    },
  });
}

Deno.test("listen: a request with an unread body is answered without affecting others", async () => {
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    async handler(request) {
      await request.body?.cancel();
      return new Response("no", { status: 401 });
    },
  });
  const url = `http://127.0.0.1:${listening.port}/`;
  for (const size of [1, 1 << 10, 1 << 20]) {
    const response = await fetch(url, { method: "POST", body: new Uint8Array(size) });
    assertEquals([response.status, await response.text()], [401, "no"]);
  }
  await listening.close();
});

Deno.test("listen: a short text is sent at once with its length, a longer one is streamed, in both protocols", async () => {
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    handler: ({ url }) => Promise.resolve(textResponse("ä".repeat(Number(new URL(url).pathname.slice(1))), {})),
  });
  for (const [count, isAtOnce] of [[0, true], [1000, true], [100_000, false]] as const) {
    const expected = "ä".repeat(count);
    const client = await Deno.connect({ port: listening.port });
    await client.write(new TextEncoder().encode(`GET /${count} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
    const [head = "", body = ""] = (await new Response(client.readable).text()).split(/\r\n\r\n(.*)/s);
    assertEquals(/^content-length: (\d+)/im.exec(head)?.[1], isAtOnce ? String(2 * count) : undefined, head);
    if (isAtOnce) assertEquals(body, expected);
    const response = await fetch(`http://127.0.0.1:${listening.port}/${count}`);
    assertEquals(await response.text(), expected);
    const session = deferSessionEnd(connectHttp2(`http://127.0.0.1:${listening.port}`));
    assertEquals(await text(session.request({ ":path": `/${count}` })), expected);
    session.destroy();
  }
  await listening.close();
});

Deno.test("listen: an aborted response is not mistaken for a complete one", async () => {
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    handler: () =>
      Promise.resolve(
        new Response(ReadableStream.from((async function* () {
          yield new TextEncoder().encode("half");
          await Promise.resolve();
          throw new Error("the store is gone");
        })())),
      ),
  });
  const response = await fetch(`http://127.0.0.1:${listening.port}/`);
  const text = await response.text().then((whole) => `whole: ${whole}`, () => "broken");
  assertEquals(text, "broken");
  await listening.close();
});

Deno.test("listen: malformed requests and oversized headers close only their own connection", async () => {
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler });
  for (
    const bytes of ["\0\0\0\0\r\n\r\n", "GET / HTTP/9\r\n\r\n", `GET / HTTP/1.1\r\nx: ${"y".repeat(40_000)}\r\n\r\n`]
  ) {
    const client = await Deno.connect({ port: listening.port });
    await client.write(new TextEncoder().encode(bytes));
    const answer = await new Response(client.readable).text().catch(() => "");
    assert(!answer.includes("200"), answer.slice(0, 100));
  }
  const response = await fetch(`http://127.0.0.1:${listening.port}/ok`);
  assertEquals(await response.text(), "GET /ok ");
  await listening.close();
});
