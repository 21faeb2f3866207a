/** The limits on nodes and actions of a pass and of a workflow: checked before anything is created. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { Scenario } from "./scenario.ts";

function worldOf(spec: string): Scenario {
  const world = new Scenario();
  const loaded = world.load(`kind: Workflow\nmetadata: {name: w}\nspec:\n${spec.replaceAll(/^/gm, "  ")}`);
  if (loaded !== "ok") throw new Error(loaded);
  return world;
}

/** Passes until the workflow has finished. When no further pass is requested, all pods end. */
function run(world: Scenario): { status: NonNullable<Workflow["status"]>; passes: number } {
  for (let passes = 1; passes <= 2000; passes++) {
    const decision = world.decide();
    world.pass(undefined);
    const status = world.workflow!.status!;
    if (status.finishedAt) return { status, passes };
    if (decision.isPartial) continue;
    for (const node of Object.values(status.nodes ?? {})) {
      if (node.type !== "Pod" || node.finishedAt || !world.pods.has(node.id)) continue;
      world.setPod([node.name, "Succeeded"]);
    }
  }
  throw new Error(`Not over after 2000 passes: ${JSON.stringify(world.workflow!.status).slice(0, 500)}`);
}

function limitNodes(world: Scenario, nodes: number): Scenario {
  world.config = { ...world.config, limits: { ...world.config.limits, nodes } };
  return world;
}

const SAY = "- {name: say, container: {image: busybox, command: [echo]}}";

const RECURSIONS: Record<string, string> = {
  "twice in steps":
    "- {name: main, steps: [[{name: a, template: main, continueOn: {failed: true, error: true}}], [{name: b, template: main}]]}",
  "twice in parallel": "- {name: main, steps: [[{name: a, template: main}, {name: b, template: main}]]}",
  "twice in a DAG": "- {name: main, dag: {tasks: [{name: a, template: main}, {name: b, template: main}]}}",
  "twice in a DAG that does not fail fast":
    "- {name: main, dag: {failFast: false, tasks: [{name: a, template: main}, {name: b, template: main}]}}",
  "in a loop of steps": "- {name: main, steps: [[{name: a, template: main, withItems: [1, 2, 3]}]]}",
  "in a loop of a DAG": '- {name: main, dag: {tasks: [{name: a, template: main, withSequence: {count: "3"}}]}}',
  "by a hook":
    `- {name: main, steps: [[{name: a, template: say, hooks: {h: {expression: "true", template: main}, i: {expression: "true", template: main}}}]]}\n${SAY}`,
  "with retries":
    "- {name: main, retryStrategy: {limit: 5, retryPolicy: Always}, steps: [[{name: a, template: main}, {name: b, template: main}]]}",
  "over another template":
    "- {name: main, steps: [[{name: a, template: other}, {name: b, template: other}]]}\n- {name: other, dag: {tasks: [{name: c, template: main}, {name: d, template: main}]}}",
  "inline":
    "- {name: main, steps: [[{name: a, inline: {steps: [[{name: b, template: main}, {name: c, template: main}]]}}]]}",
};

for (const [name, templates] of Object.entries(RECURSIONS)) {
  Deno.test(`limits: a template that calls itself ${name} ends its workflow at the limit of nodes`, () => {
    const { status } = run(limitNodes(worldOf(`entrypoint: main\ntemplates:\n${templates}`), 1000));
    assertEquals(status.phase, "Error");
    assertMatch(status.message!, /^a workflow may have 1000 nodes: node w.* would exceed the maximum$/);
    const nodes = Object.values(status.nodes!);
    assertEquals([nodes.length <= 1000, nodes.every((node) => node.finishedAt)], [true, true]);
  });
}

const SHAPES: Record<string, string> = {
  "a loop of steps":
    `- {name: main, steps: [[{name: a, template: say, withSequence: {count: "60"}}], [{name: b, template: say}]]}\n${SAY}`,
  "a loop that runs nothing":
    `- {name: main, steps: [[{name: a, template: say, when: "1 == 2", withSequence: {count: "60"}}], [{name: b, template: say}]]}\n${SAY}`,
  "a loop of a DAG":
    `- {name: main, dag: {tasks: [{name: a, template: say, withSequence: {count: "60"}}, {name: b, template: say, depends: a}]}}\n${SAY}`,
  "a loop of a DAG that runs nothing":
    `- {name: main, dag: {tasks: [{name: a, template: say, when: "1 == 2", withSequence: {count: "60"}}, {name: b, template: say, depends: a}]}}\n${SAY}`,
  "loops in loops":
    `- {name: main, steps: [[{name: a, template: part, withSequence: {count: "8"}}, {name: c, template: say}], [{name: b, template: say}]]}
- {name: part, steps: [[{name: d, template: say, withSequence: {count: "8"}}], [{name: e, template: say}]]}\n${SAY}`,
  "tasks in parallel": `- {name: main, dag: {tasks: [${
    Array.from({ length: 40 }, (_, index) => `{name: t${index}, template: say}`)
  }]}}\n${SAY}`,
  "steps with retries and an exit handler":
    `- {name: main, steps: [[{name: a, template: retried, onExit: say, withSequence: {count: "20"}}]]}
- {name: retried, retryStrategy: {limit: 2}, container: {image: busybox, command: [echo]}}\n${SAY}`,
};

for (const [name, templates] of Object.entries(SHAPES)) {
  Deno.test(`limits: ${name} has the same result in many passes as in one`, () => {
    const spec = `entrypoint: main\nonExit: say\ntemplates:\n${templates}`;
    const whole = run(worldOf(spec));
    const world = worldOf(spec);
    let millis = 0;
    world.elapsed = () => millis += 20;
    const sliced = run(world);
    const shape = ({ nodes }: NonNullable<Workflow["status"]>) =>
      Object.values(nodes!).map((node) => [node.name, node.type, node.phase, node.children?.toSorted()]).toSorted();
    assertEquals(shape(sliced.status), shape(whole.status));
    assertEquals(sliced.status.phase, "Succeeded");
    assertEquals(sliced.passes > whole.passes, true);
  });
}

Deno.test("limits: a pass at its limit requests the next at once, and its decision is written", () => {
  const world = worldOf(`entrypoint: main\ntemplates:\n${SHAPES["a loop of steps"]}`);
  let millis = 0;
  world.elapsed = () => millis += 20;
  const { isPartial, requeueAt, workflow } = world.decide();
  assertEquals([isPartial, requeueAt], [true, world.now.getTime()]);
  assertEquals(Object.keys(workflow.status!.nodes!).length < 20, true);
});

Deno.test("limits: the inputs of all children of a loop are counted together", () => {
  const world = worldOf(`entrypoint: main
arguments: {parameters: [{name: big, value: ${"x".repeat(1_000_000)}}]}
templates:
- {name: main, steps: [[{name: a, template: say, withSequence: {count: "5000"}, arguments: {parameters: [{name: p, value: "{{workflow.parameters.big}}"}]}}]]}
- {name: say, inputs: {parameters: [{name: p}]}, suspend: {}}`);
  const { status } = run(world);
  assertEquals(status.phase, "Error");
  assertMatch(
    status.message!,
    /^the nodes of a workflow may take 33554432 bytes, and with node w.* they would take \d+$/,
  );
});

Deno.test("limits: arguments that double with each call end at the limit of a node", () => {
  const world = worldOf(`entrypoint: main
templates:
- name: main
  inputs: {parameters: [{name: p, value: ${"x".repeat(1000)}}]}
  steps: [[{name: a, template: main, arguments: {parameters: [{name: p, value: "{{inputs.parameters.p}}{{inputs.parameters.p}}"}]}}]]`);
  const { status } = run(world);
  assertMatch(
    Object.values(status.nodes!).find(({ message }) => message?.startsWith("the inputs of node"))!.message!,
    /^the inputs of node w.* take \d+ bytes; the maximum is 2097152$/,
  );
});

Deno.test("limits: a recursion of maximum depth ends at the limit, not by a stack overflow, in unoptimized code", async () => {
  const program = new URL("deep_recursion.ts", import.meta.url).pathname;
  const flags = "--v8-flags=--no-opt,--no-maglev,--no-sparkplug";
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", flags, program],
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals(lines.filter((line) => !line.endsWith(": the limit")), []);
  assertEquals(lines.length, 4);
});

Deno.test("limits: a recursion with a high depth limit ends before the stack overflows", () => {
  const world = worldOf("entrypoint: main\ntemplates:\n- {name: main, steps: [[{name: a, template: main}]]}");
  world.config = { ...world.config, maxDepth: 0 };
  const { status } = run(world);
  const messages = Object.values(status.nodes!).map(({ message }) => message ?? "");
  assertEquals(messages.some((message) => message.startsWith("Maximum recursion depth exceeded")), true);
  assertEquals(messages.some((message) => message.includes("call stack")), false);
});
