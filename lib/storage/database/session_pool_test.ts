/** What a pool does with its sessions: who gets one, and when it is closed. */
import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import type { Pool } from "./connection.ts";
import { SessionPool } from "./session_pool.ts";

const LIMITS: Pool = { maxOpen: 2, idleSeconds: 60, lifeSeconds: undefined, connectTimeoutSeconds: 5 };

/** A pool of numbered sessions, and what became of them. */
function bench(limits: Partial<Pool> = {}) {
  const clock = fakeClock();
  const closed: number[] = [];
  const breaks: (() => void)[] = [];
  const stop = new AbortController();
  let refusals = 0;
  const pool = new SessionPool(
    (broke) => {
      if (refusals-- > 0) return Promise.reject(new Error("The server refused"));
      const id = breaks.push(broke);
      return Promise.resolve({ id, close: () => Promise.resolve(void closed.push(id)) });
    },
    { pool: { ...LIMITS, ...limits }, clock, stop: stop.signal },
  );
  return {
    clock,
    closed,
    pool,
    stop,
    break: (id: number) => breaks[id - 1]?.(),
    refuse: (times: number) => refusals = times,
    opened: () => breaks.length,
  };
}

Deno.test("a session has one holder at a time, and goes to the next who waits when it is released", async () => {
  const { pool, opened } = bench();
  const [one, two] = [await pool.acquire(), await pool.acquire()];
  const order: number[] = [];
  const waiting = [0, 1].map((place) => pool.acquire().then((session) => [order.push(place), session.id]));
  pool.release(two);
  pool.release(one);
  assertEquals(await Promise.all(waiting), [[1, 2], [2, 1]]);
  assertEquals([order, opened()], [[0, 1], 2]);
});

Deno.test("a session that was idle for long is closed, and one that is held for as long is not", async () => {
  const { pool, clock, closed } = bench();
  const [held, idle] = [await pool.acquire(), await pool.acquire()];
  pool.release(idle);
  clock.advance(59_999);
  assertEquals(closed, []);
  clock.advance(600_000);
  assertEquals(closed, [idle.id]);
  pool.release(held);
  // The time counts from when it was released.
  clock.advance(59_999);
  assertEquals(closed, [idle.id]);
  assertEquals((await pool.acquire()).id, held.id);
});

Deno.test("a session whose life is over is closed when its holder releases it, or while it is idle", async () => {
  const { pool, clock, closed } = bench({ lifeSeconds: 30 });
  const [held, idle] = [await pool.acquire(), await pool.acquire()];
  clock.advance(20_000);
  pool.release(idle);
  clock.advance(10_000);
  assertEquals(closed, [idle.id]);
  pool.release(held);
  assertEquals(closed, [idle.id, held.id]);
  assertEquals((await pool.acquire()).id, 3);
});

Deno.test("a session is closed under its holder who gives up, and none who gave up before gets one", async () => {
  const { pool, closed, opened } = bench({ maxOpen: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const one = await pool.acquire(first.signal);
  const late = assertRejects(() => pool.acquire(second.signal), DOMException, "aborted");
  const next = pool.acquire();
  second.abort();
  assertEquals(closed, []);
  first.abort();
  assertEquals(closed, [one.id]);
  pool.release(one);
  await late;
  const two = await next;
  assertEquals([two.id, opened()], [2, 2]);
  pool.release(two);
  // Who released it gives nothing up.
  const third = new AbortController();
  pool.release(await pool.acquire(third.signal));
  third.abort();
  assertEquals(closed, [one.id]);
  await assertRejects(() => pool.acquire(third.signal), DOMException, "aborted");
});

Deno.test("a session that broke is given to nobody again; the idle ones go with it, and those that others hold stay", async () => {
  const { pool, closed, ...world } = bench({ maxOpen: 3 });
  const [broken, held, idle] = [await pool.acquire(), await pool.acquire(), await pool.acquire()];
  pool.release(idle);
  world.break(broken.id);
  assertEquals(closed, [idle.id]);
  pool.release(broken);
  assertEquals(closed, [idle.id, broken.id]);
  pool.release(held);
  assertEquals((await pool.acquire()).id, held.id);
  // One that its holder would not use again goes alone.
  pool.release(held, true);
  assertEquals(closed, [idle.id, broken.id, held.id]);
});

Deno.test("who waits gets a new session in the place of one that broke, or the error of opening it", async () => {
  const { pool, ...world } = bench();
  const [one, two] = [await pool.acquire(), await pool.acquire()];
  const waiting = [pool.acquire(), pool.acquire()];
  world.refuse(1);
  world.break(one.id);
  world.break(two.id);
  pool.release(one);
  pool.release(two);
  await assertRejects(() => waiting[0]!, Error, "The server refused");
  assertEquals((await waiting[1])?.id, 3);
});

Deno.test("a pool that is closed refuses who waits, keeps nothing that is opened late, and leaves a session to its holder", async () => {
  const { pool, closed } = bench();
  const one = await pool.acquire();
  const late = assertRejects(() => pool.acquire(), Error, "The pool is closed");
  const waiting = assertRejects(() => pool.acquire(), Error, "The pool is closed");
  const ended = pool.close();
  await Promise.all([late, waiting]);
  assertEquals(closed, [2]);
  pool.release(one);
  await ended;
  assertEquals(closed, [2, one.id]);
  await assertRejects(() => pool.acquire(), Error, "The pool is closed");
});

Deno.test("a pool that is closed and told to stop closes the sessions under those who hold them", async () => {
  for (const isStoppedFirst of [true, false]) {
    const { pool, closed, stop } = bench();
    const one = await pool.acquire();
    if (isStoppedFirst) stop.abort();
    const ended = pool.close();
    stop.abort();
    await ended;
    assertEquals(closed, [one.id]);
    pool.release(one);
  }
});
