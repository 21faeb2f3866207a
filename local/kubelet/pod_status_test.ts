import { assertEquals } from "@std/assert";
import type { ContainerState, Pod } from "@tiphys/model/api";
import { type ContainerRecord, podPhase, podStatus } from "./pod_status.ts";

const running: ContainerState = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const waiting: ContainerState = { waiting: { reason: "ContainerCreating" } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

function record(state: ContainerState, fields: Partial<ContainerRecord> = {}): ContainerRecord {
  const final = state.terminated !== undefined;
  return { spec: { name: "main" }, kind: "main", state, restartCount: 0, ready: false, final, ...fields };
}

const rows: readonly { rule: string; records: ContainerRecord[]; phase: string }[] = [
  { rule: "Pending until a main container has started", records: [record(waiting), record(waiting)], phase: "Pending" },
  {
    rule: "Pending until every main container has started",
    records: [record(running), record(waiting)],
    phase: "Pending",
  },
  {
    rule: "Pending while one container cannot start, although another has ended",
    records: [record(ended(0)), record({ waiting: { reason: "ErrImagePull", message: "no such image" } })],
    phase: "Pending",
  },
  {
    rule: "Failed when it ended before every main container had started",
    records: [record(ended(0)), record(waiting, { final: true })],
    phase: "Failed",
  },
  {
    rule: "Pending when it was deleted before any main container had started",
    records: [record(waiting, { final: true })],
    phase: "Pending",
  },
  {
    rule: "Pending while an init container runs",
    records: [record(running, { kind: "init" }), record(waiting)],
    phase: "Pending",
  },
  {
    rule: "Failed when an init container failed for good",
    records: [record(ended(1), { kind: "init" }), record(waiting)],
    phase: "Failed",
  },
  { rule: "Running while one container runs", records: [record(ended(1)), record(running)], phase: "Running" },
  { rule: "Succeeded when all ended well", records: [record(ended(0)), record(ended(0))], phase: "Succeeded" },
  { rule: "Failed when one ended badly", records: [record(ended(0)), record(ended(3))], phase: "Failed" },
  {
    rule: "Running between two attempts of a container",
    records: [record(waiting, { lastState: ended(1), restartCount: 1 })],
    phase: "Running",
  },
  {
    rule: "Succeeded although a sidecar among the init containers was stopped",
    records: [record(ended(143), { kind: "init", spec: { name: "s", restartPolicy: "Always" } }), record(ended(0))],
    phase: "Succeeded",
  },
];

for (const { rule, records, phase } of rows) {
  Deno.test(`podPhase: ${rule}`, () => assertEquals(podPhase(records, {}), phase));
}

Deno.test("podStatus: a pod past its deadline is Failed after its containers have ended, with the reason", () => {
  const failure = { reason: "DeadlineExceeded", message: "too long" };
  assertEquals(podPhase([record(running)], { failure }), "Running");
  assertEquals(podPhase([record(ended(0))], { failure }), "Failed");
  const status = podStatus(pod, [record(ended(137))], { ...facts, failure }, "2026-01-01T00:00:09Z");
  assertEquals([status.reason, status.message], ["DeadlineExceeded", "too long"]);
});

const pod: Pod = { metadata: { name: "p" }, spec: { containers: [{ name: "main" }] } };
const facts = {
  startTime: "2026-01-01T00:00:00Z",
  address: { nodeName: "local", hostIP: "127.0.0.1", podIP: "127.0.0.1" },
};

Deno.test("podStatus: a pod is Ready if all its containers are; otherwise the condition lists the others", () => {
  const now = "2026-01-01T00:00:05Z";
  const readyOf = (records: ContainerRecord[]) =>
    podStatus(pod, records, facts, now).conditions?.find(({ type }) => type === "Ready");
  assertEquals(readyOf([record(running, { ready: true })])?.status, "True");
  assertEquals(readyOf([record(running)]), {
    type: "Ready",
    status: "False",
    reason: "ContainersNotReady",
    message: "containers with unready status: [main]",
    lastTransitionTime: now,
  });
  assertEquals(readyOf([record(ended(0))])?.reason, "PodCompleted");
});

Deno.test("podStatus: main containers are sorted by name, and init containers by their start", () => {
  const named = (name: string, kind: "init" | "main" = "main") => record(running, { spec: { name }, kind });
  const records = [named("b", "init"), named("a", "init"), named("supervisor"), named("main")];
  const { containerStatuses, initContainerStatuses } = podStatus(pod, records, facts, "2026-01-01T00:00:05Z");
  assertEquals(containerStatuses?.map(({ name }) => name), ["main", "supervisor"]);
  assertEquals(initContainerStatuses?.map(({ name }) => name), ["b", "a"]);
});

Deno.test("podStatus: a condition keeps its time while it does not change", () => {
  const early = podStatus(pod, [record(waiting)], facts, "2026-01-01T00:00:01Z");
  const late = podStatus({ ...pod, status: early }, [record(running, { ready: true })], facts, "2026-01-01T00:00:09Z");
  const times = Object.fromEntries(late.conditions!.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
  assertEquals(times.PodScheduled, "2026-01-01T00:00:01Z");
  assertEquals(times.Ready, "2026-01-01T00:00:09Z");
});

Deno.test("podStatus: a condition names the images replaced by a stand-in, and is absent otherwise", () => {
  const find = (standIns?: readonly string[]) =>
    podStatus(
      pod,
      [record(running, { ready: true })],
      { ...facts, ...standIns && { standIns } },
      "2026-01-01T00:00:09Z",
    )
      .conditions?.find(({ type }) => type === "ImageStandIn");
  assertEquals(find(), undefined);
  assertEquals([find(["busybox"])?.status, find(["busybox"])?.message], ["True", "busybox"]);
});
