import { assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { KubeError } from "@tiphys/kube";
import { type Log, silentLog } from "@tiphys/base/log";
import { DelayedActions } from "./delayed_actions.ts";

/** Delayed actions with a controlled clock, and the seconds at which they ran. */
function world() {
  const clock = fakeClock();
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_message, fields) => void warnings.push(fields?.triedAgain) };
  const delayed = new DelayedActions({ clock, log });
  const done: string[] = [];
  const act = (name: string, end: () => Promise<void> = () => Promise.resolve()) => () => {
    done.push(`${name} at ${clock.elapsed / 1000}`);
    return end();
  };
  const advance = async (seconds: number) => {
    clock.advance(seconds * 1000);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { delayed, act, done, warnings, advance };
}

Deno.test("DelayedActions: runs an action once per name at its time, and accepts the name again afterwards", async () => {
  const { delayed, act, done, advance } = world();
  delayed.plan("a", 2000, act("a"));
  delayed.plan("a", 1000, act("another a"));
  delayed.plan("b", 1000, act("b"));
  await advance(5);
  assertEquals(done, ["b at 1", "a at 2"]);
  delayed.plan("a", 1000, act("a"));
  await advance(5);
  assertEquals(done.slice(2), ["a at 6"]);
});

Deno.test("DelayedActions: retries an action after ten seconds only if a retry may help", async () => {
  const { delayed, act, done, warnings, advance } = world();
  const failing = (status: number) => () => Promise.reject(new KubeError("no", { status }));
  delayed.plan("down", 0, act("down", failing(503)));
  delayed.plan("invalid", 0, act("invalid", failing(422)));
  await advance(1);
  await advance(8);
  assertEquals(done, ["down at 0", "invalid at 0"]);
  await advance(2);
  assertEquals([done.at(-1), done.length], ["down at 11", 3]);
  assertEquals(warnings, [true, false, true]);
});

Deno.test("DelayedActions: after close(), neither pending nor new actions run", async () => {
  const { delayed, act, done, advance } = world();
  delayed.plan("a", 1000, act("a"));
  delayed.close();
  delayed.plan("b", 1000, act("b"));
  await advance(5);
  assertEquals(done, []);
});
