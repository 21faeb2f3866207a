/** The reasons why a workflow waits, as the running controller knows them. */
import { assertEquals } from "@std/assert";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("why: the controller reports that a workflow waits for its pod, or for its turn", async () => {
  await using world = new ControllerWorld();
  const controller = await world.startController({ limits: () => ({ parallelism: 1 }) });
  const codes = async (name: string) => (await controller.why(`default/${name}`))?.map(({ code }) => code);
  assertEquals(await codes("nobody"), undefined);

  await world.submit(sleepingWorkflow("runs"));
  await world.startPod("runs");
  await world.waitUntil("the pod is known to run", async () => (await codes("runs"))?.[0] === "Running");

  await world.submit(sleepingWorkflow("waits"));
  await world.waitUntil("the other waits for its turn", async () => (await codes("waits"))?.[0] === "Parallelism");
  const [turn] = await controller.why("default/waits") ?? [];
  assertEquals(turn?.text, "waits for one of 1 workflows to end (0 are ahead of it)");
});
