import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { Incoming } from "./incoming.ts";
import { NetError } from "./net.ts";
import { Watchdog } from "./watchdog.ts";
import { Wire } from "./wire.ts";

const STALL = 60_000;

/** The head, and the text of the body, of an answer whose pieces come one after the other, so many seconds between them. */
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

Deno.test("a head that comes byte by byte, each in time, is given up when it is not whole after the time of a stall", async () => {
  const head = [..."HTTP/1.1 200 OK\r\nA: b\r\n\r\n"];
  const error = await assertRejects(() => answered(head, 50), NetError);
  assertEquals(error.message, "http://store stalled: the head of its answer was not whole after 60 s");
  assertEquals(error.passes, true);
  assertEquals(await answered(head, 1), [200, ""]);
});

Deno.test("heads that only go before the answer, and the parts of a body, have their time each", async () => {
  const pieces = ["HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"];
  assertEquals(await answered([...pieces, "a", "b", "c"], 50), [200, "abc"]);
  const halves = pieces.flatMap((piece) => [piece.slice(0, 5), piece.slice(5)]);
  assertEquals(await answered(halves, 50), [200, ""]);
  await assertRejects(() => answered(pieces, 61), NetError, "stalled: not a byte for 60 s");
});
