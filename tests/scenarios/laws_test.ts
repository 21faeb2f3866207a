/** Laws of the engine that hold for any workflow and any order of events (lib/engine/README.md). */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { LifecycleHook, NodeStatus, Template, Workflow } from "@tiphys/model/api";
import { type Decision, Memory } from "@tiphys/engine";
import { repetitions } from "../../scripts/unit_tests/repetitions.ts";
import { runScenario, Scenario } from "./scenario.ts";

/** The values that each law is tried with. */
const VALUES = { numRuns: repetitions(25, 100) };

/** A DAG of up to seven tasks. Each depends on some of the earlier ones, and some of them fail. */
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

function phasesOf(world: Scenario): Record<string, string> {
  const nodes = Object.values(world.workflow?.status?.nodes ?? {});
  return Object.fromEntries(nodes.map((node) => [node.name, node.phase!]).sort());
}

function openPods(world: Scenario): NodeStatus[] {
  const nodes = world.workflow?.status?.nodes ?? {};
  return Object.values(nodes).filter((node) => {
    const phase = world.pods.get(node.id)?.status?.phase;
    return phase === "Pending" || phase === "Running";
  });
}

/** Runs a workflow to its end: `pick` chooses the open pod that ends next, `onPass` is called after each pass. */
function run(world: Scenario, shape: Shape, pick: (open: number) => number, onPass: () => void = () => {}): void {
  for (let step = 0; step < 200; step++) {
    world.pass(undefined);
    onPass();
    const open = openPods(world);
    if (open.length === 0) break;
    const name = open.toSorted((a, b) => a.name.localeCompare(b.name))[pick(open.length)]?.name ?? "";
    const task = Number(/t(\d+)/.exec(name)?.[1] ?? 0);
    world.setPod([name, shape[task]?.fails ? "Failed" : "Succeeded"]);
  }
}

function worldOf(shape: Shape, options?: { retries?: number }): Scenario {
  const world = new Scenario();
  world.workflow = workflowOf(shape, options);
  return world;
}

Deno.test("decide: requests nothing more once its actions have been applied", () => {
  fc.assert(
    fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
      const world = worldOf(shape, { retries: 1 });
      run(world, shape, (open) => order.next().value! % open, () => {
        const before = world.workflow;
        assertEquals(world.pass(undefined), "nothing");
        assertEquals(world.workflow, before);
      });
    }),
    VALUES,
  );
});

Deno.test("decide: ends in the same phases whatever the order in which pods end", () => {
  fc.assert(
    fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
      const first = worldOf(shape);
      run(first, shape, () => 0);
      const second = worldOf(shape);
      run(second, shape, (open) => order.next().value! % open);
      assertEquals(phasesOf(second), phasesOf(first));
      assertEquals(second.workflow!.status!.phase, first.workflow!.status!.phase);
    }),
    VALUES,
  );
});

Deno.test("decide: records that no pod runs before it records that the workflow is completed", () => {
  fc.assert(
    fc.property(dag, fc.boolean(), (shape, seen) => {
      const world = worldOf(shape);
      run(world, shape, () => 0, () => {
        if (seen) { for (const node of openPods(world)) world.setPod([node.name, "Running"]); }
      });
      assertEquals(world.workflow!.status!.conditions?.map(({ type }) => type), ["PodRunning", "Completed"]);
    }),
    VALUES,
  );
});

Deno.test("decide: a finished node does not change", () => {
  fc.assert(
    fc.property(dag, fc.infiniteStream(fc.nat()), (shape, order) => {
      const world = worldOf(shape, { retries: 2 });
      const ended = new Map<string, string>();
      run(world, shape, (open) => order.next().value! % open, () => {
        for (const node of Object.values(world.workflow!.status!.nodes!)) {
          const known = ended.get(node.id);
          if (known) assertEquals(node.phase, known, `${node.name} was ${known}`);
          else if (node.finishedAt && node.type === "Pod") ended.set(node.id, node.phase!);
        }
      });
    }),
    VALUES,
  );
});

Deno.test("decide: needs no memory: a restart before every pass changes nothing", () => {
  fc.assert(
    fc.property(dag, (shape) => {
      const first = worldOf(shape, { retries: 1 });
      run(first, shape, () => 0);
      const second = worldOf(shape, { retries: 1 });
      run(second, shape, () => 0, () => second.restart());
      assertEquals(second.workflow, first.workflow);
    }),
    VALUES,
  );
});

/** Loops, sequential groups, nested steps, attempts and limits: nodes that a pass may skip. */
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

/** Loops of DAGs with hooks and exit handlers: a pass does not reach all changes. */
const hookedLoops = fc.record({
  outer: fc.nat(2),
  inner: fc.integer({ min: 1, max: 3 }),
  template: fc.constantFrom("say", "again", "part"),
  handler: fc.constantFrom("say", "again", "part"),
  hooks: fc.subarray(["seen", "exit"]),
  parallelism: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  outerHooks: fc.subarray(["seen", "exit"]),
});

type HookedLoops = typeof hookedLoops extends fc.Arbitrary<infer Shape> ? Shape : never;

function hookedLoopsOf({ outer, inner, template, handler, hooks, parallelism, outerHooks }: HookedLoops): Workflow {
  const task = (name: string, template: string, items: number, hooks: string[]) => {
    const all: Record<string, LifecycleHook> = {
      seen: { expression: `tasks.${name}.status == "Running"`, template: "say" },
      exit: { template: handler },
    };
    return {
      name,
      template,
      ...(items ? { withSequence: { count: String(items) } } : {}),
      hooks: Object.fromEntries(hooks.map((hook) => [hook, all[hook]])),
    };
  };
  const say = { container: { image: "busybox", command: ["true"] } };
  const templates = [
    { name: "main", dag: { tasks: [task("outer", "fan", outer, outerHooks)] } },
    {
      name: "fan",
      parallelism,
      dag: { tasks: [task("inner", template, inner, hooks), task("beside", "again", 0, [])] },
    },
    { name: "part", steps: [[{ name: "a", template: "say", withSequence: { count: "2" } }]] },
    { name: "say", ...say },
    { name: "again", ...say, retryStrategy: { limit: 1 } },
  ];
  return { ...workflowOf([]), spec: { entrypoint: "main", templates } as Workflow["spec"] };
}

Deno.test("decide: has the same results with and without its memory, even if decisions are not written", () => {
  const workflow = fc.oneof(
    loops.map(loopsOf),
    hookedLoops.map(hookedLoopsOf),
    dag.map((shape) => workflowOf(shape, { retries: 1 })),
  );
  const room = fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined });
  fc.assert(
    fc.property(workflow, room, fc.infiniteStream(fc.nat()), (workflow, maxPodRequests, chance) => {
      const pick = (below: number) => chance.next().value! % below;
      const world = new Scenario();
      Object.assign(world, { workflow, maxPodRequests });
      for (let step = 0; step < 1000 && !world.workflow!.status?.finishedAt; step++) {
        const known = world.decide();
        const before = { workflow: known.workflow, actions: actionsOf(known), requeueAt: known.requeueAt };
        const fresh = world.decide(new Memory());
        assertEquals(before, { workflow: fresh.workflow, actions: actionsOf(fresh), requeueAt: fresh.requeueAt });
        if (pick(4) === 0) continue;
        world.workflow = known.workflow;
        for (const action of known.actions) world.apply(action);
        const open = openPods(world);
        if (open.length === 0 || pick(4) === 0) continue;
        const name = open[pick(open.length)]?.name ?? "";
        world.setPod([name, ["Running", "Succeeded", "Succeeded", "Failed"][pick(4)] ?? ""]);
        world.now = new Date(world.now.getTime() + 1000);
      }
      assertEquals(world.workflow!.status?.finishedAt !== undefined, true);
    }),
    VALUES,
  );
});

/** Actions, in any order. */
function actionsOf({ actions }: Decision): string[] {
  return actions.map((action) => JSON.stringify(action)).sort();
}

Deno.test("decide: no node has an end time before it has ended, including the attempts of a ready daemon", () => {
  const container = { image: "busybox", command: ["true"] };
  const tasks = [{ name: "served", template: "served" }, { name: "after", template: "say", depends: "served" }];
  const templates: Template[] = [
    { name: "main", dag: { tasks } },
    { name: "served", daemon: true, retryStrategy: { limit: 1 }, container },
    { name: "say", container },
  ];
  const world = new Scenario();
  world.workflow = { ...workflowOf([]), spec: { entrypoint: "main", templates } };
  const pass = () => {
    world.now = new Date(world.now.getTime() + 1000);
    world.pass(undefined);
    for (const { name, phase, finishedAt } of Object.values(world.workflow!.status!.nodes!)) {
      assertEquals(finishedAt !== undefined, phase !== "Pending" && phase !== "Running", `${name} is ${phase}`);
    }
  };
  const passes = () => [1, 2, 3].forEach(pass);
  passes();
  world.setPod(["w.served(0)", "Running"]);
  passes();
  world.setPod(["w.served(0)", "Failed"]);
  passes();
  world.setPod(["w.served(1)", "Running"]);
  passes();
  world.setPod(["w.after", "Succeeded"]);
  passes();
  assertEquals(phasesOf(world)["w.served"], "Succeeded");
  assertEquals(world.workflow.status?.phase, "Succeeded");
});

/** Freezes an object and everything in it. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const field of Object.values(value)) deepFreeze(field);
  return value;
}

/** The fields of a decision that are compared, with its lists sorted. */
function answerOf(decision: Decision) {
  const { workflow, isPartial, requeueAt, logLines, change } = decision;
  return {
    workflow,
    isPart: isPartial,
    requeueAt,
    notes: [...logLines].sort(),
    actions: actionsOf(decision),
    changed: [...change.nodes.changed.keys()].sort(),
  };
}

/**
 * A world that compares each decision with that of an engine without memory. Inputs are frozen, and decisions are
 * compared at the end.
 */
class ComparingWorld extends Scenario {
  readonly #decisions: { readonly cached: Decision; readonly fresh: ReturnType<typeof answerOf> }[] = [];
  /** Whether the memory is lost before the next decision. */
  forgets = () => false;
  /** Whether a decision is also made after each fact, without being written. */
  isHasty = false;

  override decide(): Decision {
    if (this.forgets()) this.memory = new Memory();
    deepFreeze(this.workflow);
    const known = super.decide();
    this.#decisions.push({ cached: known, fresh: answerOf(super.decide(new Memory())) });
    return known;
  }

  override run(command: string, body: string): string {
    const answer = super.run(command, body);
    if (this.isHasty && this.workflow && !command.startsWith("pass")) this.decide();
    return answer;
  }

  /** Compares all decisions, beginning with the last one. */
  check(): void {
    for (const { cached, fresh } of this.#decisions.reverse()) assertEquals(answerOf(cached), fresh);
  }
}

const folder = new URL("testdata/", import.meta.url);

for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name.localeCompare(b.name))) {
  const title = name.replace(/\.txt$/, "").replaceAll("_", " ");
  Deno.test(`decide: has the same results whenever its memory is lost: ${title}`, () => {
    const text = Deno.readTextFileSync(new URL(name, folder));
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (loses) => {
        const world = new ComparingWorld();
        world.forgets = () => loses.next().value!;
        assertEquals(runScenario(text, world), text);
        world.check();
      }),
      { numRuns: repetitions(1, 5) },
    );
  });

  Deno.test(`decide: has the same results whether facts arrive one at a time or all at once: ${title}`, () => {
    const text = Deno.readTextFileSync(new URL(name, folder));
    const world = new ComparingWorld();
    world.isHasty = true;
    assertEquals(runScenario(text, world), text);
    world.check();
  });
}
