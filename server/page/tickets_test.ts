/** Tickets and sessions. */
import { assert, assertEquals } from "@std/assert";
import { Tickets } from "./tickets.ts";

Deno.test("a ticket becomes a session once, and not after a minute", async () => {
  let now = 0;
  const tickets = new Tickets(() => now);
  const first = await tickets.give();
  const token = await tickets.redeem(first);
  assert(token !== undefined && await tickets.isSession(token));
  assertEquals(await tickets.redeem(first), undefined);
  const late = await tickets.give();
  now = 60_000;
  assertEquals(await tickets.redeem(late), undefined);
  assertEquals(await tickets.isSession(late), false);
  assertEquals(await tickets.redeem(""), undefined);
});

Deno.test("tickets that nobody uses do not pile up: the oldest go", async () => {
  const tickets = new Tickets(() => 0);
  const first = await tickets.give();
  for (let count = 0; count < 1000; count++) await tickets.give();
  assertEquals(await tickets.redeem(first), undefined);
});
