import { assertEquals } from "@std/assert";
import { PendingActions } from "./pending_actions.ts";

Deno.test("PendingActions: a name in flight is not run again until its action has ended", async () => {
  const pending = new PendingActions();
  const finish: (() => void)[] = [];
  const act = () => new Promise<void>((resolve) => finish.push(resolve));
  pending.begin("label a", act);
  pending.begin("label a", act);
  pending.begin("label b", act);
  assertEquals(finish.length, 2);
  for (const done of finish) done();
  await pending.idle();
  pending.begin("label a", act);
  assertEquals(finish.length, 3);
});

Deno.test("PendingActions: accepts the same name again in the callback with the result", async () => {
  const pending = new PendingActions();
  let times = 0;
  const again = () => {
    if (++times < 3) pending.begin("create a", () => Promise.resolve(), again);
  };
  pending.begin("create a", () => Promise.resolve(), again);
  await pending.idle();
  assertEquals(times, 3);
});
