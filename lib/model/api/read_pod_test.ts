import { assertEquals, assertStrictEquals } from "@std/assert";
import { podProblem, readPod } from "./read_pod.ts";

const METADATA = { name: "p", namespace: "n", uid: "u", labels: { a: "b" } };
const SPEC = { containers: [{ name: "main" }] };
const STATUS = { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] };

Deno.test("readPod(): keeps a pod unchanged, including unknown fields", () => {
  const found = {
    metadata: { ...METADATA, generation: 3 },
    spec: { ...SPEC, tolerations: 7 },
    status: STATUS,
    other: [],
  };
  const before = structuredClone(found);
  assertStrictEquals<object>(readPod(found), found);
  assertEquals(found, before);
});

Deno.test("readPod(): null counts as absent", () => {
  const found = {
    metadata: { ...METADATA, labels: { a: "b", c: null }, finalizers: null, deletionTimestamp: null },
    spec: { containers: [{ name: "main", env: null }], volumes: null },
    status: { phase: null, containerStatuses: null },
  };
  assertEquals<object>(readPod(found), { metadata: METADATA, spec: SPEC, status: {} });
  assertEquals<object>(readPod({ metadata: METADATA, spec: SPEC, status: null }), { metadata: METADATA, spec: SPEC });
});

const UNREADABLE: Record<string, object> = {
  "spec is required": { spec: undefined },
  "spec: expected object, got a list": { spec: [] },
  "spec.containers is required": { spec: {} },
  "spec.containers: expected list, got a string": { spec: { containers: "main" } },
  "spec.containers[1]: expected object, got null": { spec: { containers: [{ name: "main" }, null] } },
  "spec.containers[0].name is required": { spec: { containers: [{}] } },
  "spec.containers[0].env[1].value: expected string, got a number": {
    spec: { containers: [{ name: "main", env: [{ name: "a" }, { name: "b", value: 7 }] }] },
  },
  "status: expected object, got a string": { status: "Running" },
  "status.phase: expected string, got an object": { status: { phase: {} } },
  "status.containerStatuses[0].ready: expected boolean, got a string": {
    status: { containerStatuses: [{ name: "main", ready: "no" }] },
  },
  "status.containerStatuses[0].state.terminated.exitCode is required": {
    status: { containerStatuses: [{ name: "main", state: { terminated: {} } }] },
  },
  "status.containerStatuses[0].state.terminated.exitCode: expected number, got a string": {
    status: { containerStatuses: [{ name: "main", state: { terminated: { exitCode: "0" } } }] },
  },
  "metadata.annotations.a: expected string, got a boolean": { metadata: { ...METADATA, annotations: { a: true } } },
  "metadata.finalizers[0]: expected string, got a number": { metadata: { ...METADATA, finalizers: [7] } },
};

for (const [problem, fields] of Object.entries(UNREADABLE)) {
  Deno.test(`readPod(): a pod in which ${problem} has the error in its status, and keeps its identifying metadata`, () => {
    const read = readPod({ metadata: METADATA, spec: SPEC, status: STATUS, ...fields });
    assertEquals(read, {
      metadata: METADATA,
      spec: { containers: [] },
      status: { phase: "Unknown", reason: "Unreadable", message: `the pod p cannot be read: ${problem}` },
    });
    assertEquals(podProblem(read), `the pod p cannot be read: ${problem}`);
  });
}

Deno.test("podProblem(): is undefined for a pod that the kubelet lost", () => {
  const status = { phase: "Unknown", reason: "NodeLost", message: "the machine does not answer" } as const;
  assertEquals(podProblem(readPod({ metadata: METADATA, spec: SPEC, status })), undefined);
});
