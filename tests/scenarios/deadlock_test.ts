/** Deadlocks of locks in a workflow: what nodes say of one comes and goes with what is written, and costs what it is worth. */
import { assertEquals } from "@std/assert";
import type { Template, Workflow } from "../../lib/api/mod.ts";
import { DEADLOCK } from "../../lib/constants.ts";
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
