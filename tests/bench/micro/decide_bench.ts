/**
 * Measures a pass of the engine: the first one, one without a change, one after a single pod has ended, and a sequence
 * in which a single pod ends before each pass and the status is written. For parallel pods, nested steps, and a DAG of
 * layers of ten.
 */
import type { DAGTask, NodeStatus, Template, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { workflowAfterWrite, workflowPatch } from "../../../controller/workflow/record/record.ts";
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

/** Each task depends on all tasks of the previous layer. */
function layers(tasks: number): Template {
  const list = Array.from({ length: tasks }, (_, index): DAGTask => {
    const before = 10 * Math.floor(index / 10) - 10;
    const dependencies = before < 0 ? [] : Array.from({ length: 10 }, (_, position) => `t${before + position}`);
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
  "in parallel": (pods) => [loop("main", "say", pods), SAY],
  "in steps of ten": (pods) => [loop("main", "part", pods / 10), loop("part", "say", 10), SAY],
  "in a DAG": (pods) => [layers(pods), SAY],
};

/** Above this size the first pass is not measured, because it takes seconds. */
const LARGE = 10_000;

/**
 * A scenario without the size limits of a workflow: 100,000 nodes exceed the limit of an object, and would be created
 * in many passes.
 */
function worldOf(pods: number, templates: Template[]): Scenario {
  Object.assign(LIMITS, { nodesBytes: Infinity, nodesPerPass: Infinity, podsBytesPerPass: Infinity });
  const world = new Scenario();
  world.config = { ...world.config, limits: { ...world.config.limits, nodes: 10 * pods } };
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  const workflow: Workflow = { metadata, spec: { entrypoint: "main", templates } };
  world.workflow = workflow;
  return world;
}

/** The scenario after some passes in which half of the pods ended, layer by layer in a DAG. */
function scenarioWithEndedPods(pods: number, templates: Template[]): Scenario {
  const world = worldOf(pods, templates);
  for (let left = pods / 2; left > 0;) {
    world.makePass();
    const open = openPods(world).slice(0, left);
    if (open.length === 0) {
      throw new Error(`Expected to end ${left} more pods, found none: ${world.workflow?.status?.message}`);
    }
    for (const node of open) world.setPodOf(node, "Succeeded");
    left -= open.length;
  }
  world.makePass();
  world.makePass();
  return world;
}

function openPods(world: Scenario): NodeStatus[] {
  const nodes = Object.values(world.workflow!.status!.nodes!);
  return nodes.filter(({ type, phase }) => type === "Pod" && phase === "Pending");
}

/** Creates a scenario on first use: it takes seconds, and filters may skip most benchmarks. */
function createOnFirstUse(make: () => Scenario): () => Scenario {
  let world: Scenario | undefined;
  return () => world ??= make();
}

for (const [shape, templatesOf] of Object.entries(SHAPES)) {
  for (const pods of shape === "in a DAG" ? [100, 1000] : [100, 1000, 10_000, 100_000]) {
    const templates = templatesOf(pods);
    const name = `${pods} pods ${shape}`;
    if (pods <= LARGE) {
      Deno.bench(name, { group: "first pass" }, (bench) => {
        const world = worldOf(pods, templates);
        bench.start();
        world.decide();
        bench.end();
      });
    }

    const half = createOnFirstUse(() => scenarioWithEndedPods(pods, templates));
    Deno.bench(name, { group: "pass in which nothing changed" }, (bench) => {
      const world = half();
      bench.start();
      world.decide();
      bench.end();
    });

    const busy = createOnFirstUse(() => {
      const world = half();
      world.setPodOf(openPods(world)[0]!, "Succeeded");
      return world;
    });
    Deno.bench(name, { group: "pass in which one pod ended" }, (bench) => {
      const world = busy();
      bench.start();
      world.decide();
      bench.end();
    });

    let writing: { readonly world: Scenario; readonly open: NodeStatus[] } | undefined;
    Deno.bench(name, { group: "pass in which one more pod ended, with the patch of its status" }, (bench) => {
      if (!writing?.open.length) {
        const world = writing ? scenarioWithEndedPods(pods, templates) : half();
        writing = { world, open: openPods(world) };
      }
      const { world, open } = writing;
      const node = open.pop()!;
      world.setPodOf(node, "Succeeded");
      bench.start();
      const before = world.workflow!;
      const { change } = world.decide();
      workflowPatch(before, change.head, change.nodes.changed);
      world.workflow = workflowAfterWrite(change, {});
      bench.end();
    });
  }
}
