/** Manual retries: workflows of every shape fail at random, are retried, and succeed. */
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Template, Workflow } from "@tiphys/model/api";
import { isActiveSuspend, isCompletedPhase, isFailure, isOver, nodesOf, podNameOf } from "@tiphys/model/status";
import { formulateRetry, resumeWorkflow, setNodes } from "@tiphys/engine/workflow_actions";
import { Scenario } from "./scenario.ts";

/** Random numbers with a fixed seed. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2654435761 >>> 0;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ this.#state >>> 15, 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((this.#state ^ this.#state >>> 13) >>> 0) % limit;
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

/** A workflow of a few templates that call each other, no more than `depth` deep. */
function randomWorkflow(chance: Chance): Workflow {
  const templates: Template[] = [];
  const main = holderTemplate(chance, templates, 2);
  const exit = chance.oneIn(3) ? leafTemplate(chance, templates) : undefined;
  return {
    metadata: { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { entrypoint: main, templates, ...(exit ? { onExit: exit } : {}) },
  };
}

function add(templates: Template[], template: Template): string {
  const name = `t${templates.length}`;
  templates.push({ name, ...template });
  return name;
}

function leafTemplate(chance: Chance, templates: Template[]): string {
  const retryStrategy = chance.oneIn(3) ? { retryStrategy: { limit: String(chance.below(3)) } } : {};
  if (chance.oneIn(6)) return add(templates, { suspend: {}, ...retryStrategy });
  const container = { image: "busybox", command: ["true"] };
  if (chance.oneIn(5)) {
    const containers = ["a", "b"].map((name, index) => ({
      name,
      ...container,
      ...(index ? { dependencies: ["a"] } : {}),
    }));
    return add(templates, { containerSet: { containers }, ...retryStrategy });
  }
  return add(templates, { container, ...retryStrategy });
}

function leafOrHolder(chance: Chance, templates: Template[], depth: number): string {
  return depth > 0 && chance.oneIn(2) ? holderTemplate(chance, templates, depth - 1) : leafTemplate(chance, templates);
}

function call(chance: Chance, templates: Template[], depth: number) {
  const template = leafOrHolder(chance, templates, depth);
  // As in Argo, a successor of a retried task with an exit handler is a child of the handler, and takes its phase.
  const isRetried = templates.find(({ name }) => name === template)?.retryStrategy !== undefined;
  return {
    template,
    ...(chance.oneIn(5) ? { withItems: ["x", "y"] } : {}),
    ...(chance.oneIn(6) ? { continueOn: { failed: true, error: true } } : {}),
    ...(!isRetried && chance.oneIn(8) ? { hooks: { exit: { template: leafTemplate(chance, templates) } } } : {}),
    ...(chance.oneIn(10) ? { when: "1 == 2" } : {}),
  };
}

function holderTemplate(chance: Chance, templates: Template[], depth: number): string {
  const retryStrategy = chance.oneIn(4) ? { retryStrategy: { limit: String(chance.below(2)) } } : {};
  const names = ["a", "b", "c"].slice(0, 1 + chance.below(3));
  if (chance.oneIn(2)) {
    const steps = names.map((name) => [
      { name, ...call(chance, templates, depth) },
      ...(chance.oneIn(3) ? [{ name: `${name}2`, ...call(chance, templates, depth) }] : []),
    ]);
    return add(templates, { steps, ...retryStrategy });
  }
  const tasks = names.map((name, index) => {
    const { continueOn: _, ...task } = call(chance, templates, depth);
    return { name, ...task, ...dependsOn(chance, names.slice(0, index)) };
  });
  const failFast = chance.oneIn(3) ? { failFast: false } : {};
  return add(templates, { dag: { tasks, ...failFast }, ...retryStrategy });
}

function dependsOn(chance: Chance, earlier: readonly string[]) {
  const [first, ...others] = earlier.filter(() => chance.oneIn(2));
  if (first === undefined) return {};
  const term = (name: string) => chance.oneIn(5) ? `(${name}.Succeeded || ${name}.Failed)` : name;
  return { depends: [first, ...others].map(term).join(chance.oneIn(3) ? " || " : " && ") };
}

/** Runs a workflow to its end: `fails` decides for each node that can fail. */
function play(world: Scenario, fails: (node: NodeStatus) => boolean): void {
  for (let passes = 0; passes < 400; passes++) {
    const quiet = world.pass("+1s") === "nothing";
    const workflow = world.workflow!;
    if (isCompletedPhase(workflow.status?.phase) && quiet) return;
    for (const node of nodesOf(workflow)) {
      const pod = world.pods.get(node.id);
      if (pod && (pod.status?.phase === "Pending" || pod.status?.phase === "Running") && !isOver(node)) {
        end(world, node, fails(node));
      }
      if (isActiveSuspend(node)) {
        const phase = fails(node) ? "Failed" : "Succeeded";
        world.workflow = setNodes(world.workflow!, `id=${node.id}`, { phase, message: "said so" }, world.now);
      }
    }
  }
  const open = nodesOf(world.workflow!).filter((node) => !isOver(node)).map(({ name, type, phase }) =>
    `${name} ${type} ${phase}`
  );
  throw new Error(`It does not end: ${open.join(", ")}`);
}

function end(world: Scenario, node: NodeStatus, failed: boolean): void {
  const { containers } = world.pods.get(node.id)!.spec;
  const isSet = !containers.some(({ name }) => name === "main");
  world.setPod([node.name, failed ? "Failed" : "Succeeded", `exit=${failed ? 1 : 0}`]);
  if (!isSet) return;
  const pod = world.pods.get(node.id)!;
  const time = "2026-01-01T00:00:00Z";
  const terminated = {
    exitCode: failed ? 1 : 0,
    reason: failed ? "Error" : "Completed",
    startedAt: time,
    finishedAt: time,
  };
  const containerStatuses = pod.status!.containerStatuses!.map((status) => ({ ...status, state: { terminated } }));
  world.pods.set(node.id, { ...pod, status: { ...pod.status, containerStatuses } });
}

/** A node without its references to others. */
function withoutReferences({ children: _c, outboundNodes: _o, ...node }: NodeStatus) {
  return node;
}

/** Applies a retry: deletes the pods, and lets the controller see the written workflow. */
function retry(world: Scenario, options: Parameters<typeof formulateRetry>[1] = {}): void {
  const before = world.workflow!;
  const { workflow, podsToDelete } = formulateRetry(before, options, world.now);
  const after = workflow.status?.nodes ?? {};
  for (const node of Object.values(after)) {
    for (const id of [...node.children ?? [], ...node.outboundNodes ?? []]) {
      assert(id in after, `${node.name} refers to ${id}, which was taken away`);
    }
    if (node.boundaryID) {
      assert(node.boundaryID in after, `${node.name} has the boundary ${node.boundaryID}, which was deleted`);
    }
    const was = before.status!.nodes![node.id]!;
    if (node.phase === "Succeeded") assertEquals(withoutReferences(node), withoutReferences(was));
  }
  for (const node of nodesOf(before)) {
    if (node.type === "Pod" && !(node.id in after)) {
      assert(podsToDelete.includes(podNameOf(before, node)), `the pod of ${node.name} is not deleted`);
    }
  }
  for (const [id, pod] of [...world.pods]) if (podsToDelete.includes(pod.metadata.name!)) world.pods.delete(id);
  for (const id of [...world.results.keys()]) if (!(id in after)) world.results.delete(id);
  world.workflow = workflow;
  world.restart();
}

Deno.test("retry: nothing refers to deleted nodes, successful ones are kept, and the workflow succeeds", () => {
  let failed = 0;
  for (let seed = 1; failed < 150; seed++) {
    const chance = new Chance(seed);
    const world = new Scenario();
    world.workflow = randomWorkflow(chance);
    play(world, () => chance.oneIn(4));
    if (!isFailure(world.workflow.status?.phase)) continue;
    failed++;
    const before = JSON.stringify(
      nodesOf(world.workflow).map(({ name, type, phase }) => `${name} ${type} ${phase}`),
      undefined,
      1,
    );
    try {
      retry(world);
      const left = JSON.stringify(nodesOf(world.workflow).map(({ name, phase }) => `${name} ${phase}`), undefined, 1);
      play(world, () => false);
      const ended = nodesOf(world.workflow).map(({ name, phase, message }) => `${name} ${phase} ${message ?? ""}`).join(
        "\n",
      );
      assertEquals(world.workflow.status?.phase, "Succeeded", `${left}\n${ended}`);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}\n${before}\n${JSON.stringify(world.workflow.spec)}`, {
        cause: error,
      });
    }
  }
});

Deno.test("retry: a stopped suspended node waits again, and its successors run", () => {
  const world = worldOf(`
    spec:
      entrypoint: main
      templates:
      - name: main
        steps:
        - - {name: ask, template: ask}
          - {name: beside, template: work}
        - - {name: after, template: work}
      - name: ask
        suspend: {}
        outputs: {parameters: [{name: answer, valueFrom: {supplied: {}, default: "no"}}]}
      - name: work
        container: {image: busybox, command: [echo]}
  `);
  world.pass(undefined);
  world.workflow = setNodes(world.workflow!, "displayName=ask", { phase: "Failed", message: "no time" }, world.now);
  play(world, () => false);
  assertEquals(world.workflow.status?.phase, "Failed");
  retry(world);
  assertEquals(world.node("ask").phase, "Running");
  assertEquals(world.node("ask").outputs?.parameters?.[0]?.valueFrom, { supplied: {}, default: "no" });
  world.workflow = resumeWorkflow(world.workflow!, world.now);
  play(world, () => false);
  assertEquals(world.workflow.status?.phase, "Succeeded");
  assertEquals(world.node("ask").outputs?.parameters?.[0]?.value, "no");
  assertEquals(world.node("after").phase, "Succeeded");
});

Deno.test("retry: a group that failed by an expression is evaluated again", () => {
  const world = worldOf(`
    spec:
      entrypoint: main
      arguments: {parameters: [{name: go, value: "maybe("}]}
      templates:
      - name: main
        steps:
        - - {name: a, template: work, when: "{{workflow.parameters.go}}"}
      - name: work
        container: {image: busybox, command: [echo]}
  `);
  play(world, () => false);
  assertEquals(world.workflow?.status?.phase, "Failed");
  retry(world, { parameters: new Map([["go", "true"]]) });
  play(world, () => false);
  assertEquals(world.workflow?.status?.phase, "Succeeded");
  assertEquals(world.node("a").phase, "Succeeded");
});

Deno.test("retry: a workflow of a WorkflowTemplate accepts other arguments", () => {
  const world = new Scenario();
  world.load(`
kind: WorkflowTemplate
apiVersion: argoproj.io/v1alpha1
metadata: {name: base}
spec:
  entrypoint: main
  arguments: {parameters: [{name: word, value: old}]}
  templates:
  - name: main
    container: {image: busybox, command: [echo, "{{workflow.parameters.word}}"]}
---
kind: Workflow
apiVersion: argoproj.io/v1alpha1
metadata: {name: w}
spec: {workflowTemplateRef: {name: base}}
`);
  play(world, () => true);
  assertEquals(world.workflow?.status?.phase, "Failed");
  retry(world, { parameters: new Map([["word", "new"]]) });
  const made = world.pass(undefined).split("\n").find((line) => line.startsWith("create pod"));
  assert(made?.endsWith('["echo","new"]'), made);
});

const LOOP_OF_DAGS = `
    spec:
      entrypoint: main
      templates:
      - name: main
        parallelism: 1
        dag:
          failFast: false
          tasks: [{name: a, template: inner, withItems: [one, two]}]
      - name: inner
        dag: {tasks: [{name: b, template: work}]}
      - name: work
        container: {image: busybox, command: [echo]}
`;

Deno.test("retry: a started call of a loop continues although an earlier one that runs again must wait for it", () => {
  const world = worldOf(LOOP_OF_DAGS);
  play(world, (node) => node.name.includes("a(1:two)"));
  assertEquals([world.node("a(0:one)").phase, world.node("a(1:two)").phase], ["Succeeded", "Failed"]);
  retry(world, { restartSuccessful: true, nodeFieldSelector: "displayName=a(0:one)" });
  play(world, () => false);
  assertEquals([world.node("a(0:one)").phase, world.node("a(1:two)").phase], ["Succeeded", "Succeeded"]);
});

Deno.test("retry: a step that waits for the room of a later one of its group runs once that has ended", () => {
  const world = worldOf(`
    spec:
      entrypoint: main
      templates:
      - name: main
        parallelism: 1
        steps: [[{name: a, template: work}, {name: b, template: inner}]]
      - name: inner
        dag: {tasks: [{name: c, template: work}]}
      - name: work
        container: {image: busybox, command: [echo]}
`);
  play(world, () => true);
  assertEquals([world.node("a").phase, world.node("b").phase], ["Failed", "Failed"]);
  retry(world);
  play(world, () => false);
  assertEquals([world.node("a").phase, world.node("b").phase], ["Succeeded", "Succeeded"]);
});

Deno.test("retry: a selected attempt runs again, and those after it are removed", () => {
  const world = worldOf(`
    spec:
      entrypoint: main
      templates:
      - name: main
        retryStrategy: {limit: 2}
        dag: {tasks: [{name: b, template: work}]}
      - name: work
        container: {image: busybox, command: [echo]}
`);
  play(world, (node) => !node.name.startsWith("w(2)"));
  assertEquals(world.workflow?.status?.phase, "Succeeded");
  retry(world, { restartSuccessful: true, nodeFieldSelector: "name=w(1)" });
  assertEquals(nodesOf(world.workflow!).map(({ name, phase }) => [name, phase]), [
    ["w", "Running"],
    ["w(0)", "Failed"],
    ["w(0).b", "Failed"],
  ]);
  play(world, () => false);
  assertEquals(world.workflow?.status?.phase, "Succeeded");
  assertEquals(world.node("w(1)").phase, "Succeeded");
});

Deno.test("retry: a workflow whose template was missing restarts from scratch once it exists", () => {
  const world = worldOf(`
    spec: {workflowTemplateRef: {name: base}}`);
  world.pass(undefined);
  assertEquals([world.workflow?.status?.phase, nodesOf(world.workflow!)], ["Error", []]);
  world.load(`
kind: WorkflowTemplate
apiVersion: argoproj.io/v1alpha1
metadata: {name: base}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: ["true"]}
`);
  retry(world);
  play(world, () => false);
  assertEquals(world.workflow?.status?.phase, "Succeeded");
});

function worldOf(spec: string): Scenario {
  const world = new Scenario();
  const answer = world.load(`
    apiVersion: argoproj.io/v1alpha1
    kind: Workflow
    metadata: {name: w}${spec}`);
  assertEquals(answer, "ok");
  return world;
}
