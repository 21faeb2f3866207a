/** Memoization by the whole controller: caches are read and written over the API. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeObject, PODS } from "@tiphys/kube";
import { InProcessLane } from "../../controller/workflow/lane/in_process_lane.ts";
import { ControllerWorld } from "./world.ts";

const LOOP = `
metadata: {name: NAME}
spec:
  entrypoint: main
  templates:
  - name: main
    parallelism: 1
    steps: [[{name: a, template: say, withSequence: {count: "20"}}]]
  - name: say
    memoize: {key: one, maxAge: "", cache: {configMap: {name: words}}}
    container: {image: busybox, command: [echo]}
`;

/** Ends every pod that is created until `work` resolves. Returns the number of pods. */
async function withKubelet(world: ControllerWorld, work: Promise<unknown>): Promise<number> {
  const ended = new Set<string>();
  let isOver = false;
  const over = work.finally(() => isOver = true);
  await world.waitUntil("the workflow has finished", async () => {
    for (const pod of (await world.client.list<Pod>(PODS, "default")).items) {
      const name = pod.metadata.name!;
      if (ended.has(name)) continue;
      ended.add(name);
      await world.report(pod, true);
      await world.endPod(name);
    }
    return isOver;
  });
  await over;
  return ended.size;
}

function memosOf(nodes: Readonly<Record<string, { memoizationStatus?: { hit: boolean } }>> = {}): string {
  const memos = Object.values(nodes).flatMap(({ memoizationStatus: memo }) => memo ? [memo.hit] : []);
  return `${memos.filter((hit) => !hit).length} missed, ${memos.filter((hit) => hit).length} hit`;
}

for (
  const [where, options] of [["", {}], [" in the slow lane", {
    lane: new InProcessLane(),
    isSlow: () => true,
  }]] as const
) {
  Deno.test(`memoization: of twenty sequential calls with one key, the first runs and the others reuse its outputs${where} (T-ME-7)`, async () => {
    await using world = new ControllerWorld();
    world.configure({ namespace: "argo" });
    await world.startController(options);
    await world.submit(LOOP.replace("NAME", "w"));
    const ended = world.awaitEnd("w");
    assertEquals(await withKubelet(world, ended), 1);
    const { status } = await ended;
    assertEquals([status?.phase, memosOf(status?.nodes)], ["Succeeded", "1 missed, 19 hit"]);
    const map = await world.client.get<KubeObject & { data: Record<string, string> }>(CONFIGMAPS, "argo", "words");
    assertEquals(JSON.parse(map.data.one!).outputs, { exitCode: "0" });
  });
}

Deno.test("memoization: a node succeeds even if its outputs may not be cached, with an event (T-ME-8)", async () => {
  await using world = new ControllerWorld();
  world.between = ({ method, path }, next) =>
    method === "POST" && path.includes("/configmaps")
      ? Promise.resolve(
        Response.json({ kind: "Status", code: 403, reason: "Forbidden", message: "no" }, { status: 403 }),
      )
      : next();
  await world.startController();
  await world.submit(LOOP.replace("NAME", "w").replace('"20"', '"1"'));
  const ended = world.awaitEnd("w");
  await withKubelet(world, ended);
  assertEquals((await ended).status?.phase, "Succeeded");
  await world.waitUntil("the event is there", async () => (await world.events("MemoizationSaveFailed")).length === 1);
  assertEquals(await world.events("MemoizationSaveFailed"), ["could not save to config map cache words: no"]);
});
