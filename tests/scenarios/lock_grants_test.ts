/**
 * Many calls of one workflow that share a semaphore: all request it at once, and the cost of a grant to a pass does not
 * depend on the number of waiters.
 */
import { assert, assertEquals } from "@std/assert";
import type { ConfigMap, Template, Workflow } from "@tiphys/model/api";
import { decideWithRules } from "../../lib/engine/decide.ts";
import { waitForLocks } from "../../lib/engine/templates/template_locks.ts";
import { type Decision, Memory } from "@tiphys/engine";
import { START_RULES, type StartRule } from "../../lib/engine/templates/start_rule.ts";
import { Scenario } from "./scenario.ts";

/** A world that records which calls are evaluated, and how many request locks in one decision. */
class WatchedWorld extends Scenario {
  /** The nodes that were evaluated since this list was emptied. */
  looks: string[] = [];
  decisions = 0;
  mostAsks = 0;

  readonly #rules: readonly StartRule[] = START_RULES.map((rule) =>
    rule !== waitForLocks ? rule : (pass, call, existing) => {
      if (call.template.synchronization) this.looks.push(call.nodeName);
      return waitForLocks(pass, call, existing);
    }
  );

  override decide(memory = this.memory): Decision {
    this.decisions++;
    const { now, config, elapsed } = this;
    const decision = decideWithRules(this.#rules, this.workflow!, this.observe(), now, config, memory, elapsed);
    this.mostAsks = Math.max(this.mostAsks, decision.locks?.requests.length ?? 0);
    return decision;
  }

  /** Passes until the engine is idle. Returns the largest number of claims in the table between passes. */
  passUntilIdle(): number {
    let claims = 0;
    for (let passes = 0; this.pass(undefined) !== "nothing"; passes++) {
      if (passes > 50) throw new Error("It does not rest");
      claims = Math.max(claims, this.cluster.locks.answersOf("default/w")?.size ?? 0);
    }
    this.looks = [];
    return claims;
  }

  /** The names of the nodes whose pod has not ended. */
  openNodes(): string[] {
    const nodes = this.workflow!.status!.nodes!;
    return [...this.pods].filter(([, { status }]) => status?.phase === "Pending").map(([id]) => nodes[id]!.name);
  }
}

const LOCKED: Template = {
  name: "locked",
  synchronization: { semaphores: [{ configMapKeyRef: { name: "limits", key: "holders" } }] },
  container: { image: "busybox", command: ["true"] },
};

/** Ways in which a workflow may contain many calls. */
const SHAPES: Readonly<Record<string, (count: number) => Omit<Template, "name">>> = {
  "the steps of a loop": (count) => ({
    steps: [[{ name: "a", template: "locked", withSequence: { count: String(count) } }]],
  }),
  "the tasks of a DAG": (count) => ({
    dag: { tasks: Array.from({ length: count }, (_, index) => ({ name: `t${index}`, template: "locked" })) },
  }),
  "the tasks of a loop": (count) => ({
    dag: { tasks: [{ name: "a", template: "locked", withSequence: { count: String(count) } }] },
  }),
};

function worldOf(main: Omit<Template, "name">, spec: Partial<Workflow["spec"]> = {}): WatchedWorld {
  const world = new WatchedWorld();
  const limits: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "limits", namespace: "default" },
    data: { holders: "10" },
  };
  world.addObject({ ...limits, kind: "ConfigMap", metadata: { name: "limits" } });
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  world.workflow = { metadata, spec: { entrypoint: "main", templates: [{ name: "main", ...main }, LOCKED], ...spec } };
  return world;
}

for (const [shape, mainOf] of Object.entries(SHAPES)) {
  Deno.test(`locks: a thousand calls, ${shape}, request their semaphore in one decision`, () => {
    const world = worldOf(mainOf(1000));
    world.passUntilIdle();
    assertEquals(world.mostAsks, 1000);
    assert(world.decisions < 10, `${world.decisions} decisions`);
    assertEquals(world.openNodes().length, 10);
  });

  Deno.test(`locks: a thousand calls, ${shape}, request their semaphore within the time limit of passes`, () => {
    const world = worldOf(mainOf(1000));
    let millis = 0;
    world.elapsed = () => millis++;
    world.passUntilIdle();
    assert(world.mostAsks <= world.config.limits.passMillis, `${world.mostAsks} asked`);
    assertEquals(world.cluster.locks.answersOf("default/w")!.size, 1000);
  });

  Deno.test(`locks: of a thousand calls, ${shape}, only those that release or acquire a semaphore are evaluated`, () => {
    const world = worldOf(mainOf(1000));
    world.passUntilIdle();
    world.decide();
    assertEquals(world.looks, []);
    const before = world.openNodes();
    world.setPod([before[3]!, "Succeeded"]);
    world.pass(undefined);
    world.pass(undefined);
    const [granted] = world.openNodes().filter((name) => !before.includes(name));
    assertEquals(world.openNodes().length, 10);
    assertEquals(new Set(world.looks).difference(new Set([before[3]!, granted!])), new Set());
  });

  for (const isOfWorkflow of [true, false]) {
    const whose = isOfWorkflow ? "the workflow" : "the template";
    Deno.test(`locks: no more calls, ${shape}, request a semaphore than the parallelism of ${whose} allows`, () => {
      const limit = { parallelism: 3 };
      const world = worldOf({ ...mainOf(20), ...(isOfWorkflow ? {} : limit) }, isOfWorkflow ? limit : {});
      const ended = new Set<string>();
      while (!world.workflow!.status?.finishedAt) {
        assert(world.passUntilIdle() <= 3);
        assert(world.openNodes().length <= 3);
        for (const name of world.openNodes()) {
          ended.add(name);
          world.setPod([name, "Succeeded"]);
        }
      }
      assertEquals([world.mostAsks, ended.size, world.workflow!.status.phase], [3, 20, "Succeeded"]);
    });
  }

  Deno.test(`locks: calls that share a semaphore, ${shape}, have the same results whenever the engine's memory is lost`, () => {
    const world = worldOf(mainOf(25));
    for (let step = 0; step < 200 && !world.workflow!.status?.finishedAt; step++) {
      const answerOf = ({ workflow, actions, requeueAt, logLines, locks }: Decision) => ({
        workflow,
        actions,
        requeueAt,
        notes: logLines,
        locks,
      });
      assertEquals(answerOf(world.decide()), answerOf(world.decide(new Memory())));
      if (step % 3 === 1) world.restart();
      world.pass(undefined);
      for (const name of world.openNodes().slice(0, 2)) world.setPod([name, "Succeeded"]);
    }
    assertEquals(world.workflow!.status!.phase, "Succeeded");
  });
}

Deno.test("locks: an exit handler gets the lock of its call before the waiting calls", () => {
  const count = 20;
  const world = worldOf({
    dag: {
      tasks: [{
        name: "a",
        template: "one",
        withSequence: { count: String(count) },
        hooks: { exit: { template: "one" } },
      }],
    },
  });
  world.workflow!.spec.templates!.push({ ...LOCKED, name: "one", synchronization: { mutexes: [{ name: "m" }] } });
  const ended: string[] = [];
  while (!world.workflow!.status?.finishedAt) {
    world.pass(undefined);
    for (const name of world.openNodes()) {
      ended.push(name);
      world.setPod([name, "Succeeded"]);
    }
  }
  const names = Array.from({ length: count }, (_, index) => `w.a(${index}:${index})`);
  assertEquals(ended, names.flatMap((name) => [name, `${name}.onExit`]));
  assert(world.decisions <= 6 * count, `${world.decisions} decisions`);
});
