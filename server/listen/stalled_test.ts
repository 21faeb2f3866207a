/** Clients that ask and do not read: each costs its own connection, a bounded piece of memory, and that for a time only. */
import { connect as connectHttp2 } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { ownCertificate } from "../../lib/x509/mod.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { joinedBytes } from "../../lib/joined_bytes.ts";
import { listen } from "./listen.ts";
import { endUnread } from "./send.ts";
import {
  END_HEADERS,
  END_STREAM,
  frame,
  GET,
  HEADERS,
  PREFACE,
  SETTINGS,
  WIDE,
  WINDOW_UPDATE,
} from "./testing/frames.ts";

const STALL_MILLIS = 400;
/** What gives up a connection that takes nothing: an answer that waits for it, and the time for which it rests. */
const GIVEN_UP = [
  ["an answer", { stallMillis: STALL_MILLIS }],
  ["its rest", { restMillis: STALL_MILLIS }],
] as const;
const CHUNK = new Uint8Array(64 << 10);
/** What the kernel, and the layers above it, may hold for one connection that is not read. */
const MOST_HELD = 24 << 20;

/** A source without an end that counts what is taken of it. */
function endless() {
  const left = Promise.withResolvers<void>();
  let taken = 0;
  return {
    left: left.promise,
    taken: () => taken,
    handler: () =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            pull(controller) {
              taken += CHUNK.length;
              controller.enqueue(CHUNK);
            },
            cancel: () => left.resolve(),
          }),
        ),
      ),
  };
}

/** The bytes of a session of HTTP/2 with so many requests and windows of 2 GiB. */
function askingFor(streams: number): Uint8Array {
  const wide = frame(WINDOW_UPDATE, 0, 0, Uint8Array.of(0x7f, 0xfe, 0, 0));
  const requests = Array.from(
    { length: streams },
    (_, at) => frame(HEADERS, END_HEADERS | END_STREAM, 2 * at + 1, GET),
  );
  return joinedBytes([PREFACE, frame(SETTINGS, 0, 0, WIDE), wide, ...requests]);
}

Deno.test("a session that has rested is not ended for bytes that came for it a moment ago", async () => {
  let resets = 0;
  const socket = { bytesWritten: 10, writableLength: 0, resetAndDestroy: () => void resets++ };
  const look = () => endUnread({ socket } as never, 20);
  const [atRest, full] = [look(), { ...socket, writableLength: 10 }];
  Object.assign(socket, { bytesWritten: 20, writableLength: 10 });
  endUnread({ socket: full } as never, 20);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assertEquals([atRest, resets], [undefined, 1]);
});

for (const tls of [undefined, ownCertificate("ArgoProj", new Date())]) {
  const how = tls ? "over TLS" : "in plain text";
  const connect = (port: number, protocol = "http/1.1") => {
    const at = { hostname: "localhost", port };
    return tls ? Deno.connectTls({ ...at, caCerts: [tls.cert], alpnProtocols: [protocol] }) : Deno.connect(at);
  };

  Deno.test(`a client of HTTP/1.1 ${how} that does not read is given up, and little is held for it until then`, async () => {
    const source = endless();
    const listening = await listen({
      hostname: "127.0.0.1",
      port: 0,
      tls,
      handler: source.handler,
      stallMillis: STALL_MILLIS,
    });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await source.left;
    assert(source.taken() < MOST_HELD, `${source.taken()} bytes were taken for nobody`);
    // What had come to this side is read; then the connection is over.
    const buffer = new Uint8Array(1 << 20);
    while (await client.read(buffer).catch(() => null) !== null);
    client.close();
    await listening.close();
  });

  Deno.test(`a stream of HTTP/2 ${how} that is not read is given up, and the others of its session go on`, async () => {
    const source = endless();
    const handler = (request: Request) =>
      request.url.endsWith("/endless") ? source.handler() : Promise.resolve(new Response("whole"));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, stallMillis: STALL_MILLIS });
    const address = `${tls ? "https" : "http"}://localhost:${listening.port}`;
    const session = connectHttp2(address, tls ? { ca: tls.cert } : {});
    const stuck = session.request({ ":path": "/endless" });
    stuck.on("error", () => {});
    await source.left;
    assert(source.taken() < MOST_HELD, `${source.taken()} bytes were taken for nobody`);
    const other = session.request({ ":path": "/other" });
    let text = "";
    for await (const part of other.setEncoding("utf8")) text += part;
    assertEquals(text, "whole");
    session.destroy();
    await listening.close();
  });

  Deno.test(`a client of HTTP/1.1 ${how} that leaves in the middle of an answer leaves no timer behind`, async () => {
    const left = Promise.withResolvers<void>();
    const handler = ({ signal }: Request) => {
      signal.addEventListener("abort", () => left.resolve());
      return Promise.resolve(new Response(new ReadableStream({ start: (controller) => controller.enqueue(CHUNK) })));
    };
    const begun: number[] = [];
    const { setTimeout } = globalThis;
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, stallMillis: STALL_MILLIS });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await client.read(new Uint8Array(CHUNK.length));
    globalThis.setTimeout = ((act: () => void, millis: number) => {
      begun.push(millis);
      return setTimeout(act, millis);
    }) as typeof setTimeout;
    try {
      client.close();
      await left.promise;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    assertEquals(begun.filter((millis) => millis === STALL_MILLIS), []);
    await listening.close();
  });

  Deno.test(`a client ${how} that reads slower than it is told, and does read, is told all of it`, async () => {
    const body = new Uint8Array(12 << 20);
    const handler = () => Promise.resolve(new Response(body));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, stallMillis: STALL_MILLIS });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    const buffer = new Uint8Array(1 << 20);
    let seen = 0;
    let pauses = 0;
    for (let size = await client.read(buffer); size !== null; size = await client.read(buffer)) {
      seen += size;
      // All the pauses together are longer than a client that reads nothing is waited for.
      if (seen > pauses * (1 << 20)) {
        pauses++;
        await new Promise((resolve) => setTimeout(resolve, STALL_MILLIS / 5));
      }
    }
    assert(pauses > 6, `${pauses}`);
    assert(seen > body.length, `${seen} of ${body.length} bytes came`);
    client.close();
    await listening.close();
  });

  Deno.test(`a session of HTTP/2 ${how} that is read more slowly than all its streams are told goes on`, async () => {
    const STREAMS = 100;
    const [BYTES, MILLIS] = [64 << 10, 20];
    const listening = await listen({
      hostname: "127.0.0.1",
      port: 0,
      tls,
      handler: () => endless().handler(),
      stallMillis: 1_500,
    });
    const client = await connect(listening.port, "h2");
    await client.write(askingFor(STREAMS));
    const buffer = new Uint8Array(BYTES);
    let seen = 0;
    for (const begun = performance.now(); performance.now() - begun < 7_000;) {
      const size = await client.read(buffer);
      assert(size, `the connection was ended after ${seen} bytes`);
      seen += size;
      await new Promise((resolve) => setTimeout(resolve, MILLIS));
    }
    client.close();
    await listening.close();
  });

  for (const [by, times] of GIVEN_UP) {
    Deno.test(`a session of HTTP/2 ${how} whose bytes nobody reads is given up with all its streams, by ${by}`, async () => {
      const STREAMS = 100;
      let [taken, given] = [0, 0];
      const allLeft = Promise.withResolvers<void>();
      const handler = (request: Request) => {
        if (request.url.endsWith("/other")) return Promise.resolve(new Response("whole"));
        const source = endless();
        source.left.then(() => {
          taken += source.taken();
          if (++given === STREAMS) allLeft.resolve();
        });
        return source.handler();
      };
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, ...times, mostConnections: 1 });
      const client = await connect(listening.port, "h2");
      for (let left = askingFor(STREAMS); left.length > 0;) left = left.subarray(await client.write(left));
      await allLeft.promise;
      assert(taken < 4 * MOST_HELD, `${taken} bytes were taken for nobody`);
      // The port has room for one connection: another is answered when the first is gone.
      const ask = async () => {
        using other = await connect(listening.port);
        await other.write(new TextEncoder().encode("GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        return await new Response(other.readable).text();
      };
      await awaitFact("the connection is gone", async () => (await ask().catch(() => "")).includes("whole"), {
        seconds: 20,
      });
      client.close();
      await listening.close();
    });
  }
}
