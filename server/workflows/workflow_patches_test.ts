/** Tests of patches of workflows: applied to the previous state, they result in the new one. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { patchedWorkflow, type WorkflowPatch } from "@tiphys/model/api/workflow_patch";
import { withPatches } from "./watch_routes.ts";
import { patchBetween } from "./workflow_patches.ts";

const node = (id: string, phase: NodeStatus["phase"]): NodeStatus => ({ id, name: id, type: "Pod", phase });

function workflow(version: number, nodes: Readonly<Record<string, NodeStatus>>, status = {}): Workflow {
  return {
    metadata: { name: "w", uid: "u", resourceVersion: String(version) },
    spec: { entrypoint: "main", arguments: {} },
    status: { phase: "Running", ...status, nodes },
  };
}

const FIVE = Object.fromEntries(["a", "b", "c", "d", "e"].map((id) => [id, node(id, "Running")]));

/** The value after it was sent as JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const phases = fc.constantFrom("Pending", "Running", "Succeeded", "Failed" as const);
const nodes = fc.dictionary(fc.stringMatching(/^[a-z0-9-]{1,3}$/), phases, { maxKeys: 12 }).map((all) =>
  Object.fromEntries(Object.entries(all).map(([id, phase]) => [id, node(id, phase)]))
);
const status = fc.record({ message: fc.string(), progress: fc.string(), phase: phases }, { requiredKeys: [] });

Deno.test("patches: applying one to the old state yields the new state, with its order of nodes", () => {
  let patched = 0;
  fc.assert(fc.property(nodes, nodes, status, status, fc.boolean(), (one, other, was, is, isSorted) => {
    const inOrder = (all: Record<string, NodeStatus>) =>
      isSorted ? Object.fromEntries(Object.entries(all).sort(([a], [b]) => a < b ? -1 : 1)) : all;
    const before = workflow(1, inOrder(one), was);
    const after = workflow(2, inOrder({ ...one, ...Object.fromEntries(Object.entries(other).slice(0, 3)) }), is);
    const patch = patchBetween(before, after);
    if (!patch) return;
    patched++;
    const made = patchedWorkflow(sent(before), sent(patch));
    assertEquals(made, sent(after));
    assertEquals(Object.keys(made?.status?.nodes ?? {}), Object.keys(after.status?.nodes ?? {}));
  }));
  assert(patched > 0);
});

Deno.test("patches: contain only changed nodes, and the others stay the same objects", () => {
  const before = workflow(1, FIVE, { message: "running" });
  const after = workflow(2, { ...FIVE, c: node("c", "Failed") });
  const patch = patchBetween(before, after)!;
  assertEquals(patch, {
    from: "1",
    object: { metadata: after.metadata, status: { nodes: { c: node("c", "Failed") } } },
    goneFields: ["message"],
    goneNodes: [],
    isSorted: false,
  } as WorkflowPatch);
  const made = patchedWorkflow(before, patch);
  assertEquals(made, after);
  assert(made?.status?.nodes?.a === FIVE.a);
  assert(made?.spec === before.spec);
});

Deno.test("patches: a patch for another state or workflow does not apply", () => {
  const patch = patchBetween(workflow(1, FIVE), workflow(2, { ...FIVE, c: node("c", "Failed") }))!;
  assertEquals(patchedWorkflow(workflow(3, FIVE), patch), undefined);
  const other = workflow(1, FIVE);
  assertEquals(patchedWorkflow({ ...other, metadata: { ...other.metadata, uid: "v" } }, patch), undefined);
});

Deno.test("patches: no patch is made if most nodes or their order changed", () => {
  assertEquals(patchBetween(workflow(1, {}), workflow(2, FIVE)), undefined);
  const { a, b, ...others } = FIVE;
  assertEquals(patchBetween(workflow(1, FIVE), workflow(2, { b: b!, a: a!, ...others })), undefined);
});

Deno.test("patches: a watch sends the whole workflow first and after a deletion, and patches in between", async () => {
  const [first, second] = [workflow(1, FIVE), workflow(2, { ...FIVE, a: node("a", "Failed") })];
  async function* publishedVersions() {
    yield { type: "ADDED", object: first };
    yield { type: "MODIFIED", object: second };
    yield { type: "DELETED", object: second };
    yield { type: "MODIFIED", object: first };
  }
  const messages = await Array.fromAsync(withPatches(publishedVersions()));
  assertEquals(messages.map(({ type }) => type), ["ADDED", "PATCHED", "DELETED", "MODIFIED"]);
  assertEquals(patchedWorkflow(first, messages[1]!.object as WorkflowPatch), second);
});
