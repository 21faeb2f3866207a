/** The assignment and closing of sessions in a pool. */
import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import type { Pool } from "./connection.ts";
import { SessionPool } from "./session_pool.ts";

const LIMITS: Pool = { maxOpen: 2, idleSeconds: 60, lifeSeconds: undefined, connectTimeoutSeconds: 5 };

/** A pool of numbered sessions, with a record of closed ones. */
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

Deno.test("SessionPool: a session has one user at a time and goes to the next waiter when it is released", async () => {
  const { pool, opened } = bench();
  const [one, two] = [await pool.acquire(), await pool.acquire()];
  const order: number[] = [];
  const waiting = [0, 1].map((place) => pool.acquire().then((session) => [order.push(place), session.id]));
  pool.release(two);
  pool.release(one);
  assertEquals(await Promise.all(waiting), [[1, 2], [2, 1]]);
  assertEquals([order, opened()], [[0, 1], 2]);
});

Deno.test("SessionPool: closes a session after a long idle time, but not one in use", async () => {
  const { pool, clock, closed } = bench();
  const [held, idle] = [await pool.acquire(), await pool.acquire()];
  pool.release(idle);
  clock.advance(59_999);
  assertEquals(closed, []);
  clock.advance(600_000);
  assertEquals(closed, [idle.id]);
  pool.release(held);
  // The time counts from the release.
  clock.advance(59_999);
  assertEquals(closed, [idle.id]);
  assertEquals((await pool.acquire()).id, held.id);
});

Deno.test("SessionPool: closes a session after its lifetime when it is released or idle", async () => {
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

Deno.test("SessionPool: aborting closes the session in use, and an aborted waiter gets no session", async () => {
  const { pool, closed, opened } = bench({ maxOpen: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const session = await pool.acquire(first.signal);
  const late = assertRejects(() => pool.acquire(second.signal), DOMException, "aborted");
  const next = pool.acquire();
  second.abort();
  assertEquals(closed, []);
  first.abort();
  assertEquals(closed, [session.id]);
  pool.release(session);
  await late;
  const two = await next;
  assertEquals([two.id, opened()], [2, 2]);
  pool.release(two);
  // Aborting after the release has no effect.
  const third = new AbortController();
  pool.release(await pool.acquire(third.signal));
  third.abort();
  assertEquals(closed, [session.id]);
  await assertRejects(() => pool.acquire(third.signal), DOMException, "aborted");
});

Deno.test("SessionPool: a broken session is not reused; idle ones are closed, and those in use remain", async () => {
  const { pool, closed, ...world } = bench({ maxOpen: 3 });
  const [broken, held, idle] = [await pool.acquire(), await pool.acquire(), await pool.acquire()];
  pool.release(idle);
  world.break(broken.id);
  assertEquals(closed, [idle.id]);
  pool.release(broken);
  assertEquals(closed, [idle.id, broken.id]);
  pool.release(held);
  assertEquals((await pool.acquire()).id, held.id);
  // A session that its user discards is closed alone.
  pool.release(held, true);
  assertEquals(closed, [idle.id, broken.id, held.id]);
});

Deno.test("SessionPool: a waiter gets a new session in place of a broken one, or the error of opening it", async () => {
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

Deno.test("SessionPool: closing rejects waiters, closes sessions that open late, and leaves those in use", async () => {
  const { pool, closed } = bench();
  const session = await pool.acquire();
  const late = assertRejects(() => pool.acquire(), Error, "The pool is closed");
  const waiting = assertRejects(() => pool.acquire(), Error, "The pool is closed");
  const ended = pool.close();
  await Promise.all([late, waiting]);
  assertEquals(closed, [2]);
  pool.release(session);
  await ended;
  assertEquals(closed, [2, session.id]);
  await assertRejects(() => pool.acquire(), Error, "The pool is closed");
});

Deno.test("SessionPool: aborting a closed pool closes the sessions in use", async () => {
  for (const isStoppedFirst of [true, false]) {
    const { pool, closed, stop } = bench();
    const session = await pool.acquire();
    if (isStoppedFirst) stop.abort();
    const ended = pool.close();
    stop.abort();
    await ended;
    assertEquals(closed, [session.id]);
    pool.release(session);
  }
});
