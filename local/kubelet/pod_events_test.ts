import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { EVENTS, KubeClient, type KubeObject } from "@tiphys/kube";
import { createApiServer } from "../api/mod.ts";
import { type PodEvent, PodEvents, SCHEDULER } from "./pod_events.ts";

interface EventRecord extends KubeObject {
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly source: { readonly component: string };
  readonly involvedObject: { readonly fieldPath?: string; readonly uid: string };
}

const POD = { metadata: { name: "p", namespace: "n", uid: "u" }, spec: { containers: [] } } as unknown as Pod;
const STARTED: PodEvent = {
  type: "Normal",
  reason: "Started",
  message: "Started container main",
  part: "spec.containers{main}",
};

/** Events with an in-memory API and a fake clock. */
function recorder(options: { refuse?: () => boolean } = {}) {
  const api = createApiServer({ storePath: ":memory:" });
  const transport = api.transport();
  const client = new KubeClient({
    ...transport,
    fetch: async (path, init) =>
      options.refuse?.()
        ? Response.json({ kind: "Status", code: 503, reason: "ServiceUnavailable" }, { status: 503 })
        : await transport.fetch(path, init),
  });
  const clock = { at: Date.parse("2026-03-28T12:00:00Z") };
  const faults: string[] = [];
  const make = () =>
    new PodEvents({ client, nodeName: "local", now: () => clock.at, onError: (what) => faults.push(what) });
  const list = async () => (await client.list<EventRecord>(EVENTS, "n")).items;
  return { make, list, clock, faults, [Symbol.dispose]: () => api.close() };
}

Deno.test("PodEvents: an event contains its part of the pod and its source", async () => {
  using bench = recorder();
  const events = bench.make();
  events.record(POD, { type: "Normal", reason: "Scheduled", message: "assigned", component: SCHEDULER });
  events.record(POD, STARTED);
  await events.flushed();
  const told = await bench.list();
  assertEquals(
    told.map(({ reason, source, involvedObject }) => [reason, source.component, involvedObject.fieldPath]).sort(),
    [["Scheduled", "default-scheduler", undefined], ["Started", "kubelet", "spec.containers{main}"]],
  );
});

Deno.test("PodEvents: repeated events are counted in one, written once every ten seconds", async () => {
  using bench = recorder();
  const events = bench.make();
  for (let second = 0; second < 25; second++) {
    events.record(POD, { ...STARTED, type: "Warning", reason: "Failed" });
    bench.clock.at += 1000;
    await events.flushed();
  }
  assertEquals((await bench.list()).map(({ count }) => count), [21]);
});

Deno.test("PodEvents: events expire after one hour, including those of an earlier kubelet", async () => {
  using bench = recorder();
  const first = bench.make();
  first.record(POD, STARTED);
  await first.flushed();
  await first.close();
  const second = bench.make();
  await second.adoptEvents();
  bench.clock.at = Date.now() + 3_700_000;
  second.record({ ...POD, metadata: { ...POD.metadata, uid: "other" } }, { ...STARTED, reason: "Pulled" });
  await second.flushed();
  assertEquals((await bench.list()).map(({ reason }) => reason), ["Pulled"]);
});

Deno.test("PodEvents: reports a failure of the API once, and continues afterwards", async () => {
  let isTrouble = true;
  using bench = recorder({ refuse: () => isTrouble });
  const events = bench.make();
  for (const reason of ["A", "B"]) events.record(POD, { ...STARTED, reason });
  await events.flushed();
  assertEquals(bench.faults.length, 1);
  isTrouble = false;
  events.record(POD, { ...STARTED, reason: "C" });
  await events.flushed();
  assertEquals((await bench.list()).map(({ reason }) => reason), ["C"]);
});

Deno.test("PodEvents: starts a new event if that of a series has been deleted", async () => {
  using bench = recorder();
  const events = bench.make();
  const told: PodEvent = { ...STARTED, type: "Warning", reason: "BackOff" };
  // Longer than the lifetime of an event.
  for (let minute = 0; minute <= 90; minute++) {
    events.record(POD, told);
    await events.flushed();
    bench.clock.at += 60_000;
  }
  const counts = (await bench.list()).map(({ count }) => count);
  assertEquals(counts, [91]);
});

Deno.test("PodEvents: events expire even if the queue of writes is full", async () => {
  using bench = recorder();
  const events = bench.make();
  events.record(POD, { ...STARTED, reason: "Old" });
  await events.flushed();
  for (let index = 0; index < 2_100; index++) events.record(POD, { ...STARTED, message: `${index}` });
  bench.clock.at += 3_700_000;
  events.record(POD, { ...STARTED, message: "one too many" });
  await events.flushed();
  events.record(POD, { ...STARTED, message: "later" });
  await events.flushed();
  assertEquals((await bench.list()).filter(({ reason }) => reason === "Old"), []);
});
