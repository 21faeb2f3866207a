/** Containers that fail by themselves: each has its actual cause in the message, once. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ENV, EXIT } from "@tiphys/base/constants";
import { type Case, casesForBothLayouts, casesForEveryLayout } from "../case.ts";
import { onlyNode, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";

export const FAILURES: readonly Case[] = [
  ...casesForEveryLayout(
    "failure: a command that the image does not have fails the node with its name",
    async (stage, layout) => {
      const templates = [{ name: "main", container: { image: IMAGE, command: ["no-such-program"] } }];
      const workflow = await (await WorkflowRun.create(stage, { templates }, { layout })).awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      const message = onlyNode(workflow).message ?? "";
      assertMatch(message, /^main: Error \(exit code 64\): failed to find name in PATH/);
      assertEquals(message.split("no-such-program").length, 2, message);
    },
  ),
  ...casesForEveryLayout(
    "failure: a command that exceeds its memory limit fails the node with OOMKilled",
    async (stage, layout) => {
      const container = { image: IMAGE, command: ["tail", "/dev/zero"], resources: { limits: { memory: "128Mi" } } };
      const run = await WorkflowRun.create(stage, { templates: [{ name: "main", container }] }, { layout });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertMatch(onlyNode(workflow).message ?? "", /^main: OOMKilled \(exit code 137\)$/);
    },
  ),
  {
    title: "supervisor: out of memory before main starts, it ends the pod, and the node names it (IL-12)",
    async run(stage) {
      const podSpecPatch = JSON.stringify({
        containers: [
          { name: "supervisor", resources: { limits: { memory: "8Mi" } } },
          { name: "main", env: [{ name: ENV.supervisorAppearance, value: "5" }] },
        ],
      });
      const templates = [{ name: "main", container: { image: IMAGE, command: ["echo", "main has run"] } }];
      const run = await WorkflowRun.create(stage, { podSpecPatch, templates });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Error");
      assertMatch(onlyNode(workflow).message ?? "", /^supervisor: OOMKilled \(exit code 137\)$/);
      const pod = await run.onlyPod();
      const main = pod.status?.containerStatuses?.find(({ name }) => name === "main")?.state?.terminated;
      assertEquals(main?.exitCode, EXIT.supervisorLost);
      assertEquals((await run.logs(pod)).includes("main has run"), false);
    },
  },
  ...casesForBothLayouts(
    "failure: an unavailable input fails the node with its name, and main does not run",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          inputs: { artifacts: [{ name: "lost", path: "/lost", http: { url: "http://127.0.0.1:1/lost" } }] },
          container: { image: IMAGE, command: ["echo", "main has run"] },
        }],
      }, { layout });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Error");
      assertStringIncludes(onlyNode(workflow).message ?? "", "lost");
      assertMatch(onlyNode(workflow).message ?? "", /^(supervisor|init): Error \(exit code 64\)/);
      const [pod] = await run.pods();
      const main = pod?.status?.containerStatuses?.find(({ name }) => name === "main")?.state;
      assertEquals(main?.terminated?.exitCode ?? 65, 65);
    },
  ),
];
