/** Incremental updates of parts, compared with the parts of the whole state. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { simulate } from "../../../mod.ts";
import { changedNodes } from "../../../ui/model/graph/changed_nodes.ts";
import { openParts } from "../../../ui/model/graph/fold.ts";
import { Layout } from "../../../ui/model/graph/layout.ts";
import { partsOf } from "../../../ui/model/graph/parts.ts";
import { isInPlace, touchedParts, touchedPicture } from "../../../ui/model/graph/touched_parts.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: nested }
spec:
  entrypoint: main
  onExit: work
  templates:
  - name: main
    steps:
    - - { name: prepare, template: work }
    - - { name: graph, template: graph }
      - { name: each, template: work, withSequence: { count: "10" } }
  - name: graph
    dag:
      tasks:
      - { name: a, template: often }
      - { name: b, template: inner, depends: a }
      - { name: c, template: work, depends: "a && b" }
  - name: inner
    steps: [[{ name: only, template: work }]]
  - name: often
    retryStrategy: { limit: 2 }
    container: { image: alpine }
  - name: work
    container: { image: alpine }
`;

const PHASES = ["Pending", "Running", "Succeeded", "Failed", "Error", "Omitted"] as const;

async function runWorkflow(): Promise<Workflow> {
  let tries = 0;
  return (await simulate(SOURCE, { templates: { often: () => ({ exitCode: tries++ < 1 ? 1 : 0 }) } })).workflow;
}

function runToEnd<T>(work: Generator<undefined, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** The state after nodes changed. */
function withChanges(run: Workflow, changes: ReadonlyMap<string, Partial<NodeStatus>>): Workflow {
  const nodes = Object.fromEntries(
    Object.entries(run.status?.nodes ?? {}).map(([id, node]) => [id, { ...node, ...changes.get(id) }]),
  );
  return { ...run, status: { ...run.status, nodes } };
}

Deno.test("touched parts: equal the parts of the whole state, and so does their layout", async () => {
  const run = await runWorkflow();
  const ids = Object.keys(run.status?.nodes ?? {});
  const change = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...PHASES), fc.option(fc.string()));
  let kept = 0;
  fc.assert(fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }), (rounds) => {
    let [state, whole] = [run, partsOf(run)];
    const layout = new Layout();
    let picture = layout.layOut(whole, openParts(whole));
    for (const changes of rounds) {
      const next = withChanges(
        state,
        new Map(changes.map(([id, phase, message]) => [id, { phase, ...(message === null ? {} : { message }) }])),
      );
      const { nodes: changed } = runToEnd(changedNodes(state, next))!;
      assert(isInPlace(state, next, changed));
      const touched = touchedParts(whole, new Map(changed.map((node) => [node.id, node])));
      [state, whole] = [next, touched.whole];
      assertEquals(whole, partsOf(next));
      const laid = layout.layOut(whole, openParts(whole));
      if (touched.isAsOpen) {
        kept++;
        assertEquals(runToEnd(touchedPicture(picture, whole)), laid);
      }
      picture = laid;
    }
  }));
  assert(kept > 0);
});

Deno.test("touched parts: an unchanged part has the same identity and position", async () => {
  const run = await runWorkflow();
  const whole = partsOf(run);
  const picture = new Layout().layOut(whole, openParts(whole));
  const last = Object.values(run.status?.nodes ?? {}).find(({ displayName }) => displayName === "prepare")!;
  const touched = touchedParts(whole, new Map([[last.id, { ...last, message: "later" }]]));
  const next = runToEnd(touchedPicture(picture, touched.whole));
  const others = next.placed.filter((placedPart, index) => placedPart !== picture.placed[index]).map(({ part }) =>
    part.node?.message
  );
  assertEquals(others.includes("later"), true);
  assert(others.length < picture.placed.length);
});

Deno.test("touched parts: new nodes and changed children require a full update", async () => {
  const run = await runWorkflow();
  const [[id, node] = []] = Object.entries(run.status?.nodes ?? {});
  const changed = { ...node!, children: ["other"] };
  assertEquals(isInPlace(run, withChanges(run, new Map([[id!, changed]])), [changed]), false);
  assertEquals(isInPlace(run, run, [{ ...node!, id: "new" }]), false);
});

Deno.test("touched parts: when a run ends, its exit handler is placed differently than in a run that continues", async () => {
  const run = await runWorkflow();
  const going = { ...run, status: { ...run.status, phase: "Running" } } as Workflow;
  assertEquals(isInPlace(going, run, []), false);
});
