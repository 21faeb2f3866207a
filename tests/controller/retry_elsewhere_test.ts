/** Retries on another machine, also for a template that contains the pods. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { PODS } from "@tiphys/kube";
import { ControllerWorld } from "./world.ts";

const ELSEWHERE = "{limit: 1, affinity: {nodeAntiAffinity: {}}}";

/** The newest pod of a world with a single workflow. */
async function awaitNextPod(world: ControllerWorld, not?: Pod): Promise<Pod> {
  let found: Pod | undefined;
  await world.waitUntil("a pod is made", async () => {
    const { items } = await world.client.list<Pod>(PODS, "default");
    found = items.find(({ metadata }) => metadata.name !== not?.metadata.name);
    return found !== undefined;
  });
  return found!;
}

for (
  const [kind, main] of [
    ["a pod", "container: {image: busybox, command: [run]}"],
    ["steps", "steps: [[{name: a, template: work}]]"],
    ["a DAG of steps", "dag: {tasks: [{name: d, template: inner}]}"],
  ]
) {
  Deno.test(`retry affinity: the second attempt of ${kind} avoids the machine on which the first one failed`, async () => {
    await using world = new ControllerWorld();
    world.configure({}, { hostLabel: "example.com/host" });
    await world.startController();
    await world.submit(`
metadata: {name: w}
spec:
  entrypoint: main
  templates:
  - {name: main, retryStrategy: ${ELSEWHERE}, ${main}}
  - {name: inner, steps: [[{name: a, template: work}]]}
  - {name: work, container: {image: busybox, command: [run]}}
`);
    const first = await awaitNextPod(world);
    assertEquals(first.spec.affinity, undefined);
    await world.startPod(first.metadata.name!);
    await world.endPod(first.metadata.name!, { main: { exitCode: 1 } });
    const second = await awaitNextPod(world, first);
    const away = { key: "example.com/host", operator: "NotIn", values: ["machine"] };
    assertEquals(second.spec.affinity, {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [away] }] },
      },
    });
  });
}
