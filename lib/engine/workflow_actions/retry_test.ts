import { assert, assertEquals, assertThrows } from "@std/assert";
import { cpuMillis } from "../../base/testing/cpu_millis.ts";
import type { NodeStatus, NodeType, Workflow } from "@tiphys/model/api";
import { podName } from "@tiphys/model/status";
import { ActionError } from "./error.ts";
import { formulateRetry, type RetryOptions } from "./retry.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

type Nodes = Readonly<Record<string, Partial<NodeStatus> & { readonly type: NodeType }>>;

/** A failed workflow `w` with nodes whose IDs are their names. */
function failedWorkflow(nodes: Nodes, more: Partial<Workflow> = {}): Workflow {
  const all = Object.entries(nodes).map(([id, fields]) => [id, {
    id,
    name: id,
    phase: "Succeeded",
    templateName: "t",
    finishedAt: "2025-12-31T00:00:00Z",
    ...fields,
  }]);
  return {
    metadata: { name: "w", labels: { "workflows.argoproj.io/completed": "true", own: "kept" } },
    spec: { shutdown: "Stop", entrypoint: "t" },
    ...more,
    status: { phase: "Failed", message: "it failed", finishedAt: "x", nodes: Object.fromEntries(all), ...more.status },
  };
}

/** Returns IDs and phases of the nodes that are kept, and the pods to delete. */
function retryResult(workflow: Workflow, options: RetryOptions = {}) {
  const retry = formulateRetry(workflow, options, NOW);
  const nodes = Object.values(retry.workflow.status?.nodes ?? {}).map(({ id, phase }) => [id, phase]);
  return { nodes: Object.fromEntries(nodes), pods: [...retry.podsToDelete].sort() };
}

const podOf = (nodeName: string) => podName({ workflowName: "w", nodeName, templateName: "t", version: "v2" });

const STEPS: Nodes = {
  "w": { type: "Steps", phase: "Failed", children: ["w[0]"] },
  "w[0]": { type: "StepGroup", boundaryID: "w", children: ["w[0].a"] },
  "w[0].a": { type: "Pod", boundaryID: "w", children: ["w[1]"] },
  "w[1]": { type: "StepGroup", phase: "Failed", boundaryID: "w", children: ["w[1].b", "w[1].c"] },
  "w[1].b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  "w[1].c": { type: "Pod", boundaryID: "w" },
};

Deno.test("retry: runs failed nodes again and keeps successful ones", () => {
  assertEquals(retryResult(failedWorkflow(STEPS)), {
    nodes: { "w": "Running", "w[0]": "Succeeded", "w[0].a": "Succeeded", "w[1]": "Running", "w[1].c": "Succeeded" },
    pods: [podOf("w[1].b")],
  });
});

Deno.test("retry: no node refers to a removed one", () => {
  const { workflow } = formulateRetry(failedWorkflow(STEPS), {}, NOW);
  assertEquals(workflow.status?.nodes?.["w[1]"]?.children, ["w[1].c"]);
});

Deno.test("retry: removes phase, message and shutdown of the workflow, and keeps its labels", () => {
  const { workflow } = formulateRetry(failedWorkflow(STEPS), {}, NOW);
  assertEquals(workflow.metadata.labels, { own: "kept" });
  assertEquals(workflow.spec, { entrypoint: "t" });
  const { nodes: _, ...status } = workflow.status!;
  assertEquals(status, {
    phase: "",
    startedAt: "2026-01-01T00:00:00Z",
    conditions: [{ type: "Completed", status: "False" }],
  });
});

Deno.test("retry: a task that ran because an attempt with steps failed is evaluated again", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
    "w.a": { type: "Retry", phase: "Failed", boundaryID: "w", children: ["w.a(0)"] },
    "w.a(0)": { type: "Steps", phase: "Failed", boundaryID: "w", children: ["w.a(0)[0]", "w.b", "w.c"] },
    "w.a(0)[0]": { type: "StepGroup", phase: "Failed", boundaryID: "w.a(0)", children: ["w.a(0)[0].s"] },
    "w.a(0)[0].s": { type: "Pod", phase: "Failed", boundaryID: "w.a(0)" },
    "w.b": { type: "Pod", boundaryID: "w" },
    "w.c": { type: "Skipped", phase: "Omitted", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)), {
    nodes: { "w": "Running", "w.a": "Running", "w.a(0)": "Running", "w.a(0)[0]": "Running" },
    pods: [podOf("w.b"), podOf("w.a(0)[0].s")],
  });
});

Deno.test("retry: evaluates DAG tasks again that waited for a failed task", () => {
  const dag: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
    "w.a": { type: "Pod", phase: "Failed", boundaryID: "w", children: ["w.b"] },
    "w.b": { type: "Skipped", phase: "Omitted", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(dag)).nodes, { w: "Running" });
});

Deno.test("retry: keeps a failed task after which the workflow continued", () => {
  const dag: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a", "w.x"] },
    "w.a": { type: "Pod", phase: "Failed", boundaryID: "w", children: ["w.b"] },
    "w.b": { type: "Pod", boundaryID: "w" },
    "w.x": { type: "Pod", phase: "Error", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(dag)).nodes, { "w": "Running", "w.a": "Failed", "w.b": "Succeeded" });
});

Deno.test("retry: removes a failed attempt and the nodes after it, and reopens its Retry node", () => {
  const nodes: Nodes = {
    "w": { type: "Steps", phase: "Failed", children: ["w[0]"] },
    "w[0]": { type: "StepGroup", phase: "Failed", boundaryID: "w", children: ["w[0].a"] },
    "w[0].a": { type: "Retry", phase: "Failed", boundaryID: "w", children: ["w[0].a(0)", "w[0].a(1)"] },
    "w[0].a(0)": { type: "Pod", phase: "Failed", boundaryID: "w", nodeFlag: { retried: true } },
    "w[0].a(1)": { type: "Pod", phase: "Failed", boundaryID: "w", nodeFlag: { retried: true } },
  };
  assertEquals(retryResult(failedWorkflow(nodes)).nodes, { "w": "Running", "w[0]": "Running", "w[0].a": "Running" });
});

Deno.test("retry: keeps a failed attempt before a successful one", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a", "w.b"] },
    "w.a": { type: "Retry", boundaryID: "w", children: ["w.a(0)", "w.a(1)"] },
    "w.a(0)": { type: "Pod", phase: "Failed", boundaryID: "w", nodeFlag: { retried: true } },
    "w.a(1)": { type: "Pod", boundaryID: "w", nodeFlag: { retried: true } },
    "w.b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)).nodes, {
    "w": "Running",
    "w.a": "Succeeded",
    "w.a(0)": "Failed",
    "w.a(1)": "Succeeded",
  });
});

Deno.test("retry: reopens nested groups up to the root", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.outer"] },
    "w.outer": { type: "DAG", phase: "Failed", boundaryID: "w", children: ["w.outer.a"] },
    "w.outer.a": { type: "Pod", boundaryID: "w.outer", children: ["w.outer.b"] },
    "w.outer.b": { type: "Pod", phase: "Failed", boundaryID: "w.outer" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)).nodes, {
    "w": "Running",
    "w.outer": "Running",
    "w.outer.a": "Succeeded",
  });
});

Deno.test("retry: a failed container removes its pod and the other containers", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.set"] },
    "w.set": { type: "Pod", phase: "Failed", boundaryID: "w", children: ["w.set.a", "w.set.b"] },
    "w.set.a": { type: "Container", boundaryID: "w.set", children: ["w.set.b"] },
    "w.set.b": { type: "Container", phase: "Failed", boundaryID: "w.set" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)), { nodes: { w: "Running" }, pods: [podOf("w.set")] });
});

Deno.test("retry: runs the exit handler again and removes its nodes and pods", () => {
  const nodes: Nodes = { "w": { type: "Pod", phase: "Failed" }, "w.onExit": { type: "Pod", phase: "Failed" } };
  assertEquals(retryResult(failedWorkflow(nodes)), { nodes: {}, pods: ["w", podOf("w.onExit")] });
});

Deno.test("retry: runs selected nodes again although they succeeded", () => {
  const options = { restartSuccessful: true, nodeFieldSelector: "name=w[0].a" };
  assertEquals(retryResult(failedWorkflow(STEPS), options).nodes, { "w": "Running", "w[0]": "Running" });
});

Deno.test("retry: expands loops again when arguments have changed", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.l"] },
    "w.l": { type: "TaskGroup", phase: "Failed", boundaryID: "w", children: ["w.l(0:a)", "w.l(1:b)"] },
    "w.l(0:a)": { type: "Pod", boundaryID: "w" },
    "w.l(1:b)": { type: "Pod", phase: "Failed", boundaryID: "w" },
  };
  const parameters = new Map([["items", "[1]"]]);
  assertEquals(retryResult(failedWorkflow(nodes)).nodes, { "w": "Running", "w.l": "Running", "w.l(0:a)": "Succeeded" });
  assertEquals(retryResult(failedWorkflow(nodes), { parameters }).nodes, { "w": "Running", "w.l": "Running" });
  const { workflow } = formulateRetry(failedWorkflow(nodes), { parameters }, NOW);
  assertEquals(workflow.spec.arguments, { parameters: [{ name: "items", value: "[1]" }] });
});

Deno.test("retry: requires a completed workflow, and selected nodes for a succeeded one", () => {
  const running = { ...failedWorkflow(STEPS), status: { phase: "Running" as const } };
  assertThrows(() => formulateRetry(running, {}, NOW), ActionError, "Cannot retry a workflow in phase Running");
  const succeeded = { ...failedWorkflow(STEPS), status: { phase: "Succeeded" as const } };
  assertThrows(() => formulateRetry(succeeded, {}, NOW), ActionError, "To retry a succeeded workflow, set the options");
});

Deno.test("retry: a stopped suspended node waits again with the declared outputs, and its siblings are kept", () => {
  const supplied = { name: "answer", globalName: "said", valueFrom: { supplied: {}, default: "no" } };
  const nodes: Nodes = {
    "w": { type: "Steps", phase: "Failed", children: ["w[0]"] },
    "w[0]": { type: "StepGroup", phase: "Failed", boundaryID: "w", children: ["w[0].ask", "w[0].b"] },
    "w[0].ask": {
      type: "Suspend",
      phase: "Failed",
      message: "because",
      boundaryID: "w",
      templateName: "ask",
      outputs: { parameters: [{ name: "answer", value: "never" }] },
    },
    "w[0].b": { type: "Pod", boundaryID: "w" },
  };
  const workflow = failedWorkflow(nodes);
  const templates = [{ name: "ask", suspend: {}, outputs: { parameters: [supplied] } }];
  const before = { ...workflow, spec: { ...workflow.spec, templates } };
  const { podsToDelete, workflow: after } = formulateRetry(before, {}, NOW);
  assertEquals(podsToDelete, []);
  const { "w[0].ask": ask, "w[0].b": sibling } = after.status!.nodes!;
  assertEquals([ask?.phase, ask?.message, ask?.finishedAt], ["Running", undefined, undefined]);
  assertEquals(ask?.startedAt, "2026-01-01T00:00:00Z");
  assertEquals(ask?.outputs, { parameters: [supplied] });
  assertEquals(sibling, workflow.status!.nodes!["w[0].b"]);
});

Deno.test("retry: a suspended node whose template is unknown is created again", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.ask"] },
    "w.ask": { type: "Suspend", phase: "Failed", boundaryID: "w", templateName: "" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)).nodes, { w: "Running" });
});

Deno.test("retry: retries a node that could not start, and a group that failed itself", () => {
  const skipped: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
    "w.a": { type: "Skipped", phase: "Error", message: "invalid key", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(skipped)).nodes, { w: "Running" });
  const group: Nodes = {
    "w": { type: "Steps", phase: "Failed", children: ["w[0]"] },
    "w[0]": { type: "StepGroup", phase: "Error", message: "hook", boundaryID: "w", children: ["w[0].a"] },
    "w[0].a": { type: "Pod", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(group)).nodes, { "w": "Running", "w[0]": "Running", "w[0].a": "Succeeded" });
});

Deno.test("retry: a pod that a memoized resubmit skipped succeeds again if its exit handler runs again", () => {
  const skipped = { type: "Skipped", phase: "Skipped", message: "original pod: old-1", boundaryID: "w" } as const;
  const workflow = failedWorkflow({
    "w": { type: "DAG", phase: "Succeeded", children: ["w.a", "w.b"] },
    "w.a": { ...skipped, children: ["w.a.onExit"] },
    "w.a.onExit": { type: "Steps", boundaryID: "w", nodeFlag: { hooked: true }, children: ["w.a.onExit[0]"] },
    "w.a.onExit[0]": { type: "StepGroup", boundaryID: "w.a.onExit", children: ["w.a.onExit[0].mail"] },
    "w.a.onExit[0].mail": { type: "Pod", boundaryID: "w.a.onExit" },
    "w.b": skipped,
  });
  const options = { restartSuccessful: true, nodeFieldSelector: "name=w.a.onExit[0].mail" };
  const { nodes } = formulateRetry(workflow, options, NOW).workflow.status!;
  assertEquals([nodes!["w.a"]?.type, nodes!["w.a"]?.phase, nodes!["w.a"]?.message], [
    "Pod",
    "Succeeded",
    "original pod: old-1",
  ]);
  assertEquals([nodes!["w.a.onExit"]?.phase, nodes!["w.b"]?.phase], ["Running", "Skipped"]);
});

Deno.test("retry: is rejected if no node failed", () => {
  const nodes: Nodes = { "w": { type: "Pod" }, "w.onExit": { type: "Pod" } };
  const message = "nothing to retry: no failed node was found";
  assertThrows(() => formulateRetry(failedWorkflow(nodes), {}, NOW), ActionError, message);
  const onlyExit: Nodes = { "w": { type: "Pod" }, "w.onExit": { type: "Pod", phase: "Failed" } };
  assertEquals(retryResult(failedWorkflow(onlyExit)), { nodes: { w: "Succeeded" }, pods: [podOf("w.onExit")] });
});

Deno.test("retry: starts from scratch without nodes, or in phase Error without failed nodes", () => {
  assertEquals(retryResult(failedWorkflow({})), { nodes: {}, pods: [] });
  const handled: Nodes = { "w.onExit": { type: "Pod" } };
  assertEquals(retryResult(failedWorkflow(handled)), { nodes: {}, pods: [podOf("w.onExit")] });
  const { workflow, podsToDelete } = formulateRetry(
    failedWorkflow({ "w": { type: "Pod" } }, {
      status: { phase: "Error", message: "no template of the exit handler" },
    }),
    {},
    NOW,
  );
  assertEquals([workflow.status?.phase, workflow.status?.message, podsToDelete], ["", undefined, []]);
});

Deno.test("retry: keeps a task whose name begins like the exit handler's", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.onExitFoo", "w.b"] },
    "w.onExitFoo": { type: "Pod", boundaryID: "w" },
    "w.b": { type: "Pod", phase: "Failed", boundaryID: "w" },
    "w.onExit": { type: "Steps", children: ["w.onExit[0]"] },
    "w.onExit[0]": { type: "StepGroup", boundaryID: "w.onExit", children: ["w.onExit[0].c"] },
    "w.onExit[0].c": { type: "Pod", boundaryID: "w.onExit" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)), {
    nodes: { "w": "Running", "w.onExitFoo": "Succeeded" },
    pods: [podOf("w.b"), podOf("w.onExit[0].c")].sort(),
  });
});

Deno.test("retry: continues the last failed attempt that contains nodes, and keeps earlier ones", () => {
  const attempt = (name: string): Nodes => ({
    [name]: { type: "Steps", phase: "Failed", boundaryID: "w", children: [`${name}[0]`], nodeFlag: { retried: true } },
    [`${name}[0]`]: {
      type: "StepGroup",
      phase: "Failed",
      boundaryID: name,
      children: [`${name}[0].p`, `${name}[0].q`],
    },
    [`${name}[0].p`]: { type: "Pod", phase: "Failed", boundaryID: name },
    [`${name}[0].q`]: { type: "Pod", boundaryID: name },
  });
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
    "w.a": { type: "Retry", phase: "Failed", boundaryID: "w", children: ["w.a(0)", "w.a(1)"] },
    ...attempt("w.a(0)"),
    ...attempt("w.a(1)"),
  };
  const { nodes: after, pods } = retryResult(failedWorkflow(nodes));
  assertEquals(pods, [podOf("w.a(1)[0].p")]);
  assertEquals(after, {
    "w": "Running",
    "w.a": "Running",
    "w.a(0)": "Failed",
    "w.a(0)[0]": "Failed",
    "w.a(0)[0].p": "Failed",
    "w.a(0)[0].q": "Succeeded",
    "w.a(1)": "Running",
    "w.a(1)[0]": "Running",
    "w.a(1)[0].q": "Succeeded",
  });
});

Deno.test("retry: ignores the failure of an attempt before a successful one", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a", "w.b"] },
    "w.a": { type: "Retry", boundaryID: "w", children: ["w.a(0)", "w.a(1)"] },
    "w.a(0)": { type: "Steps", phase: "Failed", boundaryID: "w", children: ["w.a(0)[0]"], nodeFlag: { retried: true } },
    "w.a(0)[0]": { type: "StepGroup", phase: "Failed", boundaryID: "w.a(0)", children: ["w.a(0)[0].p"] },
    "w.a(0)[0].p": { type: "Pod", phase: "Failed", boundaryID: "w.a(0)" },
    "w.a(1)": { type: "Steps", boundaryID: "w", nodeFlag: { retried: true } },
    "w.b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  };
  assertEquals(retryResult(failedWorkflow(nodes)).pods, [podOf("w.b")]);
});

Deno.test("retry: changes arguments also in the stored spec", () => {
  const stored = {
    shutdown: "Stop" as const,
    arguments: { parameters: [{ name: "a", value: "1" }, { name: "b", value: "2" }] },
  };
  const before = failedWorkflow(STEPS);
  const workflow = { ...before, status: { ...before.status, storedWorkflowTemplateSpec: stored } };
  const after = formulateRetry(workflow, { parameters: new Map([["a", "9"]]) }, NOW).workflow;
  const parameters = [{ name: "a", value: "9" }, { name: "b", value: "2" }];
  assertEquals(after.status?.storedWorkflowTemplateSpec, { arguments: { parameters } });
});

Deno.test("retry: 20,000 nodes, half of which failed and have successors, are planned within seconds", () => {
  const count = 10_000;
  const nodes: Record<string, Nodes[string]> = {
    "w": { type: "DAG", phase: "Failed", children: ["w.a", "w.x"] },
    "w.x": { type: "Pod", phase: "Failed", boundaryID: "w" },
    "w.a": { type: "TaskGroup", phase: "Failed", boundaryID: "w", children: [] },
    "w.b": { type: "TaskGroup", boundaryID: "w", children: [] },
  };
  for (let index = 0; index < count; index++) {
    nodes[`w.a(${index}:i)`] = { type: "Pod", phase: "Failed", boundaryID: "w", children: ["w.b"] };
    nodes[`w.b(${index}:i)`] = { type: "Pod", boundaryID: "w" };
  }
  const ids = (name: string) => Array.from({ length: count }, (_, index) => `${name}(${index}:i)`);
  const all: Nodes = {
    ...nodes,
    "w.a": { ...nodes["w.a"]!, children: ids("w.a") },
    "w.b": { ...nodes["w.b"]!, children: ids("w.b") },
  };
  const began = cpuMillis();
  assertEquals(retryResult(failedWorkflow(all)).pods, [podOf("w.x")]);
  assert(cpuMillis() - began < 10_000, `it took ${cpuMillis() - began} ms`);
});

Deno.test("retry: locks are acquired again", () => {
  const before = failedWorkflow(STEPS);
  const status = {
    ...before.status,
    synchronization: { mutex: { holding: [] } },
    taskResultsCompletionStatus: { "w[0].a": true, "w[1].b": true },
  };
  const after = formulateRetry({ ...before, status }, {}, NOW).workflow.status;
  assertEquals(after?.synchronization, undefined);
  assertEquals(after?.taskResultsCompletionStatus, { "w[0].a": true });
});

/** Two branches that failed after `a`: a task, and a DAG of two tasks, one of which failed. */
const BRANCHES: Nodes = {
  "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
  "w.a": { type: "Pod", boundaryID: "w", children: ["w.b", "w.c"] },
  "w.b": { type: "Pod", phase: "Failed", boundaryID: "w", displayName: "b", children: ["w.after"] },
  "w.after": { type: "Skipped", phase: "Omitted", boundaryID: "w" },
  "w.c": { type: "DAG", phase: "Failed", boundaryID: "w", displayName: "c", children: ["w.c.d", "w.c.e"] },
  "w.c.d": { type: "Pod", boundaryID: "w.c" },
  "w.c.e": { type: "Pod", phase: "Failed", boundaryID: "w.c" },
};

Deno.test("retry: with a node field selector, only matching failed nodes and the nodes in them run again", () => {
  const onlyB = retryResult(failedWorkflow(BRANCHES), { nodeFieldSelector: "displayName=b" });
  assertEquals([onlyB.pods, onlyB.nodes["w.c"], onlyB.nodes["w.c.e"]], [[podOf("w.b")], "Failed", "Failed"]);
  assertEquals(onlyB.nodes["w"], "Running");
  const onlyC = retryResult(failedWorkflow(BRANCHES), { nodeFieldSelector: "displayName=c" });
  assertEquals([onlyC.pods, onlyC.nodes["w.b"], onlyC.nodes["w.c"]], [[podOf("w.c.e")], "Failed", "Running"]);
});

Deno.test("retry: a node field selector without matching or failed nodes is an error", () => {
  const message = (nodeFieldSelector: string, restartSuccessful = false) =>
    assertThrows(
      () => formulateRetry(failedWorkflow(BRANCHES), { nodeFieldSelector, restartSuccessful }, NOW),
      ActionError,
    )
      .message;
  assertEquals(message("displayName=zzz"), 'no node matches the node field selector "displayName=zzz"');
  assertEquals(message("displayName=zzz", true), 'no node matches the node field selector "displayName=zzz"');
  assertEquals(
    message("name=w.a"),
    'nothing to retry: no failed node matches the node field selector "name=w.a"; ' +
      "set restartSuccessful to run nodes again that succeeded",
  );
});

const DAEMON = { name: "d", daemon: true, container: { image: "i" } };
const TEMPLATE = { name: "t", container: { image: "i" } };

Deno.test("retry: restarts a daemon of reopened steps, and keeps successful nodes after it", () => {
  const workflow = failedWorkflow({
    "w": { type: "Steps", phase: "Failed", children: ["w[0]"] },
    "w[0]": { type: "StepGroup", boundaryID: "w", children: ["w[0].d"] },
    "w[0].d": {
      type: "Pod",
      boundaryID: "w",
      templateName: "d",
      podIP: "10.0.0.1",
      taskResultSynced: true,
      children: ["w[1]"],
    },
    "w[1]": { type: "StepGroup", boundaryID: "w", children: ["w[1].a"] },
    "w[1].a": { type: "Pod", boundaryID: "w", children: ["w[2]"] },
    "w[2]": { type: "StepGroup", phase: "Failed", boundaryID: "w", children: ["w[2].b"] },
    "w[2].b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  }, { spec: { entrypoint: "t", templates: [DAEMON, TEMPLATE] } });
  const { nodes, pods } = retryResult(workflow);
  assertEquals([nodes["w[0].d"], nodes["w[1].a"], nodes["w[2].b"]], ["Pending", "Succeeded", undefined]);
  assertEquals(pods.length, 2);
  const daemon = formulateRetry(workflow, {}, NOW).workflow.status?.nodes?.["w[0].d"];
  assertEquals([daemon?.podIP, daemon?.finishedAt, daemon?.children], [undefined, undefined, ["w[1]"]]);
});

Deno.test("retry: a daemon with retries starts with a new first attempt", () => {
  const workflow = failedWorkflow({
    "w": { type: "DAG", phase: "Failed", children: ["w.d"] },
    "w.d": { type: "Retry", boundaryID: "w", templateName: "d", children: ["w.d(0)"] },
    "w.d(0)": { type: "Pod", boundaryID: "w", templateName: "d", nodeFlag: { retried: true }, children: ["w.b"] },
    "w.b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  }, { spec: { entrypoint: "t", templates: [DAEMON, TEMPLATE] } });
  assertEquals(retryResult(workflow).nodes, { "w": "Running", "w.d": "Running" });
});

Deno.test("retry: does not restart a daemon of a template that is not reopened", () => {
  const workflow = failedWorkflow({
    "w": { type: "DAG", phase: "Failed", children: ["w.a"] },
    "w.a": { type: "DAG", boundaryID: "w", children: ["w.a.d"] },
    "w.a.d": { type: "Pod", boundaryID: "w.a", templateName: "d", children: ["w.b"] },
    "w.b": { type: "Pod", phase: "Failed", boundaryID: "w" },
  }, { spec: { entrypoint: "t", templates: [DAEMON, TEMPLATE] } });
  assertEquals(retryResult(workflow).nodes, { "w": "Running", "w.a": "Succeeded", "w.a.d": "Succeeded" });
});
