import { assert, assertEquals, assertRejects } from "@std/assert";
import { awaitFact } from "../../../tests/await_fact.ts";
import { Connections, type HttpRequest } from "./connections.ts";

/** The behavior of the server on the `count`-th connection, counted from 1. The server then closes the connection. */
type Script = (
  request: (contains?: string) => Promise<string>,
  send: (text: string) => Promise<void>,
  count: number,
) => Promise<void>;

/** A server on loopback that sends exactly the bytes of a test. */
class ScriptedServer implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Promise<void>>();
  readonly connections: Connections;
  count = 0;
  readonly #accepting: Promise<void>;

  constructor(script: Script) {
    this.connections = new Connections(new URL(`http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`));
    this.#accepting = this.#accept(script);
  }

  async #accept(script: Script): Promise<void> {
    for await (const conn of this.#listener) {
      const serving = serve(conn, script, ++this.count).finally(() => this.#open.delete(serving));
      this.#open.add(serving);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connections.close();
    this.#listener.close();
    await this.#accepting;
    await Promise.all(this.#open);
  }
}

async function serve(conn: Deno.Conn, script: Script, count: number): Promise<void> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  const request = async (contains = "\r\n\r\n") => {
    while (!text.includes(contains)) {
      const size = await conn.read(buffer);
      if (size === null) throw new Error("the client has disconnected");
      text = text.slice(-1000) + new TextDecoder().decode(buffer.subarray(0, size));
    }
    const all = text;
    text = "";
    return all;
  };
  const say = async (words: string) => void await conn.write(new TextEncoder().encode(words));
  // Some tests disconnect the client in the middle.
  await script(request, say, count).catch(() => {});
  conn.close();
}

const GET: HttpRequest = { method: "GET", target: "/", headers: [] };
const POST: HttpRequest = { method: "POST", target: "/", headers: [], body: "content" };
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

Deno.test("Connections: sequential requests share a connection", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    for (;;) await send((await request(), OK));
  });
  for (let turn = 0; turn < 5; turn++) {
    assertEquals(await (await server.connections.send(turn % 2 ? POST : GET)).json(), {});
  }
  assertEquals(server.count, 1);
});

Deno.test("Connections: concurrent requests have separate connections", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    for (;;) await send((await request(), OK));
  });
  await Promise.all([1, 2, 3].map(async () => await (await server.connections.send(GET)).text()));
  assertEquals(server.count, 3);
});

Deno.test("Connections: joins a chunked body, no matter how its bytes arrive", async () => {
  const answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "5;words=1\r\nfirst\r\nb\r\n and second\r\n0\r\nAfter: all\r\n\r\n";
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    for (const letter of answer) await send(letter);
    await request();
    await send(answer);
  });
  for (let turn = 0; turn < 2; turn++) {
    assertEquals(await (await server.connections.send(GET)).text(), "first and second");
  }
  assertEquals(server.count, 1);
});

Deno.test("Connections: keeps a character that is split between reads, and a body larger than the buffer", async () => {
  const text = "é".repeat(50_000);
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    await send(`HTTP/1.1 200 OK\r\nContent-Length: ${2 * text.length}\r\n\r\n`);
    await send(text);
  });
  assertEquals(await (await server.connections.send(GET)).text(), text);
});

Deno.test("Connections: a body without a length ends with its connection, which is not reused", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    await send("HTTP/1.1 200 OK\r\n\r\nall there is");
  });
  for (let turn = 0; turn < 2; turn++) {
    assertEquals(await (await server.connections.send(GET)).text(), "all there is");
  }
  assertEquals(server.count, 2);
});

Deno.test("Connections: a truncated body is an error", async () => {
  await using server = new ScriptedServer(async (request, send, count) => {
    await request();
    await send(
      count === 1 ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour" : "HTTP/1.1 200 OK\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n",
    );
  });
  for (let turn = 0; turn < 2; turn++) {
    const answer = await server.connections.send(GET);
    await assertRejects(() => answer.text(), Error, "the response ended");
  }
});

Deno.test("Connections: does not reuse an idle connection that the server closed for a write", async () => {
  const left = Promise.withResolvers<void>();
  await using server = new ScriptedServer(async (request, send, count) => {
    await request();
    await send(OK);
    if (count > 1) await request("never");
    else left.resolve();
  });
  await (await server.connections.send(POST)).text();
  await left.promise;
  await awaitFact("the write takes another connection", async () => {
    await (await server.connections.send(POST)).text();
    return server.count === 2;
  }, { seconds: 30 });
});

Deno.test("Connections: repeats a GET, but not a write, whose connection ended without a response", async () => {
  const seen: string[] = [];
  await using server = new ScriptedServer(async (request, send, count) => {
    await request();
    await send(OK);
    seen.push((await request()).slice(0, 4).trim());
    if (count === 1 || seen.length > 2) return;
    await send(OK);
  });
  await (await server.connections.send(POST)).text();
  await assertRejects(() => server.connections.send(POST), Error, "without a response");
  await (await server.connections.send(POST)).text();
  await (await server.connections.send(GET)).text();
  assertEquals([seen, server.count], [["POST", "GET"], 2]);
});

Deno.test("Connections: reads a rejection that arrives before the whole body was sent, and does not reuse the connection", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    await send("HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 9\r\n\r\ntoo large");
    await request("the end");
  });
  const answer = await server.connections.send({ ...POST, body: `${"x".repeat(8_000_000)}the end` });
  assertEquals([answer.status, answer.ok, answer.statusText, await answer.text()], [
    413,
    false,
    "Request Entity Too Large",
    "too large",
  ]);
});

Deno.test("Connections: skips interim responses (100, 103)", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    await send(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}`);
  });
  assertEquals(await (await server.connections.send(POST)).json(), {});
});

Deno.test("Connections: aborting ends a waiting request and a body that is being read, with the signal's reason", async () => {
  await using server = new ScriptedServer(async (request, send, count) => {
    await request();
    if (count === 2) await send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n");
    await request("never");
  });
  const waiting = new AbortController();
  const sent = server.connections.send({ ...GET, signal: waiting.signal });
  await awaitFact("the request has come", () => server.count === 1, { seconds: 30 });
  waiting.abort(new Error("enough"));
  await assertRejects(() => sent, Error, "enough");
  const reading = new AbortController();
  const answer = await server.connections.send({ ...GET, signal: reading.signal });
  const parts = answer.parts!();
  assertEquals(new TextDecoder().decode((await parts.next()).value), "four");
  const next = parts.next();
  reading.abort(new Error("no more"));
  await assertRejects(() => next, Error, "no more");
});

Deno.test("Connections: discarding a body closes its connection", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    await request();
    await send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfour");
    await request("never");
  });
  const answer = await server.connections.send(GET);
  await answer.body!.cancel();
  await (await server.connections.send(GET)).body!.cancel();
  assertEquals(server.count, 2);
});

Deno.test("Connections: decompresses a compressed body", async () => {
  const packed = new Uint8Array(
    await new Response(new Blob(["x".repeat(1000)]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(packed, { headers: { "content-encoding": "gzip" } }),
  );
  const connections = new Connections(new URL(`http://127.0.0.1:${server.addr.port}`));
  assertEquals(await (await connections.send(GET)).text(), "x".repeat(1000));
  connections.close();
  await server.shutdown();
});

Deno.test("Connections: rejects an endless head and a head that is not HTTP", async () => {
  await using server = new ScriptedServer(async (request, send, count) => {
    await request();
    if (count === 1) return await send("SSH-2.0-OpenSSH\r\n\r\n");
    for (;;) await send(`X-Header: ${"x".repeat(1000)}\r\n`);
  });
  await assertRejects(() => server.connections.send(GET), Error, "not an HTTP/1.1 response");
  await assertRejects(() => server.connections.send(GET), Error, "more than 65536 bytes");
});

Deno.test("Connections: rejects a header with a line break without quoting its value", async () => {
  const connections = new Connections(new URL("http://127.0.0.1:1"));
  const headers = [["authorization", "Bearer secret\r\nx: y"]] as const;
  const error = await assertRejects(() => connections.send({ ...GET, headers }), TypeError, '"authorization"');
  assert(!`${error.message} ${error.stack}`.includes("secret"));
});

Deno.test("Connections: new certificates use new connections, and the old ones are closed", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    for (;;) await send((await request(), OK));
  });
  for (const tls of [{ caCerts: ["one"] }, { caCerts: ["one"] }, { caCerts: ["two"] }]) {
    await (await server.connections.send({ ...GET, tls })).text();
  }
  assertEquals(server.count, 2);
});

Deno.test("Connections: a request after close() gets its response on a connection that is not reused", async () => {
  await using server = new ScriptedServer(async (request, send) => {
    for (;;) await send((await request(), OK));
  });
  const answer = await server.connections.send(GET);
  server.connections.close();
  assertEquals(await answer.json(), {});
  assertEquals(await (await server.connections.send(POST)).json(), {});
  await (await server.connections.send(POST)).json();
  // One connection for the first request, and one for each of the two later ones.
  assertEquals(server.count, 3);
});
