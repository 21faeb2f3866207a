/** Images that are missing, are pulled late, or have other content. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { type Case, casesForBothLayouts, type Stage } from "../case.ts";
import { testImages } from "../test_images.ts";
import { nodeNamed, onlyNode, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";
const COMMAND = ["echo", "here"];

/** A patch of a pod's spec with another image for the executor's volume. */
function withImageVolume(reference: string): string {
  return JSON.stringify({ volumes: [{ name: "argoexec-bin", image: { reference } }] });
}

function dateScript(part: string): string {
  return `tiphys-test/late-${part}-${crypto.randomUUID().slice(0, 8)}:1`;
}

/** Waits until the node reports that this image cannot be pulled. */
async function awaitMissingImage(run: WorkflowRun, image: string): Promise<void> {
  const name = image.slice(0, image.indexOf(":"));
  await run.await(`misses ${image}`, (workflow) => {
    const { phase, message = "" } = onlyNode(workflow);
    return phase === "Pending" && /^(ErrImagePull|ImagePullBackOff): /.test(message) && message.includes(name);
  });
}

async function runContainer(stage: Stage, image: string, podSpecPatch?: string): Promise<WorkflowRun> {
  return await WorkflowRun.create(stage, {
    podSpecPatch,
    templates: [{ name: "main", container: { image, command: COMMAND } }],
  });
}

export const IMAGES: readonly Case[] = [
  {
    title: "image: a failed pull keeps the node Pending with the kubelet's message, and later the step succeeds",
    async run(stage) {
      const image = dateScript("main");
      const run = await runContainer(stage, image);
      await awaitMissingImage(run, image);
      assert(await stage.cluster.load((await testImages()).busybox, image), "There is no registry to push to");
      await run.awaitSuccess();
    },
  },
  {
    title:
      "image volume: a failed pull keeps the node Pending with the kubelet's message, and later the step succeeds (IL-61)",
    async run(stage) {
      const image = dateScript("volume");
      const run = await runContainer(stage, IMAGE, withImageVolume(image));
      await awaitMissingImage(run, image);
      assert(await stage.cluster.load(stage.executorArchive, image), "There is no registry to push to");
      await run.awaitSuccess();
    },
  },
  {
    title:
      "late supervisor: main waits for one that starts a minute late because of its image, and the step succeeds (IL-62)",
    async run(stage) {
      const image = dateScript("supervisor");
      const patch = JSON.stringify({ containers: [{ name: "supervisor", image }] });
      const run = await runContainer(stage, IMAGE, patch);
      await awaitMissingImage(run, image);
      const startOf = ({ status }: Pod, container: string) => {
        const { running, terminated } = status?.containerStatuses?.find(({ name }) => name === container)?.state ?? {};
        return Date.parse(running?.startedAt ?? terminated?.startedAt ?? "");
      };
      const main = await run.awaitPod(
        "has kept main waiting for a minute",
        (pod) => Date.now() - startOf(pod, "main") >= 60_000,
      );
      assertEquals(await run.logs(main), "");
      assert(await stage.cluster.load(stage.executorArchive, image), "There is no registry to push to");
      await run.awaitSuccess(300);
      const pod = await run.onlyPod();
      const lateness = (startOf(pod, "supervisor") - startOf(pod, "main")) / 1000;
      assert(lateness >= 60, `The supervisor was late by ${lateness} s only`);
      return `${lateness} s late`;
    },
  },
  {
    title:
      "image volume: one without the executor fails the node within seconds, with a message that names image volumes and the node (IL-60)",
    async run(stage) {
      const run = await runContainer(stage, IMAGE, withImageVolume("tiphys-test/single-program:1"));
      const workflow = await run.awaitFinish(60);
      const { message = "", hostNodeName } = onlyNode(workflow);
      assertMatch(workflow.status?.phase ?? "", /Failed|Error/);
      assertMatch(message, /image volume/);
      assertStringIncludes(message, hostNodeName!);
      return `create to end ${run.seconds().toFixed(1)} s`;
    },
  },
  {
    title: "image: one without any C library runs, and returns a script's result and a file",
    async run(stage) {
      const workflow = await (await WorkflowRun.create(stage, "no_libc.yaml")).awaitSuccess();
      assertEquals(nodeNamed(workflow, "make").outputs?.result, "from stdout");
    },
  },
  ...casesForBothLayouts(
    "image: one with musl as its C library, without a shell, runs and returns its output and a file",
    async (stage, layout) => {
      const workflow = await (await WorkflowRun.create(stage, "musl.yaml", { layout })).awaitSuccess();
      const { outputs } = nodeNamed(workflow, "copy");
      assertEquals([outputs?.result, outputs?.parameters?.[0]?.value], ["from musl", "from musl"]);
    },
  ),
  ...casesForBothLayouts(
    "image: one static program, without a shell and a folder for temporary files, runs and returns its output and a file",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, "single_program.yaml", { layout });
      const workflow = await run.awaitSuccess();
      assertEquals(nodeNamed(workflow, "say").outputs?.result, "hello");
      assertEquals(nodeNamed(workflow, "copy").outputs?.parameters?.[0]?.value, "hello");
    },
  ),
];
