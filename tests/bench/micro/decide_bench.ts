/**
 * The cost of a pass of the engine: the first one, one in which nothing changed, one in which a single pod ended, and
 * one after the other in which a single pod ended and the status is written. Pods side by side, in steps within steps, and in a DAG of layers of
 * ten.
 */
import type { DAGTask, Template, Workflow } from "../../../lib/api/mod.ts";
import { workflowPatch, written } from "../../../controller/workflow/record/record.ts";
import { Scenario } from "../../scenarios/scenario.ts";

const SAY: Template = {
  name: "say",
  inputs: { parameters: [{ name: "text" }] },
  container: { image: "busybox", command: ["echo", "{{inputs.parameters.text}}"] },
};

function loop(name: string, template: string, count: number): Template {
  const parameters = [{ name: "text", value: "{{item}}" }];
  return {
    name,
    steps: [[{ name: "item", template, withSequence: { count: String(count) }, arguments: { parameters } }]],
  };
}

/** Each task depends on the whole layer before it. */
function layers(tasks: number): Template {
  const list = Array.from({ length: tasks }, (_, index): DAGTask => {
    const before = 10 * Math.floor(index / 10) - 10;
    const dependencies = before < 0 ? [] : Array.from({ length: 10 }, (_, place) => `t${before + place}`);
    return {
      name: `t${index}`,
      template: "say",
      dependencies,
      arguments: { parameters: [{ name: "text", value: "x" }] },
    };
  });
  return { name: "main", dag: { tasks: list } };
}

const SHAPES: Readonly<Record<string, (pods: number) => Template[]>> = {
  "side by side": (pods) => [loop("main", "say", pods), SAY],
  "in steps of ten": (pods) => [loop("main", "part", pods / 10), loop("part", "say", 10), SAY],
  "in a DAG": (pods) => [layers(pods), SAY],
};

function worldOf(templates: Template[]): Scenario {
  const world = new Scenario();
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  const workflow: Workflow = { metadata, spec: { entrypoint: "main", templates } };
  world.workflow = workflow;
  return world;
}

/** The world after some passes in which half of the pods ended, those of a DAG layer by layer. */
function halfDone(pods: number, templates: Template[]): Scenario {
  const world = worldOf(templates);
  for (let left = pods / 2; left > 0;) {
    world.pass(undefined);
    const open = openPods(world).slice(0, left);
    for (const name of open) world.setPod([name, "Succeeded"]);
    left -= open.length;
  }
  world.pass(undefined);
  world.pass(undefined);
  return world;
}

function openPods(world: Scenario): string[] {
  const nodes = Object.values(world.workflow!.status!.nodes!);
  return nodes.filter(({ type, phase }) => type === "Pod" && phase === "Pending").map(({ name }) => name);
}

for (const [shape, templatesOf] of Object.entries(SHAPES)) {
  for (const pods of shape === "in a DAG" ? [100, 1000] : [100, 1000, 10_000, 100_000]) {
    const templates = templatesOf(pods);
    const name = `${pods} pods ${shape}`;
    Deno.bench(name, { group: "first pass" }, (bench) => {
      const world = worldOf(templates);
      bench.start();
      world.decide();
      bench.end();
    });

    const world = halfDone(pods, templates);
    Deno.bench(name, { group: "pass in which nothing changed" }, () => {
      world.decide();
    });

    const busy = halfDone(pods, templates);
    busy.setPod([...openPods(busy).slice(0, 1), "Succeeded"]);
    Deno.bench(name, { group: "pass in which one pod ended" }, () => {
      busy.decide();
    });

    const writing = halfDone(pods, templates);
    const open = openPods(writing);
    let ended = 0;
    Deno.bench(name, { group: "pass in which one more pod ended, with the patch of its status" }, (bench) => {
      const name = open[ended++];
      if (name === undefined) throw new Error(`All ${open.length} pods have ended`);
      writing.setPod([name, "Succeeded"]);
      bench.start();
      const before = writing.workflow!;
      const { change } = writing.decide();
      workflowPatch(before, change.head, change.nodes.changed);
      writing.workflow = written(change, {});
      bench.end();
    });
  }
}
