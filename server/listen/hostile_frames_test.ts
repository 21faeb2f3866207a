/** Tests of HTTP/2 frames that no honest client sends: each costs only its own connection. */
import { assert, assertEquals } from "@std/assert";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { listen } from "./listen.ts";
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  GET,
  HEADERS,
  PING,
  POST,
  PREFACE,
  RST_STREAM,
  SETTINGS,
  WIDE,
} from "./testing/frames.ts";

/** The maximum memory that such a connection may cost the process, including both ends and garbage. */
const MAX_BYTES = 160 << 20;

/** Concatenates `count` byte arrays. */
function times(count: number, make: (index: number) => Uint8Array): Uint8Array {
  return joinedBytes(Array.from({ length: count }, (_, index) => make(index)));
}

const CANCEL = Uint8Array.of(0, 0, 0, 8);
const odd = (index: number) => 2 * index + 1;

/** A header of 3,000 bytes that enters the HPACK table (index 62), and as many references to it as a block holds. */
const LITERAL = Uint8Array.of(0x40, 1, 0x78, 0x7f, ...sevenBits(3_000 - 127), ...new Uint8Array(3_000).fill(0x79));
function sevenBits(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...sevenBits(value >> 7)];
}

interface Flood {
  readonly name: string;
  /** The bytes that are sent after the preface, in each round. */
  readonly bytes: (round: number) => Uint8Array;
  readonly rounds: number;
  /** Whether the client never reads. */
  readonly neverReads?: boolean;
  /** Whether the server must close the connection. */
  readonly ends: boolean;
  /** The maximum number of requests that may reach the handler. */
  readonly max: number;
}

const FLOODS: readonly Flood[] = [
  {
    name: "50,000 requests that are each cancelled at once",
    bytes: (round) =>
      times(1_000, (index) => {
        const stream = odd(round * 1_000 + index);
        return joinedBytes([
          frame(HEADERS, END_HEADERS | END_STREAM, stream, GET),
          frame(RST_STREAM, 0, stream, CANCEL),
        ]);
      }),
    rounds: 50,
    ends: true,
    max: 10_000,
  },
  {
    name: "a head of 160 MB in CONTINUATION frames that never ends",
    bytes: (round) =>
      round === 0
        ? frame(HEADERS, END_STREAM, 1, GET)
        : times(100, () => frame(CONTINUATION, 0, 1, joinedBytes([LITERAL, LITERAL, LITERAL, LITERAL, LITERAL]))),
    rounds: 100,
    ends: true,
    max: 0,
  },
  {
    name: "100,000 CONTINUATION frames without a byte",
    bytes: (round) => round === 0 ? frame(HEADERS, END_STREAM, 1, GET) : times(1_000, () => frame(CONTINUATION, 0, 1)),
    rounds: 100,
    ends: true,
    max: 0,
  },
  {
    name: "heads that are small on the wire and 30 MB when they are read",
    bytes: (round) =>
      frame(
        HEADERS,
        END_HEADERS | END_STREAM,
        odd(round),
        joinedBytes([GET, LITERAL, new Uint8Array(10_000).fill(0x80 | 62)]),
      ),
    rounds: 50,
    ends: false,
    max: 0,
  },
  {
    name: "5,000 requests whose bodies never end",
    bytes: (round) => times(100, (index) => frame(HEADERS, END_HEADERS, odd(round * 100 + index), POST)),
    rounds: 50,
    ends: false,
    max: 1_000,
  },
  {
    name: "a million pings whose responses are not read",
    bytes: () => times(10_000, () => frame(PING, 0, 0, new Uint8Array(8))),
    rounds: 100,
    neverReads: true,
    ends: true,
    max: 0,
  },
  {
    name: "a million settings whose responses are not read",
    bytes: () => times(10_000, () => frame(SETTINGS, 0, 0, WIDE)),
    rounds: 100,
    neverReads: true,
    ends: true,
    max: 0,
  },
  {
    name: "half a million pieces of a body without a byte",
    bytes: (round) => round === 0 ? frame(HEADERS, END_HEADERS, 1, POST) : times(5_000, () => frame(DATA, 0, 1)),
    rounds: 100,
    ends: true,
    max: 1,
  },
];

/** Sends a flood. Resolves to whether the server closed the connection in time. */
async function send(port: number, { bytes, rounds, neverReads }: Flood, millis: number): Promise<boolean> {
  const client = await Deno.connect({ port });
  let isOver = false;
  let isClosed = false;
  const read = neverReads ? Promise.resolve() : (async () => {
    const buffer = new Uint8Array(64 << 10);
    while (await client.read(buffer).catch(() => null) !== null);
    isOver = true;
  })();
  const late = setTimeout(() => {
    isClosed = true;
    client.close();
  }, millis);
  try {
    await client.write(joinedBytes([PREFACE, frame(SETTINGS, 0, 0, WIDE)]));
    for (let round = 0; round < rounds && !isOver; round++) {
      for (let left = bytes(round); left.length > 0;) left = left.subarray(await client.write(left));
    }
    // A connection that was closed with unread bytes is reset; one that stays open is silent until it is closed here.
    const buffer = new Uint8Array(64 << 10);
    if (neverReads) { while (await client.read(buffer) !== null); }
    await read;
  } catch {
    /* it was ended, or closed here */
  } finally {
    clearTimeout(late);
    if (!isClosed) client.close();
  }
  return !isClosed;
}

for (const flood of FLOODS) {
  Deno.test(`hostile frames: ${flood.name}: ${flood.ends ? "the connection is closed" : "only a bounded part is read"}, others are served, and memory is bounded`, async () => {
    let asked = 0;
    const listening = await listen({
      hostname: "127.0.0.1",
      port: 0,
      stallMillis: 1_000,
      handler(request) {
        if (request.url.endsWith("/canary")) return Promise.resolve(new Response("alive"));
        asked++;
        return new Promise((resolve) => {
          request.signal.addEventListener("abort", () => resolve(new Response()), { once: true });
        });
      },
    });
    const before = Deno.memoryUsage().rss;
    let max = 0;
    let isDone = false;
    const canaries = (async () => {
      let answered = 0;
      while (!isDone) {
        const response = await fetch(`http://127.0.0.1:${listening.port}/canary`);
        assertEquals(await response.text(), "alive");
        answered++;
        max = Math.max(max, Deno.memoryUsage().rss - before);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return answered;
    })();
    const hasEnded = await send(listening.port, flood, flood.ends ? 20_000 : 2_000);
    isDone = true;
    const answered = await canaries;
    await listening.close();
    const told = `ended ${hasEnded}, ${asked} asked, ${max >> 20} MiB, ${answered} others answered`;
    if (flood.ends) assert(hasEnded, told);
    assert(asked <= flood.max, told);
    assert(max < MAX_BYTES, told);
    assert(answered > 0, told);
  });
}
