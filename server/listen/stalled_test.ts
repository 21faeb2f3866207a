/**
 * Tests of clients that send requests but do not read: each costs only its own connection and a bounded amount of
 * memory, for a limited time.
 */
import { connect as connectHttp2 } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { ownCertificate } from "@tiphys/base/x509";
import { awaitFact } from "../../tests/await_fact.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { listen } from "./listen.ts";
import type { Timers } from "./client_wait.ts";
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

const STALL_MILLIS = 120_000;
const STALLED = "no data of the body received within 120 s";
const NEVER = 1e12;
/** The number of requests of an HTTP/2 session whose responses are not read. */
const STREAMS = 100;
const CHUNK = new Uint8Array(64 << 10);
/** The maximum number of bytes that the kernel and the layers above it may hold for an unread connection. */
const MAX_HELD_BYTES = 24 << 20;

/** An endless source that counts how much is read. */
function endlessSource() {
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

/** The bytes of an HTTP/2 session with the given number of requests and windows of 2 GiB. */
function requestFrames(streams: number): Uint8Array {
  const wide = frame(WINDOW_UPDATE, 0, 0, Uint8Array.of(0x7f, 0xfe, 0, 0));
  const requests = Array.from(
    { length: streams },
    (_, index) => frame(HEADERS, END_HEADERS | END_STREAM, 2 * index + 1, GET),
  );
  return joinedBytes([PREFACE, frame(SETTINGS, 0, 0, WIDE), wide, ...requests]);
}

/** Advances the clock until a condition holds. */
async function advanceUntil(
  subject: string,
  isOver: () => boolean | Promise<boolean>,
  clock = fakeClock(),
  millis = STALL_MILLIS,
) {
  await awaitFact(subject, async () => {
    clock.advance(millis);
    return await isOver();
  }, { seconds: 120 });
}

/** An endless source, and whether its reader has left. */
function watchedSource() {
  const source = endlessSource();
  let isLeft = false;
  source.left.then(() => isLeft = true);
  return { ...source, isLeft: () => isLeft };
}

for (const tls of [undefined, ownCertificate("ArgoProj", new Date())]) {
  const how = tls ? "over TLS" : "in plain text";
  const connect = (port: number, protocol = "http/1.1") => {
    const address = { hostname: "localhost", port };
    return tls
      ? Deno.connectTls({ ...address, caCerts: [tls.cert], alpnProtocols: [protocol] })
      : Deno.connect(address);
  };

  Deno.test(`stalled clients: an HTTP/1.1 client ${how} that does not read is disconnected, with little buffered until then`, async () => {
    const source = watchedSource();
    const clock = fakeClock();
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: source.handler, timers: clock });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await advanceUntil("the client is given up", source.isLeft, clock);
    assert(source.taken() < MAX_HELD_BYTES, `${source.taken()} bytes were taken for nobody`);
    // Data that had arrived is read; then the connection is closed.
    const buffer = new Uint8Array(1 << 20);
    while (await client.read(buffer).catch(() => null) !== null);
    client.close();
    await listening.close();
  });

  Deno.test(`stalled clients: a body ${how} that stops arriving times out`, async () => {
    const read = async (request: Request) =>
      new Response(await request.text().catch((error) => (error as Error).message));
    const clock = fakeClock();
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler: read, timers: clock });
    const address = `${tls ? "https" : "http"}://localhost:${listening.port}`;
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"));
    const session = deferSessionEnd(connectHttp2(address, tls ? { ca: tls.cert } : {}));
    const stream = session.request({ ":path": "/", ":method": "POST" });
    stream.write("half");
    const texts = ["", ""];
    stream.setEncoding("utf8").on("data", (part: string) => texts[0] += part);
    const answered = (async () => {
      for (const buffer = new Uint8Array(4096); !texts[1]!.includes(STALLED);) {
        texts[1] += new TextDecoder().decode(buffer.subarray(0, await client.read(buffer) ?? 0));
      }
    })();
    await advanceUntil("both are answered", () => texts.every((text) => text.includes(STALLED)), clock);
    await answered;
    client.close();
    session.destroy();
    await listening.close();
  });

  Deno.test(`stalled clients: an unread HTTP/2 stream ${how} times out, and other streams of its session continue`, async () => {
    const source = watchedSource();
    const clock = fakeClock();
    const handler = (request: Request) =>
      request.url.endsWith("/endless") ? source.handler() : Promise.resolve(new Response("whole"));
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, timers: clock });
    const address = `${tls ? "https" : "http"}://localhost:${listening.port}`;
    const session = deferSessionEnd(connectHttp2(address, tls ? { ca: tls.cert } : {}));
    const stuck = session.request({ ":path": "/endless" });
    stuck.on("error", () => {});
    await advanceUntil("the stream is given up", source.isLeft, clock);
    assert(source.taken() < MAX_HELD_BYTES, `${source.taken()} bytes were taken for nobody`);
    const other = session.request({ ":path": "/other" });
    let text = "";
    for await (const part of other.setEncoding("utf8")) text += part;
    assertEquals(text, "whole");
    session.destroy();
    await listening.close();
  });

  Deno.test(`stalled clients: an HTTP/1.1 client ${how} that disconnects during a response leaves no timer behind`, async () => {
    const left = Promise.withResolvers<void>();
    const handler = ({ signal }: Request) => {
      signal.addEventListener("abort", () => left.resolve());
      return Promise.resolve(new Response(new ReadableStream({ start: (controller) => controller.enqueue(CHUNK) })));
    };
    const clock = fakeClock();
    const set = new Set<() => void>();
    const timers: Timers = {
      after(millis, act) {
        const takeBack = clock.after(millis, act);
        set.add(act);
        return () => {
          set.delete(act);
          takeBack();
        };
      },
    };
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, timers });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await client.read(new Uint8Array(CHUNK.length));
    client.close();
    await left.promise;
    await awaitFact("no timer is left", () => Promise.resolve(set.size === 0), { seconds: 60 });
    await listening.close();
  });

  Deno.test(`stalled clients: a slow client ${how} that keeps reading receives the whole response`, async () => {
    const body = new Uint8Array(32 << 20);
    const handler = () => Promise.resolve(new Response(body));
    const clock = fakeClock();
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, timers: clock });
    const client = await connect(listening.port);
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    const buffer = new Uint8Array(64 << 10);
    let seen = 0;
    let waits = clock.timersSet;
    for (let size = await client.read(buffer); size !== null; size = await client.read(buffer)) {
      seen += size;
      // The clock advances whenever the response waits again, each time by almost the timeout.
      if (clock.timersSet > waits) clock.advance(STALL_MILLIS - 1);
      waits = clock.timersSet;
    }
    assert(clock.elapsed > 2 * STALL_MILLIS, `${clock.elapsed}`);
    assert(seen > body.length, `${seen} of ${body.length} bytes came`);
    client.close();
    await listening.close();
  });

  Deno.test(`stalled clients: a slow HTTP/2 session ${how} continues as long as it is read`, async () => {
    // Between two checks of the connection more is read than the kernel and the layers above it may hold.
    const [BYTES, MOST_READ, MILLIS] = [
      64 << 10,
      5 * MAX_HELD_BYTES,
      2 * STALL_MILLIS / (MAX_HELD_BYTES / (64 << 10)) / 5,
    ];
    const clock = fakeClock();
    const listening = await listen({
      hostname: "127.0.0.1",
      port: 0,
      tls,
      handler: () => endlessSource().handler(),
      timers: clock,
    });
    const client = await connect(listening.port, "h2");
    await client.write(requestFrames(STREAMS));
    const buffer = new Uint8Array(BYTES);
    let seen = 0;
    while (seen < MOST_READ) {
      const size = await client.read(buffer);
      assert(size, `the connection was ended after ${seen} bytes`);
      seen += size;
      clock.advance(MILLIS * size / BYTES);
    }
    assert(clock.elapsed > STALL_MILLIS, `${clock.elapsed}`);
    client.close();
    await listening.close();
  });

  for (const by of ["an answer", "its rest"]) {
    Deno.test(`stalled clients: an unread HTTP/2 session ${how} is closed with all its streams, by ${by}`, async () => {
      let [asked, taken, given] = [0, 0, 0];
      const clock = fakeClock();
      const handler = (request: Request) => {
        if (request.url.endsWith("/other")) return Promise.resolve(new Response("whole"));
        asked++;
        const source = endlessSource();
        source.left.then(() => {
          taken += source.taken();
          given++;
        });
        return source.handler();
      };
      const times = by === "an answer" ? { timers: clock } : { stallMillis: NEVER, restTimers: clock };
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls, handler, ...times, mostConnections: 1 });
      const client = await connect(listening.port, "h2");
      for (let left = requestFrames(STREAMS); left.length > 0;) left = left.subarray(await client.write(left));
      // A session that was closed before accepts no more requests.
      await awaitFact("all requests have arrived", () => asked === STREAMS, { seconds: 120 });
      await advanceUntil("all are given up", () => given === STREAMS, clock);
      assert(taken < 4 * MAX_HELD_BYTES, `${taken} bytes were taken for nobody`);
      // The port allows one connection: another is served when the first is gone.
      const ask = async () => {
        using other = await connect(listening.port);
        await other.write(new TextEncoder().encode("GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        return await new Response(other.readable).text();
      };
      await advanceUntil("the connection is gone", async () => (await ask().catch(() => "")).includes("whole"), clock);
      client.close();
      await listening.close();
    });
  }
}
