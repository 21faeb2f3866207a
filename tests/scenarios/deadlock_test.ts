/** Deadlocks of locks in a workflow: what nodes say of one comes and goes with what is written, and costs what it is worth. */
import { assert, assertEquals } from "@std/assert";
import type { Template, Workflow } from "@tiphys/model/api";
import type { Observed } from "@tiphys/engine";
import { DEADLOCK } from "@tiphys/base/constants";
import { Scenario } from "./scenario.ts";

const PLACES: Template["synchronization"] = { semaphores: [{ configMapKeyRef: { name: "limits", key: "places" } }] };
const MUTEX: Template["synchronization"] = { mutexes: [{ name: "m" }] };

/** A world in which one call holds a mutex and waits for a semaphore of one place, and another the other way round. */
function deadlocked(): Scenario {
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
  world.turn();
  return world;
}

function workflowOf(templates: Template[]): Workflow {
  const metadata = { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { metadata, spec: { entrypoint: "main", templates } };
}

/** The names of the nodes that say that they wait in a deadlock. */
function tellers({ status }: Workflow): string[] {
  return Object.values(status!.nodes!).filter(({ message }) => message?.includes(DEADLOCK)).map(({ name }) => name)
    .sort();
}

Deno.test("a node takes back that it waits in a deadlock also where the decision that did so before was not written", () => {
  const world = deadlocked();
  assertEquals(tellers(world.workflow!), ["w.a[0].s", "w.b[0].m"]);
  world.run("limit default/ConfigMap/limits/places 2", "");
  for (const time of ["first", "second", "third"]) {
    const { workflow } = world.cluster.withLocks(world.workflow!, () => world.decide());
    assertEquals([time, tellers(workflow)], [time, []]);
  }
  world.turn();
  assertEquals(tellers(world.workflow!), []);
});

/** A world that counts how often it is asked who holds a lock. */
class CountingWorld extends Scenario {
  asked = 0;

  override observe(): Observed {
    const observed = super.observe();
    const { locks } = observed;
    if (!locks) return observed;
    const holders = new Map(locks.holders);
    const get = (id: string) => {
      this.asked++;
      return locks.holders.get(id);
    };
    return { ...observed, locks: { ...locks, holders: Object.assign(holders, { get }) } };
  }
}

/** A call each that holds its own mutex and waits in it for that of the next; that of the last leads back, or is free. */
function rowOf(count: number, isCycle: boolean): CountingWorld {
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
  world.turn();
  return world;
}

for (const [about, isCycle] of [["a long cycle", true], ["a long row of which the last goes on", false]] as const) {
  Deno.test(`whether there is a deadlock in ${about} is known from each lock once`, () => {
    const count = 60;
    const world = rowOf(count, isCycle);
    assertEquals(tellers(world.workflow!).length, isCycle ? count : 0);
    world.asked = 0;
    world.decide();
    assert(world.asked <= 3 * count, `${world.asked} questions about ${count} locks`);
  });
}

Deno.test("a node in a long cycle names four of its holders, from the one that it waits for on, and counts the others", () => {
  const { status } = rowOf(6, true).workflow!;
  const { message } = Object.values(status!.nodes!).find(({ name }) => name === "w[0].a(4:4)[0].b")!;
  const part = (at: number) =>
    `w[0].a(${at}:${at}) holds default/Mutex/m${at}, and w[0].a(${at}:${at})[0].b in it waits for default/Mutex/m${
      (at + 1) % 6
    }`;
  assertEquals(message!.split(DEADLOCK)[1], `${[5, 0, 1, 2].map(part).join("; ")} and 2 more`);
});
