/** Tests of tickets and sessions. */
import { assert, assertEquals } from "@std/assert";
import { Tickets } from "./tickets.ts";

Deno.test("tickets: the ticket of a server starts any number of sessions, and other tickets are invalid", async () => {
  const tickets = new Tickets(() => 0);
  const first = await tickets.redeem(tickets.ticket);
  const second = await tickets.redeem(tickets.ticket);
  assert(first !== undefined && second !== undefined && first !== second);
  assertEquals([await tickets.isSession(first), await tickets.isSession(second)], [true, true]);
  assertEquals(await tickets.isSession(tickets.ticket), false);
  for (const other of ["", new Tickets(() => 0).ticket]) assertEquals(await tickets.redeem(other), undefined);
});

Deno.test("tickets: the oldest of more than 1,000 sessions ends", async () => {
  const tickets = new Tickets(() => 0);
  const first = await tickets.redeem(tickets.ticket);
  for (let count = 0; count < 1000; count++) await tickets.redeem(tickets.ticket);
  assertEquals(await tickets.isSession(first!), false);
});
