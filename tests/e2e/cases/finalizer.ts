/**
 * Pods are kept until they have been read, and no longer, even if the controller, the workflow or the namespace is
 * deleted first.
 */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { NAMESPACES, PODS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import { startController, stopController } from "../../install/mod.ts";
import type { Case, Stage } from "../case.ts";
import { onlyNode, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";

function container(...command: string[]) {
  return { templates: [{ name: "main", container: { image: IMAGE, command } }] };
}

async function isGone({ client }: Stage, { metadata }: Pod): Promise<boolean> {
  const fieldSelector = `metadata.name=${metadata.name}`;
  return (await client.list(PODS, metadata.namespace, { fieldSelector })).items.length === 0;
}

export const FINALIZER: readonly Case[] = [
  {
    title:
      "finalizer: while the controller is down, a pod that ended and was deleted is kept and read later, and pods of a deleted workflow are released (IL-69)",
    alone: true,
    async run(stage) {
      const { client, kubectl, namespace } = stage;
      const read = await WorkflowRun.create(stage, container("sh", "-c", "echo up; sleep 4; exit 3"));
      const orphan = await WorkflowRun.create(stage, container("sh", "-c", "echo up; exec sleep 600"));
      const [readPod, orphanPod] = [await read.awaitRunningPod(), await orphan.awaitRunningPod()];
      await stopController(kubectl, namespace);
      try {
        await read.awaitPod("has failed", ({ status }) => status?.phase === "Failed");
        await client.delete(PODS, namespace, readPod.metadata.name!);
        await orphan.delete();
        const deleted = async () =>
          (await client.get<Pod>(PODS, namespace, orphanPod.metadata.name!)).metadata.deletionTimestamp !== undefined;
        await awaitFact("the orphan is being deleted", deleted, { seconds: 120 });
      } finally {
        await startController(kubectl, namespace);
      }
      const workflow = await read.awaitFinish();
      assertEquals(onlyNode(workflow).message, "main: Error (exit code 3)");
      await awaitFact("the pod that was read is gone", () => isGone(stage, readPod), { seconds: 120 });
      await awaitFact("the orphan is gone", () => isGone(stage, orphanPod), { seconds: 120 });
    },
  },
  {
    title: "finalizer: a namespace with held pods can be deleted (IL-72)",
    async run(stage) {
      const { client, kubectl } = stage;
      const namespace = `e2e-${crypto.randomUUID().slice(0, 8)}`;
      await client.create(NAMESPACES, undefined, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: namespace },
      });
      await kubectl.output(
        ...["-n", namespace, "create", "rolebinding", "executor"],
        ...["--clusterrole=workflow-executor", `--serviceaccount=${namespace}:default`],
      );
      const running = await WorkflowRun.create(stage, container("sh", "-c", "echo up; exec sleep 600"), { namespace });
      const ended = await WorkflowRun.create(stage, container("true"), { namespace });
      await ended.awaitSuccess();
      await running.awaitRunningPod();
      await client.delete(NAMESPACES, undefined, namespace);
      const left = async () => (await client.list(NAMESPACES, undefined)).items.map(({ metadata }) => metadata.name);
      await awaitFact(`namespace ${namespace} is gone`, async () => !(await left()).includes(namespace), {
        seconds: 120,
      });
    },
  },
];
