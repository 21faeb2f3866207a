/** The order of changes that a client sees, as docs/status.md describes it. */
import { assertEquals } from "@std/assert";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("order: a workflow is Running, with its node, before its first pod is requested", async () => {
  await using world = new ControllerWorld();
  const seen: unknown[] = [];
  world.between = async ({ method, path }, next) => {
    if (method === "POST" && /\/pods(\?|$)/.test(path)) {
      const { status } = await world.workflow("one");
      seen.push([status?.phase, Object.values(status?.nodes ?? {}).map(({ name, phase }) => `${name} ${phase}`)]);
    }
    return await next();
  };
  await world.startController();
  await world.submit(sleepingWorkflow("one"));
  await world.awaitPod("one");
  assertEquals(seen, [["Running", ["one Pending"]]]);
});

Deno.test("order: a node whose report arrives before its pod is seen as running changes from Pending to Succeeded", async () => {
  await using world = new ControllerWorld();
  const phases: string[] = [];
  world.between = async ({ method, path }, next) => {
    const answer = await next();
    if (method === "PATCH" && path.includes("/workflows/one")) {
      const { status } = await world.workflow("one");
      const phase = status?.nodes?.one?.phase ?? "";
      if (phase !== phases.at(-1)) phases.push(phase);
    }
    return answer;
  };
  await world.startController();
  await world.submit(sleepingWorkflow("one"));
  await world.reportSuccess(await world.awaitPod("one"));
  await world.awaitEnd("one");
  assertEquals(phases, ["Pending", "Succeeded"]);
  await world.waitUntil(
    "both events are written",
    async () => (await world.events("WorkflowNodeSucceeded")).length > 0,
  );
  assertEquals(await world.events("WorkflowNodeRunning"), ["Running node one"]);
});
