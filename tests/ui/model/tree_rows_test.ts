import { assertEquals } from "@std/assert";
import { simulate } from "../../../mod.ts";
import { runToEnd } from "../../../ui/model/run_to_end.ts";
import { treeRows, visibleRows } from "../../../ui/model/tree/tree_rows.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  onExit: work
  templates:
  - name: main
    steps:
    - - { name: one, template: work }
    - - { name: two, template: inner }
      - { name: three, template: work }
  - name: inner
    dag: { tasks: [{ name: a, template: work }, { name: b, template: work, depends: a }] }
  - { name: work, container: { image: alpine, command: [work] } }
`;

Deno.test("tree rows: have their level, their parent, and their position among siblings", async () => {
  const rows = runToEnd(treeRows((await simulate(SOURCE)).workflow));
  const shown = rows.map(({ node, level, hasChildren, place, siblings }) =>
    `${"-".repeat(level)} ${node.displayName} ${place}/${siblings}${hasChildren ? " +" : ""}`
  );
  assertEquals(shown, [
    "- w 1/2 +",
    "-- one 1/3",
    "-- three 2/3",
    "-- two 3/3 +",
    "--- a 1/2",
    "--- b 2/2",
    "- w.onExit 2/2",
  ]);
});

Deno.test("tree rows: all descendants of a collapsed row are hidden", async () => {
  const rows = runToEnd(treeRows((await simulate(SOURCE)).workflow));
  const names = (folded: readonly string[]) =>
    visibleRows(rows, new Set(rows.filter(({ node }) => folded.includes(node.name)).map(({ node }) => node.id)))
      .map(({ node }) => node.displayName);
  assertEquals(names(["w[1].two"]), ["w", "one", "three", "two", "w.onExit"]);
  assertEquals(names(["w"]), ["w", "w.onExit"]);
});
