import { assertEquals, assertNotEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { nodeID } from "@tiphys/model/status";
import { comparableStatus } from "./comparable_status.ts";

function workflow(name: string, node: Record<string, unknown> = {}): Workflow {
  const child = nodeID(name, `${name}[0].a`);
  return {
    metadata: { name, uid: `uid-of-${name}` },
    spec: {},
    status: {
      phase: "Succeeded",
      startedAt: `2026-11-21T11:34:0${name.length % 10}Z`,
      nodes: {
        [name]: { id: name, name, type: "Steps", children: [child] },
        [child]: { id: child, name: `${name}[0].a`, type: "Pod", hostNodeName: name, ...node },
      },
    },
  } as unknown as Workflow;
}

Deno.test("comparableStatus: equal for two runs with different names", () => {
  assertEquals(comparableStatus(workflow("one-x7f2q")), comparableStatus(workflow("one-8k")));
});

Deno.test("comparableStatus: different for other phases, messages and outputs", () => {
  for (const node of [{ phase: "Failed" }, { message: "m" }, { outputs: { result: "1" } }]) {
    assertNotEquals(comparableStatus(workflow("run-a1", node)), comparableStatus(workflow("run-a1")));
  }
});

Deno.test("comparableStatus: keeps an ID that is not derived from its node's name", () => {
  assertNotEquals(
    comparableStatus(workflow("run-a1", { id: "run-a1-12345678" })),
    comparableStatus(workflow("run-a1")),
  );
});

Deno.test("comparableStatus: replaces the workflow's name, UID and pods in the output of steps", () => {
  const statusOf = (name: string) =>
    `${name} uid-of-${name} ${nodeID(name, `${name}[0].a`)} 2026-11-21T11:34:0${name.length % 10}Z`;
  const of = (name: string) => comparableStatus(workflow(name, { outputs: { result: statusOf(name) } }));
  assertEquals(of("run-x7f2q"), of("longer-8k"));
});

Deno.test("comparableStatus: ignores the addresses of the suite's servers, and times as `date` prints them", () => {
  const of = (result: string) => comparableStatus(workflow("run-a1", { outputs: { result } }));
  assertEquals(of("http://10.213.175.2:9100/get"), of("http://127.0.0.1:9100/get"));
  assertEquals(of("hello Mon Nov 23 12:02:17 UTC 2026"), of("hello Tue Nov  3 01:09:14 UTC 2026"));
  assertNotEquals(of("http://10.213.175.2:9100/get"), of("http://127.0.0.1:9100/post"));
});

Deno.test("comparableStatus: ignores differences of artifacts only if their archives contain times", () => {
  const of = (artifact: Record<string, unknown>) =>
    comparableStatus(workflow("run-a1", { outputs: { artifacts: [{ name: "a", ...artifact }] } }));
  assertEquals(of({ digest: "sha256:1", size: 10 }), of({ digest: "sha256:2", size: 11 }));
  assertNotEquals(of({ digest: "sha256:1", objects: 1 }), of({ digest: "sha256:1", objects: 2 }));
});
