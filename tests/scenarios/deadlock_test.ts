/** Deadlocks of locks within a workflow: their messages follow the written status, and finding them is cheap. */
import { assert, assertEquals } from "@std/assert";
import type { Template, Workflow } from "@tiphys/model/api";
import type { ObservedState } from "@tiphys/engine";
import { DEADLOCK } from "@tiphys/base/constants";
import { Scenario } from "./scenario.ts";

const PLACES: Template["synchronization"] = { semaphores: [{ configMapKeyRef: { name: "limits", key: "places" } }] };
const MUTEX: Template["synchronization"] = { mutexes: [{ name: "m" }] };

/** A world with two calls: one holds a mutex and waits for a semaphore with a limit of one, the other vice versa. */
function createDeadlock(): Scenario {
  const world = new Scenario();
  const limits = { kind: "ConfigMap", metadata: { name: "limits" }, data: { places: "1" } };
  world.addObject(limits);
  const container = { image: "busybox", command: ["true"] };
  world.workflow = workflowOf([
    { name: "main", dag: { tasks: [{ name: "a", template: "m-s" }, { name: "b", template: "s-m" }] } },
    { name: "m-s", synchronization: MUTEX, steps: [[{ name: "s", template: "s" }]] },
    { name: "s-m", synchronization: PLACES, steps: [[{ name: "m", template: "m" }]] },
    { name: "s", synchronization: PLACES, container },
    { name: "m", synchronization: MUTEX, container },
  ]);
  world.makePass();
  return world;
}

function workflowOf(templates: Template[]): Workflow {
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { metadata, spec: { entrypoint: "main", templates } };
}

/** The names of the nodes whose message reports a deadlock. */
function nodesInDeadlock({ status }: Workflow): string[] {
  return Object.values(status!.nodes!).filter(({ message }) => message?.includes(DEADLOCK)).map(({ name }) => name)
    .sort();
}

Deno.test("deadlock: the message is removed even if an earlier decision that removed it was not written", () => {
  const world = createDeadlock();
  assertEquals(nodesInDeadlock(world.workflow!), ["w.a[0].s", "w.b[0].m"]);
  world.run("limit default/ConfigMap/limits/places 2", "");
  for (const time of ["first", "second", "third"]) {
    const { workflow } = world.cluster.withLocks(world.workflow!, () => world.decide());
    assertEquals([time, nodesInDeadlock(workflow)], [time, []]);
  }
  world.makePass();
  assertEquals(nodesInDeadlock(world.workflow!), []);
});

/** A world that counts queries for the holder of a lock. */
class CountingWorld extends Scenario {
  queries = 0;

  override observe(): ObservedState {
    const observed = super.observe();
    const { locks } = observed;
    if (!locks) return observed;
    const holders = new Map(locks.holders);
    const get = (id: string) => {
      this.queries++;
      return locks.holders.get(id);
    };
    return { ...observed, locks: { ...locks, holders: Object.assign(holders, { get }) } };
  }
}

/**
 * Calls that each hold a mutex and wait for the mutex of the next one. The last one waits for the first if `isCycle`,
 * else for a free mutex.
 */
function chainOf(count: number, isCycle: boolean): CountingWorld {
  const world = new CountingWorld();
  const parameter = (name: string, value: string) => ({ parameters: [{ name, value }] });
  const mutexOf = (name: string) => ({ mutexes: [{ name: `m{{inputs.parameters.${name}}}` }] });
  const next = isCycle ? `{{=(asInt(inputs.parameters.own) + 1) % ${count}}}` : "{{=asInt(inputs.parameters.own) + 1}}";
  world.workflow = workflowOf([
    {
      name: "main",
      steps: [[{
        name: "a",
        template: "outer",
        withSequence: { count: String(count) },
        arguments: parameter("own", "{{item}}"),
      }]],
    },
    {
      name: "outer",
      inputs: { parameters: [{ name: "own" }] },
      synchronization: mutexOf("own"),
      steps: [[{ name: "b", template: "inner", arguments: parameter("next", next) }]],
    },
    {
      name: "inner",
      inputs: { parameters: [{ name: "next" }] },
      synchronization: mutexOf("next"),
      container: { image: "busybox", command: ["true"] },
    },
  ]);
  world.makePass();
  return world;
}

for (const [about, isCycle] of [["a long cycle", true], ["a long chain whose last node continues", false]] as const) {
  Deno.test(`deadlock: each lock is read about once to find one in ${about}`, () => {
    const count = 60;
    const world = chainOf(count, isCycle);
    assertEquals(nodesInDeadlock(world.workflow!).length, isCycle ? count : 0);
    world.queries = 0;
    world.decide();
    assert(world.queries <= 3 * count, `${world.queries} questions about ${count} locks`);
  });
}

Deno.test("deadlock: a node in a long cycle names four holders, starting with the one that it waits for, and counts the others", () => {
  const { status } = chainOf(6, true).workflow!;
  const { message } = Object.values(status!.nodes!).find(({ name }) => name === "w[0].a(4:4)[0].b")!;
  const part = (index: number) =>
    `w[0].a(${index}:${index}) holds default/Mutex/m${index}, and w[0].a(${index}:${index})[0].b in it waits for default/Mutex/m${
      (index + 1) % 6
    }`;
  assertEquals(message!.split(DEADLOCK)[1], `${[5, 0, 1, 2].map(part).join("; ")} and 2 more`);
});
