/** Pods that a user or the cluster ends. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CONFIGMAPS, NODES, PODS } from "@tiphys/kube";
import { AUX_NAME, type Case, casesForBothLayouts, casesForEveryLayout } from "../case.ts";
import { killOnNode } from "../on_node.ts";
import { nodeNamed, onlyNode, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";
const SLEEP = { image: IMAGE, command: ["sh", "-c", "echo asleep; exec sleep 600"] };
const PAST_DEADLINE = "Pod was active on the node longer than the specified deadline";
const SLEEPER = { templates: [{ name: "main", container: SLEEP }] };

export const ENDINGS: readonly Case[] = [
  {
    title: "lost node: a pod whose node is gone ends its workflow with the cluster's message",
    async run(stage) {
      const { client, namespace } = stage;
      const node = `gone-${crypto.randomUUID().slice(0, 8)}`;
      await client.create(NODES, undefined, { apiVersion: "v1", kind: "Node", metadata: { name: node } });
      const run = await WorkflowRun.create(stage, { ...SLEEPER, podSpecPatch: JSON.stringify({ nodeName: node }) });
      const { metadata, spec } = await run.awaitPod("has a pod on the node");
      // This node has no kubelet: the status is the one that a kubelet would have written before it became unreachable.
      const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
      const statuses = spec.containers.map(({ name, image }) => ({
        name,
        image,
        imageID: "",
        state,
        ready: true,
        restartCount: 0,
      }));
      const status = { phase: "Running", containerStatuses: statuses };
      await client.patch(PODS, namespace, metadata.name!, { status }, "merge", { subresource: "status" });
      await run.await("runs", (workflow) => onlyNode(workflow).phase === "Running");
      await client.delete(NODES, undefined, node);
      const workflow = await run.awaitFinish(180);
      assertMatch(workflow.status?.phase ?? "", /Failed|Error/);
      assertMatch(onlyNode(workflow).message ?? "", /node no longer exists/);
    },
  },
  ...casesForEveryLayout(
    "eviction: an evicted pod fails its node with the kubelet's message",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        volumes: [{ name: "scratch", emptyDir: { sizeLimit: "1Mi" } }],
        templates: [{
          name: "main",
          container: {
            image: IMAGE,
            command: ["sh", "-c", "dd if=/dev/zero of=/scratch/much bs=1M count=8; sleep 600"],
            volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
          },
        }],
      }, { layout });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertEquals(onlyNode(workflow).message?.trim(), 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi".');
    },
  ),
  ...casesForEveryLayout(
    "deletion: a pod that is deleted while Pending is created again, and the step succeeds",
    async (stage, layout) => {
      const { client, namespace } = stage;
      const configMap = `late-${crypto.randomUUID().slice(0, 8)}`;
      const run = await WorkflowRun.create(stage, {
        volumes: [{ name: "late", configMap: { name: configMap } }],
        templates: [{
          name: "main",
          container: {
            image: IMAGE,
            command: ["cat", "/late/word"],
            volumeMounts: [{ name: "late", mountPath: "/late" }],
          },
        }],
      }, { layout });
      const first = await run.awaitPod("has a pod on a node", ({ spec }) => spec.nodeName !== undefined);
      await client.create(CONFIGMAPS, namespace, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: configMap },
        data: { word: "here" },
      });
      await client.delete(PODS, namespace, first.metadata.name!, { gracePeriodSeconds: 0 });
      await run.awaitSuccess();
      const [second] = await run.pods();
      assert(second?.metadata.uid !== first.metadata.uid);
    },
  ),
  ...casesForEveryLayout(
    "deletion: a pod that is deleted while running ends its workflow with a message",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, SLEEPER, { layout });
      const pod = await run.awaitRunningPod();
      await stage.client.delete(PODS, stage.namespace, pod.metadata.name!);
      const workflow = await run.awaitFinish();
      assertMatch(workflow.status?.phase ?? "", /Failed|Error/);
      assertMatch(onlyNode(workflow).message ?? "", /^pod deleted|^main: Error \(exit code 143\)/);
    },
  ),
  ...casesForEveryLayout(
    "kill: a main that is killed together with its executor fails its node, and the pod ends",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, SLEEPER, { layout });
      await killOnNode(stage, await run.awaitRunningPod(), "emissary");
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertMatch(onlyNode(workflow).message ?? "", /^main: \w+ \(exit code 137\)$/);
      return `${run.seconds().toFixed(1)} s`;
    },
  ),
  ...casesForBothLayouts(
    "kill: when the executor's container is killed, the message names it, and main ends first",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          container: { image: IMAGE, command: ["sh", "-c", "echo main runs; sleep 5; echo main has ended"] },
        }],
      }, { layout });
      const aux = AUX_NAME[layout];
      await killOnNode(stage, await run.awaitRunningPod(), aux);
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Error");
      assertMatch(onlyNode(workflow).message ?? "", new RegExp(`^${aux}: \\w+ \\(exit code 137\\)$`));
      const pod = await run.onlyPod();
      assertStringIncludes(await run.logs(pod), "main has ended");
    },
  ),
  ...casesForBothLayouts(
    "deadline: a template's deadline ends its pod, later output of main is kept, and the node has the kubelet's message",
    async (stage, layout) => {
      const script = "trap 'echo in time >/tmp/last; exit 0' TERM; echo asleep; sleep 600 & wait $!; wait";
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          // Counted from the pod's start: on a busy machine main starts late.
          activeDeadlineSeconds: 20,
          container: { image: IMAGE, command: ["sh", "-c", script] },
          outputs: { parameters: [{ name: "last", valueFrom: { path: "/tmp/last" } }] },
        }],
      }, { layout });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      const { message, outputs } = onlyNode(workflow);
      assertEquals([message, outputs?.parameters?.[0]?.value], [PAST_DEADLINE, "in time"]);
    },
  ),
  ...casesForBothLayouts(
    "kill: an executor's container that the kubelet restarts finds main, and the step succeeds",
    async (stage, layout) => {
      const script = "echo main runs; until [ -e /tmp/gate ]; do sleep 0.1; done; echo made >/tmp/word";
      const run = await WorkflowRun.create(stage, {
        podSpecPatch: JSON.stringify({ restartPolicy: "OnFailure" }),
        templates: [{
          name: "main",
          container: { image: IMAGE, command: ["sh", "-c", script] },
          outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
        }],
      }, { layout });
      const aux = AUX_NAME[layout];
      const pod = await run.awaitRunningPod();
      await killOnNode(stage, pod, aux);
      await run.awaitPod(
        "has its executor's container again",
        ({ status }) =>
          status?.containerStatuses?.some(({ name, state, restartCount }) =>
            name === aux && state?.running && restartCount === 1
          ) ===
            true,
      );
      await stage.kubectl.output(
        "-n",
        stage.namespace,
        "exec",
        pod.metadata.name!,
        "-c",
        "main",
        "--",
        "touch",
        "/tmp/gate",
      );
      assertEquals(onlyNode(await run.awaitSuccess()).outputs?.parameters?.[0]?.value, "made");
    },
  ),
  {
    title: "deadline: a workflow's deadline ends its pods, and the workflow has the message",
    async run(stage) {
      const run = await WorkflowRun.create(stage, { ...SLEEPER, activeDeadlineSeconds: 5 });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertMatch(onlyNode(workflow).message ?? "", /exceeded its deadline|longer than the specified deadline/);
    },
  },
  ...casesForEveryLayout(
    "stop: a workflow that is stopped ends its pods, and its exit handler runs",
    async (stage, layout) => {
      const bye = { name: "bye", container: { image: IMAGE, command: ["true"] } };
      const run = await WorkflowRun.create(stage, { onExit: "bye", templates: [...SLEEPER.templates, bye] }, {
        layout,
      });
      await run.awaitRunningPod();
      await run.patchSpec({ shutdown: "Stop" });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertMatch(onlyNode(workflow).message ?? "", /^workflow shutdown with strategy: +Stop$/);
      assertEquals(nodeNamed(workflow, `${run.name}.onExit`).phase, "Succeeded");
    },
  ),
  ...casesForEveryLayout("terminate: a workflow that is terminated ends its pods at once", async (stage, layout) => {
    const run = await WorkflowRun.create(stage, SLEEPER, { layout });
    await run.awaitRunningPod();
    await run.patchSpec({ shutdown: "Terminate" });
    const workflow = await run.awaitFinish();
    assertEquals(workflow.status?.phase, "Failed");
    assertMatch(onlyNode(workflow).message ?? "", /^workflow shutdown with strategy: +Terminate$/);
    await run.awaitPod("has ended", ({ status }) => status?.phase === "Failed" || status?.phase === "Succeeded");
  }),
  {
    title:
      "signals: the signal that ends a pod reaches every process of the user's command, and their last output is kept",
    async run(stage) {
      // The shell waits in the background: only a signal to the whole process group reaches the one that sleeps.
      const script = "trap 'echo asked to end >/tmp/last; exit 7' TERM; echo asleep; sleep 600 & wait $!; wait";
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          container: { image: IMAGE, command: ["sh", "-c", script] },
          outputs: { parameters: [{ name: "last", valueFrom: { path: "/tmp/last" } }] },
        }],
      });
      const pod = await run.awaitRunningPod();
      await stage.client.delete(PODS, stage.namespace, pod.metadata.name!);
      const node = onlyNode(await run.awaitFinish());
      assertEquals(node.outputs?.parameters?.[0]?.value, "asked to end");
      assertMatch(node.message ?? "", /exit code 7/);
    },
  },
];
