/** Laws of the engine that hold for any workflow and any order of events (docs/architecture.md). */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus, Template, Workflow } from "../../lib/api/mod.ts";
import { type Decision, Memory } from "../../controller/engine/mod.ts";
import { World } from "./scenario.ts";

/** A DAG of up to seven tasks; each depends on some of those before it, and some of them fail. */
const dag = fc.array(fc.record({ dependencies: fc.uniqueArray(fc.nat(5), { maxLength: 3 }), fails: fc.boolean() }), {
  minLength: 1,
  maxLength: 7,
});

type Shape = { dependencies: number[]; fails: boolean }[];

function workflowOf(shape: Shape, options: { retries?: number } = {}): Workflow {
  const say: Template = { name: "say", container: { image: "busybox", command: ["true"] } };
  if (options.retries !== undefined) say.retryStrategy = { limit: options.retries };
  const tasks = shape.map(({ dependencies }, index) => ({
    name: `t${index}`,
    template: "say",
    dependencies: dependencies.filter((other) => other < index).map((other) => `t${other}`),
  }));
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, say] },
  };
}

function phasesOf(world: World): Record<string, string> {
  const nodes = Object.values(world.workflow?.status?.nodes ?? {});
  return Object.fromEntries(nodes.map((node) => [node.name, node.phase!]).sort());
}

function openPods(world: World): NodeStatus[] {
  const nodes = world.workflow?.status?.nodes ?? {};
  return Object.values(nodes).filter((node) => {
    const phase = world.pods.get(node.id)?.status?.phase;
    return phase === "Pending" || phase === "Running";
  });
}

/** Runs a workflow to its end: `pick` says which open pod is next to end, `onPass` sees every pass. */
function run(world: World, shape: Shape, pick: (open: number) => number, onPass: () => void = () => {}): void {
  for (let step = 0; step < 200; step++) {
    world.pass(undefined);
    onPass();
    const open = openPods(world);
    if (open.length === 0) break;
    const node = open.toSorted((a, b) => a.name.localeCompare(b.name))[pick(open.length)];
    const task = Number(/t(\d+)/.exec(node.name)?.[1] ?? 0);
    world.setPod([node.name, shape[task].fails ? "Failed" : "Succeeded"]);
  }
}

function worldOf(shape: Shape, options?: { retries?: number }): World {
  const world = new World();
  world.workflow = workflowOf(shape, options);
  return world;
}

Deno.test("decide() asks for nothing more once what it asked for has happened", () => {
  fc.assert(fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
    const world = worldOf(shape, { retries: 1 });
    run(world, shape, (open) => order.next().value! % open, () => {
      const before = world.workflow;
      assertEquals(world.pass(undefined), "nothing");
      assertEquals(world.workflow, before);
    });
  }));
});

Deno.test("decide() ends in the same phases whatever the order in which pods end", () => {
  fc.assert(fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
    const first = worldOf(shape);
    run(first, shape, () => 0);
    const second = worldOf(shape);
    run(second, shape, (open) => order.next().value! % open);
    assertEquals(phasesOf(second), phasesOf(first));
    assertEquals(second.workflow!.status!.phase, first.workflow!.status!.phase);
  }));
});

Deno.test("decide() lets no finished node become anything else", () => {
  fc.assert(fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
    const world = worldOf(shape, { retries: 2 });
    const ended = new Map<string, string>();
    run(world, shape, (open) => order.next().value! % open, () => {
      for (const node of Object.values(world.workflow!.status!.nodes!)) {
        const known = ended.get(node.id);
        if (known) assertEquals(node.phase, known, `${node.name} was ${known}`);
        else if (node.finishedAt && node.type === "Pod") ended.set(node.id, node.phase!);
      }
    });
  }));
});

Deno.test("decide() needs no memory: a restart before every pass changes nothing", () => {
  fc.assert(fc.property(dag, (shape) => {
    const first = worldOf(shape, { retries: 1 });
    run(first, shape, () => 0);
    const second = worldOf(shape, { retries: 1 });
    run(second, shape, () => 0, () => second.restart());
    assertEquals(second.workflow, first.workflow);
  }));
});

/** Loops, groups one after the other, steps in steps, attempts, limits: what a pass may pass over. */
const loops = fc.record({
  groups: fc.array(
    fc.array(fc.record({ template: fc.constantFrom("say", "again", "part", "fan"), items: fc.nat(3) }), {
      minLength: 1,
      maxLength: 2,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  parallelism: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  inTemplate: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  hooked: fc.boolean(),
});

type Loops = typeof loops extends fc.Arbitrary<infer Shape> ? Shape : never;

function loopsOf({ groups, parallelism, inTemplate, hooked }: Loops): Workflow {
  const loop = (items: number) => items ? { withSequence: { count: String(items) } } : {};
  const hooks = hooked ? { hooks: { seen: { expression: 'workflow.status == "Running"', template: "say" } } } : {};
  const steps = groups.map((calls, group) =>
    calls.map(({ template, items }, call) => ({
      name: `s${group}-${call}`,
      template,
      ...loop(items),
      ...(call === 0 ? hooks : {}),
      ...(call === 1 ? { onExit: "say" } : {}),
      continueOn: { failed: true },
    }))
  );
  const say = { container: { image: "busybox", command: ["true"] } };
  const templates = [
    { name: "main", steps, parallelism: inTemplate },
    { name: "part", steps: [[{ name: "a", template: "say", ...loop(2) }], [{ name: "b", template: "again" }]] },
    {
      name: "fan",
      parallelism: inTemplate,
      dag: {
        tasks: [
          { name: "c", template: "say", ...loop(3) },
          { name: "d", template: "again", depends: "c.Succeeded || c.Failed" },
        ],
      },
    },
    { name: "say", ...say },
    { name: "again", ...say, retryStrategy: { limit: 1 } },
  ];
  return { ...workflowOf([]), spec: { entrypoint: "main", parallelism, templates } as Workflow["spec"] };
}

Deno.test("decide() comes to the same with its memory as without, whether or not what it decides is written", () => {
  const workflow = fc.oneof(loops.map(loopsOf), dag.map((shape) => workflowOf(shape, { retries: 1 })));
  const room = fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined });
  fc.assert(fc.property(workflow, room, fc.infiniteStream(fc.nat()), (workflow, podRoom, chance) => {
    const pick = (below: number) => chance.next().value! % below;
    const world = new World();
    Object.assign(world, { workflow, podRoom });
    for (let step = 0; step < 150 && !world.workflow!.status?.finishedAt; step++) {
      const known = world.decide();
      const before = { workflow: known.workflow, actions: actionsOf(known), requeueAt: known.requeueAt };
      const fresh = world.decide(new Memory());
      assertEquals(before, { workflow: fresh.workflow, actions: actionsOf(fresh), requeueAt: fresh.requeueAt });
      if (pick(4) === 0) continue;
      world.workflow = known.workflow;
      for (const action of known.actions) world.apply(action);
      const open = openPods(world);
      if (open.length === 0 || pick(4) === 0) continue;
      const { name } = open[pick(open.length)];
      world.setPod([name, ["Running", "Succeeded", "Succeeded", "Failed"][pick(4)]]);
      world.now = new Date(world.now.getTime() + 1000);
    }
    assertEquals(world.workflow!.status?.finishedAt !== undefined, true);
  }));
});

/** Actions, whatever their order. */
function actionsOf({ actions }: Decision): string[] {
  return actions.map((action) => JSON.stringify(action)).sort();
}
