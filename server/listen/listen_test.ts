import { ownCertificate } from "../../lib/x509/mod.ts";
/** One port, all protocols: asked by curl, which speaks each of them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listen } from "./listen.ts";

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
    name: `HTTP/1.1 and HTTP/2 are answered on one port, ${secure ? "with" : "without"} TLS`,
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

Deno.test({
  name: "a version of TLS that is too old is refused: 1.1 always, 1.2 where 1.3 is asked for",
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

Deno.test("a stream goes out as it is made, and its source learns when the client has left", async () => {
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

Deno.test("the source of an answer learns that the client left before there was one", async () => {
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

Deno.test("the first bytes of a connection may come one by one", async () => {
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler });
  const client = await Deno.connect({ port: listening.port });
  client.setNoDelay(true);
  const request = new TextEncoder().encode("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  for (const byte of request) await client.write(Uint8Array.of(byte));
  const answer = await new Response(client.readable).text();
  assertStringIncludes(answer, "GET /slow ");
  await listening.close();
});

for (const size of [1_000, 20_000, 300_000]) {
  Deno.test(`an answer of ${size} bytes over TLS does not wait for its client to acknowledge a part of it`, async () => {
    const tls = ownCertificate("ArgoProj", new Date());
    const handler = () => Promise.resolve(new Response("x".repeat(size)));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler });
    const client = Deno.createHttpClient({ caCerts: [tls.cert], http1: true, http2: false });
    try {
      const millis: number[] = [];
      for (let count = 0; count < 40; count++) {
        const begun = performance.now();
        await (await fetch(`https://localhost:${listening.port}/`, { client })).text();
        millis.push(performance.now() - begun);
      }
      // A new connection acknowledges at once; later each acknowledgement takes 40 ms.
      assert(Math.min(...millis.slice(20)) < 35, millis.slice(20).map((one) => one.toFixed(0)).join(" "));
    } finally {
      client.close();
      await listening.close();
    }
  });
}

Deno.test("a request whose body nobody wants is answered, and costs nobody else anything", async () => {
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

Deno.test("an answer that breaks off does not look whole", async () => {
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

Deno.test("malformed requests and headers that are too large end their own connection only", async () => {
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
