/**
 * Calls that wait for something outside of their workflow: here for locks, by a start rule of this test. The engine
 * evaluates only those that may continue.
 */
import { assertEquals } from "@std/assert";
import type { Template, Workflow } from "@tiphys/model/api";
import { decideWithRules } from "../../lib/engine/decide.ts";
import { ChangeLog, type Decision, LoggedMap, Memory, type ObservedState } from "@tiphys/engine";
import { addCallNode } from "../../lib/engine/templates/call.ts";
import { START_RULES, type StartRule } from "../../lib/engine/templates/start_rule.ts";
import { Scenario } from "./scenario.ts";

/** Facts with locks: the node that each was granted to. */
interface FactsWithLocks extends ObservedState {
  readonly granted: ReadonlyMap<string, string>;
}

/** A world in which each call of the template `locked` acquires the lock in its input. */
class LockedWorld extends Scenario {
  readonly outside = new ChangeLog();
  readonly locks = new LoggedMap<string>(this.outside, "lock");
  /** The nodes whose lock was checked since this list was emptied. */
  looks: string[] = [];

  readonly #rule: StartRule = (pass, call, existing) => {
    const { template, nodeName } = call;
    const lock = template.inputs?.parameters?.find(({ name }) => name === "lock")?.value;
    if (template.name !== "locked" || lock === undefined) return undefined;
    this.looks.push(nodeName);
    const node = existing ?? addCallNode(pass, call, { type: "Pod", phase: "Pending", expectsReport: true });
    const { granted } = pass.facts as unknown as FactsWithLocks;
    if (granted.get(lock) === nodeName) return undefined;
    pass.dependOn(`lock/${lock}`);
    return { kind: "node", node };
  };

  override observe(): FactsWithLocks {
    return { ...super.observe(), outside: this.outside, granted: this.locks };
  }

  override decide(memory = this.memory): Decision {
    const rules = [...START_RULES, this.#rule];
    return decideWithRules(rules, this.workflow!, this.observe(), this.now, this.config, memory, this.elapsed);
  }

  /** Passes until the engine is idle. */
  passUntilIdle(): void {
    for (let passes = 0; this.pass(undefined) !== "nothing"; passes++) {
      if (passes > 50) throw new Error("It does not rest");
    }
    this.looks = [];
  }

  openPods(): string[] {
    const nodes = this.workflow!.status!.nodes!;
    return [...this.pods].filter(([, { status }]) => status?.phase === "Pending").map(([id]) => nodes[id]!.name);
  }

  podsOf(): string[] {
    const nodes = this.workflow!.status!.nodes!;
    return [...this.pods.keys()].map((id) => nodes[id]!.name).sort();
  }
}

const LOCKED: Template = {
  name: "locked",
  inputs: { parameters: [{ name: "lock" }] },
  container: { image: "busybox", command: ["true"] },
};

function withLock(lock: string) {
  return { template: "locked", arguments: { parameters: [{ name: "lock", value: lock }] } };
}

/** Ways in which a workflow may contain many calls, each with its own lock; and the name of the node of one. */
const SHAPES: Record<string, { templates: (count: number) => Template[]; nodeOf: (index: number) => string }> = {
  "the steps of a loop": {
    templates: (count) => [{
      name: "main",
      steps: [[{ name: "a", ...withLock("l{{item}}"), withSequence: { count: String(count) } }]],
    }],
    nodeOf: (index) => `w[0].a(${index}:${index})`,
  },
  "the tasks of a DAG": {
    templates: (count) => [{
      name: "main",
      dag: { tasks: Array.from({ length: count }, (_, index) => ({ name: `t${index}`, ...withLock(`l${index}`) })) },
    }],
    nodeOf: (index) => `w.t${index}`,
  },
  "the tasks of a loop": {
    templates: (count) => [{
      name: "main",
      dag: { tasks: [{ name: "a", ...withLock("l{{item}}"), withSequence: { count: String(count) } }] },
    }],
    nodeOf: (index) => `w.a(${index}:${index})`,
  },
  "steps in tasks of a loop": {
    templates: (count) => [
      {
        name: "main",
        dag: {
          tasks: [{
            name: "a",
            template: "part",
            arguments: { parameters: [{ name: "lock", value: "l{{item}}" }] },
            withSequence: { count: String(count) },
          }],
        },
      },
      {
        name: "part",
        inputs: { parameters: [{ name: "lock" }] },
        steps: [[{ name: "b", ...withLock("{{inputs.parameters.lock}}") }]],
      },
    ],
    nodeOf: (index) => `w.a(${index}:${index})[0].b`,
  },
};

function worldOf(templates: readonly Template[], spec: Partial<Workflow["spec"]> = {}): LockedWorld {
  const world = new LockedWorld();
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  world.workflow = { metadata, spec: { entrypoint: "main", templates: [...templates, LOCKED], ...spec } };
  return world;
}

for (const [shape, { templates, nodeOf }] of Object.entries(SHAPES)) {
  Deno.test(`waiting: of a thousand calls that wait for locks, in ${shape}, only the one that gets its lock is evaluated`, () => {
    const world = worldOf(templates(1000));
    world.passUntilIdle();
    assertEquals(world.podsOf(), []);
    world.decide();
    assertEquals(world.looks, []);

    world.locks.set("l617", nodeOf(617));
    world.pass(undefined);
    assertEquals(world.looks, [nodeOf(617)]);
    assertEquals(world.podsOf(), [nodeOf(617)]);

    world.passUntilIdle();
    world.locks.set("l3", "somebody else");
    world.locks.set("l999", nodeOf(999));
    world.pass(undefined);
    assertEquals(world.looks.sort(), [nodeOf(3), nodeOf(999)].sort());
    assertEquals(world.podsOf(), [nodeOf(617), nodeOf(999)].sort());
  });

  Deno.test(`waiting: calls that wait for locks, in ${shape}, have the same results whenever the engine's memory is lost`, () => {
    const world = worldOf(templates(7));
    for (let step = 0; step < 100 && !world.workflow!.status?.finishedAt; step++) {
      const known = world.decide();
      const fresh = world.decide(new Memory());
      const answerOf = ({ workflow, actions, requeueAt, logLines }: Decision) => ({
        workflow,
        actions,
        requeueAt,
        notes: logLines,
      });
      assertEquals(answerOf(known), answerOf(fresh));
      if (step % 3 === 1) world.restart();
      world.pass(undefined);
      const index = (step * 5) % 7;
      if (step % 2) world.locks.set(`l${index}`, nodeOf(index));
      else for (const name of world.openPods().slice(0, 2)) world.setPod([name, "Succeeded"]);
    }
    assertEquals(world.workflow!.status!.phase, "Succeeded");
  });
}

Deno.test("waiting: a call that has its lock is not evaluated when the lock changes later", () => {
  const { templates, nodeOf } = SHAPES["the steps of a loop"]!;
  const world = worldOf(templates(10));
  world.passUntilIdle();
  world.locks.set("l4", nodeOf(4));
  world.passUntilIdle();
  world.locks.delete("l4");
  world.decide();
  assertEquals(world.looks, []);
});

Deno.test("waiting: a call that waits for a lock and a limit starts when it has both, in any order", () => {
  const { templates, nodeOf } = SHAPES["the tasks of a DAG"]!;
  const world = worldOf(templates(3), { parallelism: 1 });
  world.passUntilIdle();
  for (const index of [0, 1, 2]) world.locks.set(`l${index}`, nodeOf(index));
  world.passUntilIdle();
  assertEquals(world.podsOf(), [nodeOf(0)]);
  world.setPod([nodeOf(0), "Succeeded"]);
  world.passUntilIdle();
  assertEquals(world.podsOf(), [nodeOf(0), nodeOf(1)]);
});

Deno.test("waiting: when the log of outside facts is truncated, every call is evaluated", () => {
  const { templates, nodeOf } = SHAPES["the tasks of a DAG"]!;
  const world = worldOf(templates(5));
  world.passUntilIdle();
  world.locks.set("l2", nodeOf(2));
  for (let index = 0; index < 20_000; index++) world.outside.add(`lock/other${index}`);
  world.pass(undefined);
  assertEquals(world.looks.length, 5);
  assertEquals(world.podsOf(), [nodeOf(2)]);
});
