import { assert, assertEquals, assertThrows } from "@std/assert";
import { countedReads } from "../../base/testing/counted_reads.ts";
import type { Workflow } from "@tiphys/model/api";
import { nodeID, widerNodeID } from "@tiphys/model/status";
import { ActionError } from "./error.ts";
import { formulateResubmit } from "./resubmit.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const LABEL = "workflows.argoproj.io/";

const FAILED: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: {
    name: "w",
    uid: "u",
    resourceVersion: "7",
    labels: { own: "kept", [`${LABEL}phase`]: "Failed", [`${LABEL}completed`]: "true", [`${LABEL}creator`]: "ada" },
    annotations: { note: "kept", [`${LABEL}next-lock-holders`]: '{"mutex n/Mutex/m":["w"]}' },
  },
  spec: { entrypoint: "main", shutdown: "Terminate" },
  status: {
    phase: "Failed",
    nodes: {
      w: {
        id: "w",
        name: "w",
        displayName: "w",
        type: "DAG",
        phase: "Failed",
        children: ["a"],
        message: "child failed",
      },
      a: {
        id: "a",
        name: "w.a",
        type: "Pod",
        phase: "Succeeded",
        boundaryID: "w",
        children: ["b"],
        outputs: { result: "1" },
      },
      b: {
        id: "b",
        name: "w.b",
        type: "Pod",
        phase: "Failed",
        boundaryID: "w",
        children: ["c"],
        message: "exit code 1",
      },
      c: { id: "c", name: "w.c", type: "Skipped", phase: "Omitted", boundaryID: "w" },
      exit: { id: "exit", name: "w.onExit", type: "Pod", phase: "Succeeded" },
    },
  },
};

Deno.test("resubmit: copies the spec and the author's labels, and records the original workflow", () => {
  assertEquals(formulateResubmit(FAILED, {}, NOW), {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {
      generateName: "w-",
      labels: { own: "kept", [`${LABEL}resubmitted-from-workflow`]: "w" },
      annotations: { note: "kept" },
    },
    spec: { entrypoint: "main" },
  });
});

Deno.test("resubmit: arguments and priority can be replaced", () => {
  const { spec } = formulateResubmit(FAILED, { parameters: new Map([["a", "2"]]), priority: 5 }, NOW);
  assertEquals(spec, { entrypoint: "main", priority: 5, arguments: { parameters: [{ name: "a", value: "2" }] } });
});

Deno.test("resubmit: a memoized resubmit skips the pods that succeeded and runs the rest", () => {
  const { metadata, status } = formulateResubmit(FAILED, { memoized: { suffix: "x" } }, NOW);
  assertEquals(metadata.name, "w-x");
  const id = (name: string) => nodeID("w-x", name);
  const nodes = Object.values(status?.nodes ?? {});
  assertEquals(nodes.map(({ name, type, phase, message }) => [name, type, phase, message]), [
    ["w-x", "DAG", "Running", undefined],
    ["w-x.a", "Skipped", "Skipped", "original pod: a"],
  ]);
  assertEquals(status?.nodes?.[id("w-x.a")]?.outputs, { result: "1" });
  assertEquals(status?.nodes?.["w-x"]?.children, [id("w-x.a")]);
  assertEquals(status?.nodes?.[id("w-x.a")]?.boundaryID, "w-x");
});

Deno.test("resubmit: a memoized resubmit keeps skipped nodes, and visits each of 20,000 nodes in a row a few times", () => {
  const reads = { count: 0 };
  const nodes = (last: "Succeeded" | "Failed") =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [
      String(index),
      countedReads({
        id: String(index),
        name: `w.${index}`,
        type: index < 19_999 ? "Skipped" as const : "Pod" as const,
        phase: index < 19_999 ? "Skipped" as const : last,
        children: index < 19_999 ? [String(index + 1)] : [],
      }, reads),
    ]));
  const remembered = (last: "Succeeded" | "Failed") => {
    const workflow = { ...FAILED, status: { phase: "Failed" as const, nodes: nodes(last) } };
    const { status } = formulateResubmit(workflow, { memoized: { suffix: "x" } }, NOW);
    return Object.keys(status?.nodes ?? {}).length;
  };
  assertEquals([remembered("Succeeded"), remembered("Failed")], [20_000, 19_999]);
  assert(reads.count < 2 * 100 * 20_000, `${reads.count} reads`);
});

Deno.test("resubmit: a memoized resubmit is rejected for a workflow that did not fail", () => {
  const workflow = { ...FAILED, status: { phase: "Succeeded" as const } };
  assertThrows(
    () => formulateResubmit(workflow, { memoized: { suffix: "x" } }, NOW),
    ActionError,
    "workflow must be Failed/Error to resubmit in memoized mode",
  );
});

Deno.test("resubmit: replaces the prefix of node names, for all characters in the name of the workflow", () => {
  const nodes = {
    "a.b": { id: "a.b", name: "a.b", type: "DAG" as const, phase: "Failed" as const, children: ["x"] },
    "x": { id: "x", name: "a.b.aXb", displayName: "aXb", type: "Pod" as const, phase: "Succeeded" as const },
    "onExitFoo": {
      id: "onExitFoo",
      name: "a.b.onExitFoo",
      type: "Pod" as const,
      phase: "Succeeded" as const,
      boundaryID: "a.b",
    },
  };
  const workflow: Workflow = { metadata: { name: "a.b" }, spec: {}, status: { phase: "Failed", nodes } };
  const { status } = formulateResubmit(workflow, { memoized: { suffix: "x" } }, NOW);
  const names = Object.values(status?.nodes ?? {}).map(({ name }) => name);
  assertEquals(names, ["a.b-x", "a.b-x.aXb", "a.b-x.onExitFoo"]);
});

Deno.test("resubmit: two names whose hashes collide under the new workflow name are two nodes", () => {
  const node = (name: string, phase: "Succeeded" | "Failed", children: string[] = []) => {
    const id = nodeID("w", name);
    return [id, { id, name, type: "Pod" as const, phase, boundaryID: "w", children }] as const;
  };
  const root = { id: "w", name: "w", type: "DAG" as const, phase: "Failed" as const };
  const [first, second] = [node("w.t53zx", "Succeeded", [nodeID("w", "w.tcpad")]), node("w.tcpad", "Succeeded")];
  const workflow: Workflow = {
    metadata: { name: "w" },
    spec: {},
    status: { phase: "Failed", nodes: { w: root, ...Object.fromEntries([first, second]) } },
  };
  const { status } = formulateResubmit(workflow, { memoized: { suffix: "x" } }, NOW);
  const wider = widerNodeID("w-x", "w-x.tcpad", () => false);
  assertEquals(Object.values(status?.nodes ?? {}).map(({ id, name, children }) => [id, name, children]), [
    ["w-x", "w-x", undefined],
    ["w-x-424957287", "w-x.t53zx", [wider]],
    [wider, "w-x.tcpad", []],
  ]);
});

Deno.test("resubmit: nodes do not refer to omitted nodes", () => {
  const nodes = { ...FAILED.status!.nodes, w: { ...FAILED.status!.nodes!.w!, outboundNodes: ["b", "a"] } };
  const workflow = { ...FAILED, status: { phase: "Failed" as const, nodes } };
  const { status } = formulateResubmit(workflow, { memoized: { suffix: "x" } }, NOW);
  assertEquals(status?.nodes?.["w-x"]?.outboundNodes, [nodeID("w-x", "w-x.a")]);
  assertEquals(status?.nodes?.[nodeID("w-x", "w-x.a")]?.children, []);
});
