/** The check of a spec is shared by all workflows with an equal spec: only their differences are checked again. */
import { assertEquals, assertMatch } from "@std/assert";
import { Scenario } from "./scenario.ts";

const TEMPLATE = `
kind: WorkflowTemplate
metadata: {name: t}
spec:
  templates:
  - {name: say, container: {image: busybox, command: [echo]}}
`;

function startScenario(metadata: string, spec: string, ...others: string[]): string {
  const world = new Scenario();
  for (const text of [...others, `kind: Workflow\nmetadata: ${metadata}\nspec: ${spec}`]) {
    const loaded = world.load(text);
    if (loaded !== "ok") throw new Error(loaded);
  }
  world.pass(undefined);
  const { phase, message = "" } = world.workflow!.status!;
  return `${phase} ${message}`.trim();
}

Deno.test("spec check: a workflow without the label that its template names is refused after one with it passed", () => {
  const spec =
    `{entrypoint: a, templates: [{name: a, container: {image: busybox, command: ["{{workflow.labels.mine}}"]}}]}`;
  for (let time = 0; time < 2; time++) {
    assertEquals(startScenario("{name: w, labels: {mine: x}}", spec), "Running");
    assertMatch(startScenario("{name: w}", spec), /^Failed invalid spec: .*workflow\.labels\.mine/);
  }
});

Deno.test("spec check: a name that is too long is refused after a workflow with a shorter one passed", () => {
  const spec = "{entrypoint: a, templates: [{name: a, container: {image: busybox, command: [long]}}]}";
  for (let time = 0; time < 2; time++) {
    assertEquals(startScenario("{name: w}", spec), "Running");
    assertMatch(
      startScenario(`{name: ${"w".repeat(70)}}`, spec),
      /^Failed invalid spec: workflow name .* must not be more than/,
    );
  }
});

Deno.test("spec check: a referenced template is looked up for each workflow", () => {
  const spec = "{entrypoint: a, templates: [{name: a, steps: [[{name: s, templateRef: {name: t, template: say}}]]}]}";
  for (let time = 0; time < 2; time++) {
    assertEquals(startScenario("{name: w}", spec, TEMPLATE), "Running");
    assertMatch(startScenario("{name: w}", spec), /^Failed invalid spec: .*t\.say not found/);
  }
});

/** The author's labels and annotations of a workflow after its first pass, and its message. */
function metadataAfter(workflowMetadata: string) {
  const world = new Scenario();
  const spec = `{entrypoint: a, workflowMetadata: ${workflowMetadata}, templates: [{name: a, suspend: {}}]}`;
  const loaded = world.load(`kind: Workflow\nmetadata: {name: w}\nspec: ${spec}`);
  if (loaded !== "ok") throw new Error(loaded);
  world.pass(undefined);
  const { metadata: { labels = {}, annotations = {} }, status } = world.workflow!;
  const own = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([name]) => !name.includes("/")));
  return { labels: own(labels), annotations: own(annotations), end: `${status?.phase} ${status?.message}` };
}

Deno.test("spec check: a computed label that fails leaves the plain labels and the annotations before it", () => {
  const computed = (...expressions: string[]) =>
    `labelsFrom: {${expressions.map((expression, index) => `c${index}: {expression: "${expression}"}`).join(", ")}}`;
  const plain = "labels: {team: red}, annotations: {a: b}";
  assertEquals(metadataAfter(`{${plain}, ${computed("'x'", "1")}}`), {
    labels: { team: "red", c0: "x" },
    annotations: { a: "b" },
    end: 'Error failed to evaluate label "c1" expression "1" evaluted to int but must be a string',
  });
  const { labels, annotations } = metadataAfter(`{labels: {team: red, wrong: "a b"}, annotations: {a: b}}`);
  assertEquals({ labels, annotations }, { labels: { team: "red" }, annotations: {} });
});
