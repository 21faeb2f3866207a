/** The agent on a real cluster: its requests, and the messages of nodes when it lacks permissions. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { awaitFact } from "../../await_fact.ts";
import type { Case } from "../case.ts";
import { onlyNode, WorkflowRun } from "../workflow_run.ts";

const ACCOUNT = "e2e-powerless";

/** The API server's own address, which every cluster has. */
const VERSION_URL = "https://kubernetes.default.svc/version";

export const AGENT: readonly Case[] = [
  {
    title: "http template: runs in the agent, whose pod is gone when the workflow has finished (AG-5)",
    async run(stage) {
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          http: {
            url: VERSION_URL,
            insecureSkipVerify: true,
            timeoutSeconds: 20,
            successCondition: 'response.statusCode == 200 && response.body contains "gitVersion"',
          },
        }],
      });
      const node = onlyNode(await run.awaitSuccess());
      assertStringIncludes(String(node.outputs?.result), "gitVersion");
      await awaitFact("the agent is gone", async () => (await run.pods()).length === 0, { seconds: 120 });
      return `create to Succeeded ${run.seconds().toFixed(1)} s`;
    },
  },
  {
    title: "agent: nodes have the reason when it may not read its task set",
    async run(stage) {
      await stage.kubectl.apply(stage.namespace, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: ACCOUNT },
      });
      const run = await WorkflowRun.create(stage, {
        serviceAccountName: ACCOUNT,
        templates: [{ name: "main", timeout: "3m", http: { url: VERSION_URL } }],
      });
      await run.await("has the reason why its node waits", ({ status }) => {
        const [{ message = "" } = {}] = Object.values(status?.nodes ?? {});
        return /failed to read task set .*forbidden/.test(message);
      });
      assertEquals((await run.read()).status?.phase, "Running");
      await run.delete();
    },
  },
];
