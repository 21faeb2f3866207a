import { assertEquals, assertThrows } from "@std/assert";
import { simulate } from "../../../mod.ts";
import { failedPartsOf, openParts } from "../../../ui/model/graph/fold.ts";
import { Layout, type Picture } from "../../../ui/model/graph/layout.ts";
import { PartBuilder, rowsOfPart } from "../../../ui/model/graph/part_rows.ts";
import { partsOf } from "../../../ui/model/graph/parts.ts";
import { columnsOf, pictureOf } from "../../../ui/model/graph/picture_columns.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: nested }
spec:
  entrypoint: main
  onExit: work
  templates:
  - name: main
    dag:
      tasks:
      - { name: each, template: work, withItems: [a, b, c] }
      - { name: tried, template: tried, depends: each, hooks: { exit: { template: work } } }
      - { name: bad, template: bad, depends: each }
      - { name: never, template: inner, depends: bad }
  - name: inner
    steps: [[{ name: deep, template: work }], [{ name: deeper, template: work }]]
  - { name: tried, retryStrategy: { limit: 2 }, container: { image: alpine, command: [work] } }
  - { name: bad, container: { image: alpine, command: [work] } }
  - { name: work, container: { image: alpine, command: [work] } }
`;

async function failedRun() {
  const { workflow } = await simulate(SOURCE, {
    templates: { bad: () => ({ exitCode: 1 }), tried: ({ attempt }) => ({ exitCode: attempt === 0 ? 1 : 0 }) },
  });
  return workflow;
}

function wholeOf<T>(work: Generator<undefined, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

Deno.test("graph rows: a graph is equal after a round trip, and refers to the nodes of the run", async () => {
  const workflow = await failedRun();
  const whole = partsOf(workflow);
  const builder = new PartBuilder(workflow.status?.nodes ?? {});
  for (const row of rowsOfPart(whole)) builder.add(structuredClone(row));
  assertEquals(builder.outermostPart(), whole);
});

Deno.test("graph rows: incomplete rows are an error", async () => {
  const rows = [...rowsOfPart(partsOf(await failedRun()))];
  const builder = new PartBuilder({});
  for (const row of rows.slice(0, -1)) builder.add(row);
  assertThrows(() => builder.outermostPart(), Error, "Expected one part at the end");
  assertThrows(() => new PartBuilder({}).add(rows.at(-1)!), Error, "members");
});

Deno.test("graph columns: a layout is equal after a round trip, for all parts and for failed ones", async () => {
  const all = partsOf(await failedRun());
  for (const whole of [all, failedPartsOf(all)]) {
    const picture = new Layout().layOut(whole, openParts(whole));
    const again: Picture = wholeOf(pictureOf(whole, structuredClone(columnsOf(whole, picture))));
    assertEquals(again, picture);
  }
});
