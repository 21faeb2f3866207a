import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { Incoming } from "./incoming.ts";
import { NetError } from "./net.ts";
import { Watchdog } from "./watchdog.ts";
import { Wire } from "./wire.ts";

const STALL = 60_000;

/** Returns the head and the body of a response whose pieces arrive one after another, `seconds` apart. */
async function answered(pieces: readonly string[], seconds: number): Promise<[status: number, body: string]> {
  const clock = fakeClock();
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  let isClosed = false;
  const carrier = {
    async read(into: Uint8Array) {
      await Promise.resolve();
      clock.advance(seconds * 1000);
      if (isClosed) throw new Deno.errors.Interrupted("closed");
      const piece = left.shift();
      if (piece) into.set(piece);
      return piece?.length ?? null;
    },
    write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
    close: () => void (isClosed = true),
  };
  const wire = new Wire(carrier, clock, "http://store");
  const dog = new Watchdog(clock, STALL);
  dog.watch(wire);
  const incoming = new Incoming(wire);
  try {
    const { status, framing } = await incoming.head("GET");
    const next = incoming.body(framing);
    let body = "";
    for (let part = await next(); part; part = await next()) body += new TextDecoder().decode(part);
    return [status, body];
  } finally {
    dog.forget(wire);
  }
}

Deno.test("Watchdog: a head that arrives byte by byte fails if it is incomplete after the stall timeout", async () => {
  const head = [..."HTTP/1.1 200 OK\r\nA: b\r\n\r\n"];
  const error = await assertRejects(() => answered(head, 50), NetError);
  assertEquals(error.message, "http://store stalled: the response head was incomplete after 60 s");
  assertEquals(error.passes, true);
  assertEquals(await answered(head, 1), [200, ""]);
});

Deno.test("Watchdog: each informational head and each part of a body has its own timeout", async () => {
  const pieces = ["HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"];
  assertEquals(await answered([...pieces, "a", "b", "c"], 50), [200, "abc"]);
  const halves = pieces.flatMap((piece) => [piece.slice(0, 5), piece.slice(5)]);
  assertEquals(await answered(halves, 50), [200, ""]);
  await assertRejects(() => answered(pieces, 61), NetError, "stalled: no data for 60 s");
});
