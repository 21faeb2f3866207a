import { assert, assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { garbageCollector } from "../../lib/base/testing/garbage_collector.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { listen } from "./listen.ts";
import { closeWhenIdle } from "./close_when_idle.ts";
import { frame, PREFACE, SETTINGS } from "./testing/frames.ts";

/** A session that is checked every 20 ms: its state after a change of its connection and some time. */
function watchedSession() {
  const connection = { bytesRead: 0, bytesWritten: 10, writableLength: 0 };
  const became = { closed: 0, reset: 0 };
  const socket = Object.assign(connection, { resetAndDestroy: () => void became.reset++ });
  const clock = fakeClock();
  const lookNoMore = closeWhenIdle({ socket, close: () => void became.closed++ } as never, 20, clock);
  const after = (millis: number, change: Partial<typeof connection> = {}) => {
    Object.assign(connection, change);
    clock.advance(millis);
    return [became.closed, became.reset];
  };
  return { after, clock, lookNoMore };
}

Deno.test("closeWhenIdle: closes an idle session once", () => {
  const { after } = watchedSession();
  assertEquals(after(20, { bytesRead: 1 }), [0, 0]);
  assertEquals(after(20, { bytesWritten: 20 }), [0, 0]);
  assertEquals(after(20), [1, 0]);
  assertEquals(after(200), [1, 0]);
});

Deno.test("closeWhenIdle: resets the connection if it accepts no buffered data for the same time", () => {
  const { after } = watchedSession();
  assertEquals(after(20), [1, 0]);
  // Data that was buffered a moment ago has not waited yet.
  after(10);
  assertEquals(after(10, { bytesWritten: 20, writableLength: 10 }), [1, 0]);
  assertEquals(after(20, { writableLength: 8 }), [1, 0]);
  assertEquals(after(20), [1, 1]);
});

Deno.test("closeWhenIdle: tolerates a session that detached its connection", () => {
  const clock = fakeClock();
  let isGone = false;
  const told = () => {
    if (isGone) throw new Error("The socket has been disconnected from the Http2Session");
    return 10;
  };
  const socket = {
    get bytesRead() {
      return told();
    },
    get bytesWritten() {
      return told();
    },
    get writableLength() {
      return told();
    },
  };
  const close = () => {
    throw new Error("there is nothing to close");
  };
  closeWhenIdle({ socket, close } as never, 20, clock);
  isGone = true;
  clock.advance(60);
});

Deno.test("closeWhenIdle: sets no timer after it was stopped", () => {
  const { clock, lookNoMore } = watchedSession();
  lookNoMore();
  const { timersSet } = clock;
  clock.advance(60);
  assertEquals(clock.timersSet, timersSet);
});

Deno.test("closeWhenIdle: a thousand ended sessions leave no timers and no memory", async () => {
  const collect = garbageCollector();
  let sessions = 0;
  let takenBack = 0;
  const restTimers = {
    after() {
      sessions++;
      return () => void takenBack++;
    },
  };
  const handler = () => Promise.resolve(new Response());
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler, restTimers });
  const round = async (count: number) => {
    const all = sessions + count;
    for (let index = 0; index < count; index++) {
      using client = await Deno.connect({ hostname: "127.0.0.1", port: listening.port });
      await client.write(PREFACE);
      await client.write(frame(SETTINGS, 0, 0));
      await client.read(new Uint8Array(100));
    }
    await awaitFact("all have ended", () => sessions === all && takenBack === all, { seconds: 120 });
  };
  const held = () => {
    collect();
    return Deno.memoryUsage().heapUsed;
  };
  await round(300);
  const before = held();
  await round(1000);
  // A session needs three kilobytes. Some memory is released in a later turn.
  await awaitFact("the memory is what it was", () => held() - before < 1 << 20, { seconds: 60 });
  assert(sessions === 1300, `${sessions} sessions`);
  await listening.close();
});
