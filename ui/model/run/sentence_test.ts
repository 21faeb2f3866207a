import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow, WorkflowStatus } from "@tiphys/model/api";
import { sentenceOf } from "./sentence.ts";

function run(
  status: WorkflowStatus,
  nodes: readonly Partial<NodeStatus>[] = [],
  spec: Workflow["spec"] = {},
): Workflow {
  const all = nodes.map((node, i) => [`n${i}`, { id: `n${i}`, name: `w.n${i}`, type: "Pod", ...node }] as const);
  return {
    metadata: { name: "w" },
    spec,
    status: { ...status, nodes: Object.fromEntries(all) as WorkflowStatus["nodes"] },
  };
}

Deno.test("sentenceOf: names the node that failed first, with its message", () => {
  const sentence = sentenceOf(run({ phase: "Failed", message: "child 'n1' failed" }, [
    { displayName: "late", phase: "Failed", message: "exit 2", finishedAt: "2026-01-01T00:00:09Z" },
    { displayName: "early", phase: "Failed", message: "exit 1\nmore", finishedAt: "2026-01-01T00:00:05Z" },
  ]));
  assertEquals(sentence, { family: "failed", text: "early failed first: exit 1", nodeId: "n1", logOf: "n1" });
});

Deno.test("sentenceOf: a step with several attempts has one failure, that of its last attempt", () => {
  const attempt = (i: number) => ({
    displayName: `load(${i})`,
    phase: "Failed" as const,
    message: `exit ${i}`,
    nodeFlag: { retried: true },
    finishedAt: `2026-01-01T00:00:0${i}Z`,
  });
  const retry = { displayName: "load", type: "Retry" as const, phase: "Failed" as const, children: ["n1", "n2"] };
  const sentence = sentenceOf(run({ phase: "Failed" }, [retry, attempt(0), attempt(1)]));
  assertEquals(sentence, { family: "failed", text: "load failed: exit 1", nodeId: "n2", logOf: "n2" });
});

Deno.test("sentenceOf: a failed run of one pod links to the log, and a run without a failed pod does not", () => {
  const pod = { name: "w", phase: "Failed", message: "Error (exit code 1)" } as const;
  assertEquals(sentenceOf(run({ phase: "Failed", message: "Error (exit code 1)" }, [pod])), {
    family: "failed",
    text: "exit code 1",
    nodeId: "n0",
    logOf: "n0",
  });
  const gate = { displayName: "gate", type: "Suspend", phase: "Failed", message: "too late" } as const;
  assertEquals(sentenceOf(run({ phase: "Failed" }, [gate])).logOf, undefined);
});

Deno.test("sentenceOf: a failed node without a message has no reason", () => {
  const node = { displayName: "load", phase: "Failed" } as const;
  assertEquals(sentenceOf(run({ phase: "Failed" }, [node])).text, "load failed");
});

Deno.test("sentenceOf: a suspended node names the values that it waits for", () => {
  const parameters = [{ name: "approve", valueFrom: { supplied: {} } }];
  const node = { displayName: "gate", type: "Suspend", phase: "Running", outputs: { parameters } } as const;
  assertEquals(sentenceOf(run({ phase: "Running" }, [node])).text, "gate waits for a value from you: approve");
});

Deno.test("sentenceOf: names running nodes and counts pending ones", () => {
  const nodes = [..."abcd"].map((displayName) => ({ displayName, phase: "Running" as const }));
  const sentence = sentenceOf(run({ phase: "Running" }, [...nodes, { phase: "Pending" }]));
  assertEquals(sentence.text, "a, b, c and 1 more running; 1 pending");
});

Deno.test("sentenceOf: a pending run has the message of its first pod", () => {
  const node = { displayName: "load", phase: "Pending", message: "Unschedulable: no node has 64 CPUs" } as const;
  assertEquals(sentenceOf(run({ phase: "Running" }, [node])).text, "load waits: Unschedulable: no node has 64 CPUs");
});

Deno.test("sentenceOf: suspended, stopping and finished runs", () => {
  assertEquals(
    sentenceOf(run({ phase: "Running" }, [], { suspend: true })).text,
    "Suspended: no new steps start until you resume it",
  );
  assertEquals(sentenceOf(run({ phase: "Running" }, [], { shutdown: "Terminate" })).text, "Terminating");
  const times = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:03:12Z" };
  assertEquals(sentenceOf(run({ phase: "Succeeded", ...times })).text, "Succeeded in 3m 12s");
});
