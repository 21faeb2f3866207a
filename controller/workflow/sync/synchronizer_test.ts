import { assertEquals } from "@std/assert";
import { fakeClock } from "../../../lib/clock/testing/fake_clock.ts";
import { handlerTransport, KubeClient, type KubeObject } from "../../../lib/kube/mod.ts";
import { type LockAsk, lockItems } from "../../../lib/locks/mod.ts";
import { silentLog } from "../../../lib/log.ts";
import { MetricRegistry } from "../../../lib/metrics/mod.ts";
import { Synchronizer } from "./synchronizer.ts";

function workflow(name: string, creationTimestamp: string): KubeObject {
  return { metadata: { name, namespace: "n", uid: name, creationTimestamp } };
}

const MUTEX: LockAsk = { nodeId: "", locks: lockItems({ mutexes: [{ name: "m" }] }, "n"), priority: 0 };

Deno.test("who holds a lock and is gone without a word has lost it within a minute (SY-15)", async () => {
  const clock = fakeClock();
  const there = new Set(["n/first", "n/second"]);
  const woken: string[] = [];
  const client = new KubeClient(handlerTransport(() => Promise.reject(new Error("nobody is asked for a mutex"))));
  const locks = new Synchronizer({
    client,
    clock,
    log: silentLog,
    metrics: new MetricRegistry({ now: clock.now }),
    settings: () => ({ isWatched: true, cacheSeconds: 0 }),
    onFact: () => {},
    wake: (key) => void woken.push(key),
    mayAsk: (key) => there.has(key),
    exists: (key) => there.has(key),
  });
  locks.begin([]);
  await locks.answer("n/first", workflow("first", "2026-01-01T00:00:00Z"), [MUTEX]);
  await locks.answer("n/second", workflow("second", "2026-01-01T00:00:01Z"), [MUTEX]);
  const kindOf = (key: string) => locks.factsOf(key)?.answers.get("")?.kind;
  assertEquals([kindOf("n/first"), kindOf("n/second")], ["held", "waiting"]);
  there.delete("n/first");
  clock.advance(59_000);
  assertEquals([kindOf("n/second"), woken.filter((key) => key === "n/second").length > 0], ["waiting", false]);
  clock.advance(1000);
  assertEquals([kindOf("n/first"), kindOf("n/second")], [undefined, "held"]);
  assertEquals(woken.includes("n/second"), true);
  await locks.close();
});
