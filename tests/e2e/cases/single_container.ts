/** Pods of one container, in which main needs no executor's container. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import type { Case, Stage } from "../case.ts";
import { HARDENED } from "../hardened.ts";
import { onlyNode, type Source, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";
const PAST_DEADLINE = "Pod was active on the node longer than the specified deadline";

const shell = (script: string) => ({ image: IMAGE, command: ["sh", "-c", script] });

function create(stage: Stage, source: Source): Promise<WorkflowRun> {
  return WorkflowRun.create(stage, source, { layout: "single-container" });
}

const namesOf = (pod: Pod) => pod.spec.containers.map(({ name }) => name);

export const SINGLE_CONTAINER: readonly Case[] = [
  {
    title: "single container: a script without root, with a read-only root file system, runs without a report",
    async run(stage) {
      const script = { image: IMAGE, command: ["sh"], source: "echo hardened; id -u", securityContext: HARDENED };
      const run = await create(stage, { templates: [{ name: "main", script }] });
      const workflow = await run.awaitSuccess();
      const pod = await run.onlyPod();
      assertEquals([namesOf(pod), await run.logs(pod)], [["main"], "hardened\n65534\n"]);
      assertEquals(onlyNode(workflow).outputs, { exitCode: "0" });
      const results = await stage.client.list<{ metadata: { name?: string } }>(WORKFLOW_TASK_RESULTS, stage.namespace);
      assert(!results.items.some(({ metadata }) => metadata.name === onlyNode(workflow).id));
    },
  },
  {
    title: "single container: an account without permissions is enough",
    async run(stage) {
      const name = `nobody-${crypto.randomUUID().slice(0, 8)}`;
      await stage.kubectl.apply(stage.namespace, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
      const run = await create(stage, {
        serviceAccountName: name,
        templates: [{ name: "main", container: shell("echo done") }],
      });
      await run.awaitSuccess();
    },
  },
  {
    title: "single container: a step whose output parameter is used has a supervisor, the step that uses it does not",
    async run(stage) {
      const say = {
        name: "say",
        container: shell("echo word >/tmp/word"),
        outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
      };
      const hear = {
        name: "hear",
        inputs: { parameters: [{ name: "word" }] },
        container: shell("[ '{{inputs.parameters.word}}' = word ]"),
      };
      const word = { name: "word", value: "{{steps.say.outputs.parameters.word}}" };
      const steps = [[{ name: "say", template: "say" }], [{
        name: "hear",
        template: "hear",
        arguments: { parameters: [word] },
      }]];
      const run = await create(stage, { templates: [{ name: "main", steps }, say, hear] });
      await run.awaitSuccess();
      const names = (await run.pods()).map(namesOf).sort((a, b) => a.length - b.length);
      assertEquals(names, [["main"], ["supervisor", "main"]]);
    },
  },
  {
    title: "single container: the kubelet ends the pod at its deadline, and the node has the kubelet's message",
    async run(stage) {
      const run = await create(stage, {
        templates: [{ name: "main", activeDeadlineSeconds: 5, container: shell("echo asleep; sleep 600") }],
      });
      const workflow = await run.awaitFinish();
      assertEquals([workflow.status?.phase, onlyNode(workflow).message], ["Failed", PAST_DEADLINE]);
      return `${run.seconds().toFixed(1)} s`;
    },
  },
  {
    title: "single container: a command is terminated gracefully before it is killed",
    async run(stage) {
      const script = "trap 'echo asked to end; exit 7' TERM; echo asleep; sleep 600 & wait $!; wait";
      const run = await create(stage, { templates: [{ name: "main", container: shell(script) }] });
      const pod = await run.awaitRunningPod();
      await run.patchSpec({ shutdown: "Terminate" });
      const workflow = await run.awaitFinish();
      assertEquals(onlyNode(workflow).outputs?.exitCode, "7");
      assertMatch(await run.logs(pod), /asked to end/);
    },
  },
];
