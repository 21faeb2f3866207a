import { assertEquals } from "@std/assert";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import { handlerTransport, KubeClient, type KubeObject } from "@tiphys/kube";
import { type LockRequest, parseLockItems } from "@tiphys/engine/lock_table";
import { silentLog } from "@tiphys/base/log";
import { MetricRegistry } from "@tiphys/base/metrics";
import { awaitFact } from "../../../tests/await_fact.ts";
import { Synchronizer } from "./synchronizer.ts";

function workflow(name: string, creationTimestamp: string): KubeObject {
  return { metadata: { name, namespace: "n", uid: name, creationTimestamp } };
}

const MUTEX: LockRequest = { nodeId: "", locks: parseLockItems({ mutexes: [{ name: "m" }] }, "n"), priority: 0 };

Deno.test("locks: the lock of a holder whose deletion was missed is released within a minute (SY-15)", async () => {
  const clock = fakeClock();
  const there = new Set(["n/first", "n/second"]);
  const { locks, woken } = mutexes(clock, (key) => there.has(key));
  await locks.resolveRequests("n/first", workflow("first", "2026-01-01T00:00:00Z"), [MUTEX]);
  await locks.resolveRequests("n/second", workflow("second", "2026-01-01T00:00:01Z"), [MUTEX]);
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

Deno.test("locks: a workflow that just recorded the holders of its locks gets no pass to record them again", async () => {
  const clock = fakeClock();
  const { locks, woken } = mutexes(clock);
  const nodes = ["a", "b", "c"];
  await locks.resolveRequests(
    "n/w",
    workflow("w", "2026-01-01T00:00:00Z"),
    nodes.map((nodeId) => ({ ...MUTEX, nodeId })),
  );
  /** A pass that records its locks, and the holders of those that it waits for. */
  const pass = (changes: { held: string[]; released: string[] }) => {
    locks.factsOf("n/w");
    locks.recordWrite("n/w", { requests: [], writesHolders: true, ...changes });
  };
  pass({ held: ["a"], released: [] });
  pass({ held: [], released: ["a"] });
  assertEquals(woken, ["n/w"]);
  pass({ held: ["b"], released: [] });
  clock.advance(5000);
  assertEquals(woken, ["n/w"]);
  await locks.close();
});

/** A synchronizer with requests for mutexes, and the workflows that it has woken. */
function mutexes(clock: ReturnType<typeof fakeClock>, isThere: (key: string) => boolean = () => true) {
  const woken: string[] = [];
  const locks = new Synchronizer({
    client: new KubeClient(handlerTransport(() => Promise.reject(new Error("mutexes need no request")))),
    clock,
    log: silentLog,
    metrics: new MetricRegistry({ now: clock.now }),
    settings: () => ({ isWatched: true, cacheSeconds: 0 }),
    onFact: () => {},
    requestPass: (key) => void woken.push(key),
    isActive: isThere,
    exists: isThere,
  });
  locks.restoreHolds([]);
  return { locks, woken };
}

/**
 * ConfigMaps with one limit each, the names of the watched ones, and those whose read is delayed until a promise
 * resolves.
 */
function limitsOf(heldUp: ReadonlyMap<string, Promise<void>> = new Map()) {
  const watched = new Set<string>();
  const client = new KubeClient(handlerTransport(async (request) => {
    const url = new URL(request.url);
    const [, name] = /metadata.name=(.*)/.exec(url.searchParams.get("fieldSelector") ?? "") ?? [];
    if (name === undefined) {
      await heldUp.get(url.pathname.split("/").at(-1)!);
      return Response.json({ metadata: {}, data: { k: "1" } });
    }
    const metadata = { resourceVersion: "1" };
    if (!url.searchParams.get("watch")) return Response.json({ metadata, items: [] });
    watched.add(name);
    return new Response(new ReadableStream({ cancel: () => void watched.delete(name) }));
  }));
  return { client, watched };
}

/** A synchronizer with requests for semaphores of ConfigMaps. */
function semaphores({ client, gone = new Set() }: { client: KubeClient; gone?: ReadonlySet<string> }) {
  const clock = fakeClock();
  const synchronizer = new Synchronizer({
    client,
    clock,
    log: silentLog,
    metrics: new MetricRegistry({ now: clock.now }),
    settings: () => ({ isWatched: true, cacheSeconds: 0 }),
    onFact: () => {},
    requestPass: () => {},
    isActive: (key) => !gone.has(key),
    exists: () => true,
  });
  synchronizer.restoreHolds([]);
  const ask = (name: string, ...keys: [map: string, key: string][]) => {
    const semaphores = keys.map(([name, key]) => ({ configMapKeyRef: { name, key } }));
    const asks: LockRequest[] = [{ nodeId: "", locks: parseLockItems({ semaphores }, "n"), priority: 0 }];
    return synchronizer.resolveRequests(`n/${name}`, workflow(name, "2026-01-01T00:00:00Z"), asks);
  };
  return { synchronizer, ask };
}

Deno.test("locks: limits are not watched if the workflow is gone or refused when they have been read", async () => {
  const { client, watched } = limitsOf();
  const { synchronizer, ask } = semaphores({ client, gone: new Set(["n/gone"]) });
  await ask("gone", ["of-the-gone", "k"]);
  await ask("bad", ["of-the-bad", "k"], ["without", "missing"]);
  await ask("good", ["of-the-good", "k"]);
  await awaitFact("the limit of a held lock is watched", () => watched.has("of-the-good"), { seconds: 60 });
  assertEquals([...watched], ["of-the-good"]);
  await synchronizer.close();
});

Deno.test("locks: a limit that is released with its last holder while another workflow requests it is read again", async () => {
  const late = Promise.withResolvers<void>();
  const { client } = limitsOf(new Map([["late", late.promise]]));
  const { synchronizer, ask } = semaphores({ client });
  await ask("first", ["shared", "k"]);
  const second = ask("second", ["shared", "k"], ["late", "k"]);
  synchronizer.recordChange("deleted", workflow("first", "2026-01-01T00:00:00Z"));
  late.resolve();
  await second;
  assertEquals(synchronizer.factsOf("n/second")?.answers.get("")?.kind, "held");
  await synchronizer.close();
});

Deno.test("locks: a limit that was read for two workflows stays watched if one of them is gone", async () => {
  const late = Promise.withResolvers<void>();
  const { client, watched } = limitsOf(new Map([["late", late.promise]]));
  const { synchronizer, ask } = semaphores({ client, gone: new Set(["n/gone"]) });
  const second = ask("second", ["shared", "k"], ["late", "k"]);
  await ask("gone", ["shared", "k"]);
  late.resolve();
  await second;
  const isThere = () => watched.has("late") && watched.has("shared");
  await awaitFact("the limits of both held locks are watched", isThere, { seconds: 60 });
  await synchronizer.close();
});
