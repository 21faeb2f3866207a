import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { ActionError } from "./error.ts";
import { resumeWorkflow, setNodes } from "./suspended_nodes.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const AT = "2026-01-01T00:00:00Z";

function waiting(...nodes: readonly Partial<NodeStatus>[]): Workflow {
  const all = nodes.map((node, index) => ({
    id: `n${index}`,
    name: `w.n${index}`,
    displayName: `n${index}`,
    type: "Suspend" as const,
    phase: "Running" as const,
    ...node,
  }));
  return {
    metadata: { name: "w" },
    spec: {},
    status: { nodes: Object.fromEntries(all.map((node) => [node.id, node])) },
  };
}

const supplied = (name: string, fallback?: string) => ({
  name,
  valueFrom: { supplied: {}, ...(fallback === undefined ? {} : { default: fallback }) },
});

Deno.test("resumeWorkflow: ends the suspension of the workflow and of every waiting node", () => {
  const workflow = { ...waiting({}, { phase: "Failed" }), spec: { suspend: true, entrypoint: "a" } };
  const { spec, status } = resumeWorkflow(workflow, NOW);
  assertEquals(spec, { entrypoint: "a" });
  assertEquals(status?.nodes?.n0?.phase, "Succeeded");
  assertEquals(status?.nodes?.n0?.finishedAt, AT);
  assertEquals(status?.nodes?.n1?.phase, "Failed");
});

Deno.test("resumeWorkflow: sets missing outputs to their defaults, and fails without a default", () => {
  const { status } = resumeWorkflow(waiting({ outputs: { parameters: [supplied("a", "yes")] } }), NOW);
  assertEquals(status?.nodes?.n0?.outputs, { parameters: [{ name: "a", value: "yes" }] });
  assertThrows(
    () => resumeWorkflow(waiting({ outputs: { parameters: [supplied("a")] } }), NOW),
    ActionError,
    "raw output parameter 'a' has not been set and does not have a default value",
  );
});

Deno.test("resumeWorkflow: changes nothing if nothing waits", () => {
  const workflow = waiting({ phase: "Succeeded" });
  assertStrictEquals(resumeWorkflow(workflow, NOW), workflow);
});

Deno.test("setNodes() changes only the selected waiting nodes", () => {
  const workflow = waiting({}, {}, { phase: "Succeeded" });
  const { status } = setNodes(workflow, "displayName!=n1", { phase: "Failed", message: "because" }, NOW);
  const { n0, n1, n2 } = status!.nodes!;
  assertEquals([n0?.phase, n0?.message, n0?.finishedAt], ["Failed", "because", AT]);
  assertEquals([n1?.phase, n2?.phase], ["Running", "Succeeded"]);
});

Deno.test("setNodes() sets outputs, including global ones, and the node continues to wait", () => {
  const outputs = { parameters: [{ ...supplied("a"), globalName: "answer" }, supplied("b")] };
  const { status } = setNodes(waiting({ outputs }), "id=n0", { outputs: new Map([["a", "yes"]]) }, NOW);
  assertEquals(status?.nodes?.n0?.phase, "Running");
  assertEquals(status?.nodes?.n0?.outputs?.parameters, [
    { name: "a", globalName: "answer", value: "yes" },
    supplied("b"),
  ]);
  assertEquals(status?.outputs?.parameters, [{ name: "answer", value: "yes" }]);
});

Deno.test("setNodes() rejects outputs that the nodes do not expect", () => {
  const table: [Workflow, string, ReadonlyMap<string, string> | undefined, string][] = [
    [waiting({}), "id=other", undefined, "no suspend nodes matching nodeFieldSelector: id=other"],
    [waiting({}), "id=n0", new Map([["a", "1"]]), "node is not expecting any raw parameters"],
    [
      waiting({ outputs: { parameters: [supplied("b")] } }),
      "id=n0",
      new Map([["a", "1"]]),
      "not expecting output parameter 'a'",
    ],
    [waiting({ outputs: { parameters: [{ name: "a", value: "0" }] } }), "id=n0", new Map([["a", "1"]]), "already set"],
  ];
  for (const [workflow, selector, outputs, message] of table) {
    assertThrows(() => setNodes(workflow, selector, { message: "m", outputs }, NOW), ActionError, message);
  }
});

Deno.test("resumeWorkflow: appends the user to the message of each resumed node", () => {
  const by = { subject: "s", email: "e@x" };
  const { status } = resumeWorkflow(waiting({ message: "please" }, {}), NOW, { by });
  const { n0, n1 } = status!.nodes!;
  assertEquals(n0?.message, "please; Resumed by: map[Email:e@x User:s]");
  assertEquals(n1?.message, "Resumed by: map[Email:e@x User:s]");
});

Deno.test("resumeWorkflow: with a selector, resumes only these nodes, and the workflow stays suspended", () => {
  const workflow = { ...waiting({}, {}), spec: { suspend: true } };
  const { spec, status } = resumeWorkflow(workflow, NOW, { nodeFieldSelector: "displayName=n1" });
  assertEquals(spec, { suspend: true });
  assertEquals([status?.nodes?.n0?.phase, status?.nodes?.n1?.phase], ["Running", "Succeeded"]);
  assertThrows(
    () => resumeWorkflow(workflow, NOW, { nodeFieldSelector: "displayName=z" }),
    ActionError,
    "currently, set only targets suspend nodes: no suspend nodes matching nodeFieldSelector: displayName=z",
  );
});
