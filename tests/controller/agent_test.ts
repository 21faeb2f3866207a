/** Agent tasks when a workflow is retried: the response of an earlier run is not used in a later one. */
import { assertEquals } from "@std/assert";
import type { WorkflowTaskSet } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { WORKFLOW_TASK_SETS } from "@tiphys/kube";
import { formulateRetry } from "@tiphys/engine/workflow_actions";
import { performRetry } from "@tiphys/service";
import { ControllerWorld } from "./world.ts";

const WEB = `
metadata: {name: web}
spec:
  entrypoint: main
  templates: [{name: main, http: {url: "http://example.com"}}]
`;

/** Writes the agent's response to the only task. */
async function answer(world: ControllerWorld, phase: string, message: string): Promise<void> {
  const status = { nodes: { web: { phase, message } } };
  await world.client.patch(WORKFLOW_TASK_SETS, "default", "web", { status }, "merge", { subresource: "status" });
}

async function taskSet(world: ControllerWorld): Promise<WorkflowTaskSet> {
  return await world.client.get<WorkflowTaskSet>(WORKFLOW_TASK_SETS, "default", "web");
}

Deno.test("retry: the HTTP request of a retried workflow is sent again each time, by a new agent", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(WEB);
  for (let life = 1; life <= 5; life++) {
    const label = async (value: string) => (await taskSet(world)).metadata.labels?.[LABEL.completed] === value;
    await world.waitUntil("the task set has one task and no response", async () => {
      const { spec, status } = await taskSet(world).catch(() => ({ spec: undefined, status: undefined }));
      const tasks = Object.keys((spec as { tasks?: object })?.tasks ?? {});
      return tasks.length === 1 && Object.keys((status as { nodes?: object })?.nodes ?? {}).length === 0;
    });
    await world.waitUntil("the task set is not labeled as completed", () => label("false"));
    await answer(world, "Failed", `life ${life}`);
    const { status } = await world.awaitEnd("web");
    assertEquals(Object.values(status?.nodes ?? {}).map(({ message }) => message), [`life ${life}`]);
    await world.waitUntil("the task set is labeled as completed", () => label("true"));
    await performRetry(
      { client: world.client },
      "default",
      "web",
      (workflow) => formulateRetry(workflow, {}, world.now()),
    );
  }
  await world.waitUntil(
    "the task is there again",
    async () => (await taskSet(world)).metadata.labels?.[LABEL.completed] === "false",
  );
  await answer(world, "Succeeded", "");
  await world.waitUntil(
    "the workflow succeeds",
    async () => (await world.workflow("web")).status?.phase === "Succeeded",
  );
  await world.waitUntil("the task set is empty", async () => {
    const { spec, status } = await taskSet(world);
    return Object.keys({ ...spec?.tasks, ...status?.nodes }).length === 0;
  });
});
