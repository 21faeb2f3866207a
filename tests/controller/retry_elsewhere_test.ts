/** Retries on another machine, of a template around the pods too. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { PODS } from "@tiphys/kube";
import { ControllerWorld } from "./world.ts";

const ELSEWHERE = "{limit: 1, affinity: {nodeAntiAffinity: {}}}";

/** The newest pod of a world that has but one workflow. */
async function nextPod(world: ControllerWorld, not?: Pod): Promise<Pod> {
  let found: Pod | undefined;
  await world.until("a pod is made", async () => {
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
  Deno.test(`the second attempt of ${kind} keeps away from the machine on which the first one failed`, async () => {
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
    const first = await nextPod(world);
    assertEquals(first.spec.affinity, undefined);
    await world.podRuns(first.metadata.name!);
    await world.podEnds(first.metadata.name!, { main: { exitCode: 1 } });
    const second = await nextPod(world, first);
    const away = { key: "example.com/host", operator: "NotIn", values: ["machine"] };
    assertEquals(second.spec.affinity, {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [away] }] },
      },
    });
  });
}
