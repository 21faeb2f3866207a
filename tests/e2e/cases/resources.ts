/** Templates that change objects of the cluster, under a dedicated account. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeObject } from "@tiphys/kube";
import { AUX_NAME, type Case, casesForBothLayouts, type Layout, type Stage } from "../case.ts";
import { nodeNamed, onlyNode, WorkflowRun } from "../workflow_run.ts";

const ACCOUNT = "e2e-resources";

function configMap(name: string, data: Record<string, string>): string {
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
}

const JOB = JSON.stringify({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { generateName: "e2e-job-" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image: "tiphys-test/busybox:1", command: ["true"] }],
      },
    },
  },
});

export const RESOURCES: readonly Case[] = [
  ...casesForBothLayouts(
    "resource template: waits for its Job to succeed, and outputs parts of it",
    async (stage, layout) => {
      const run = await runResource(stage, layout, {
        resource: {
          action: "create",
          setOwnerReference: true,
          successCondition: "status.succeeded > 0",
          failureCondition: "status.failed > 3",
          manifest: JOB,
        },
        outputs: {
          parameters: [
            { name: "name", valueFrom: { jsonPath: "{.metadata.name}" } },
            { name: "owner", valueFrom: { jqFilter: ".metadata.ownerReferences[0].name" } },
          ],
        },
      });
      const [name, owner] = onlyNode(await run.awaitSuccess()).outputs?.parameters ?? [];
      assertMatch(String(name?.value), /^e2e-job-/);
      assertEquals(owner?.value, run.name);
      const [pod] = await run.pods();
      assertEquals(pod?.spec.containers.map(({ name }) => name), ["main"]);
    },
  ),
  ...casesForBothLayouts(
    "resource template: one that waits is stopped within the grace period of its pod",
    async (stage, layout) => {
      const run = await runResource(stage, layout, {
        resource: {
          action: "apply",
          successCondition: "data.never == yes",
          manifest: configMap(`e2e-stopped-${layout}`, { a: "b" }),
        },
      });
      const isRunning = (pod: Pod) => pod.status?.containerStatuses?.some(({ state }) => state?.running) === true;
      await run.awaitPod("runs", isRunning);
      await run.patchSpec({ shutdown: "Stop" });
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      await run.await("has no running pod", async () => !(await run.pods()).some(isRunning), 45);
    },
  ),
  ...casesForBothLayouts(
    "resource template: the manifest may be an artifact, anywhere in its read-only root (IL-14)",
    async (stage, layout) => {
      const name = `e2e-manifest-${layout}`;
      const run = await runResource(stage, layout, {
        inputs: {
          artifacts: [{ name: "manifest", path: "/manifests/one", raw: { data: configMap(name, { a: "b" }) } }],
        },
        resource: { action: "apply", manifestFrom: { artifact: { name: "manifest" } } },
      });
      await run.awaitSuccess();
      const [pod] = await run.pods();
      assertEquals(pod?.spec.containers.some(({ name }) => name === AUX_NAME[layout]), layout === "initless");
      assertEquals(await dataOf(stage, name), { a: "b" });
    },
  ),
  {
    title: "resource template: apply, patch and delete work, and a refused one has the server's message",
    async run(stage) {
      await makeAccount(stage);
      const name = "e2e-changed";
      const step = (step: string) => [{ name: step, template: step }];
      const run = await WorkflowRun.create(stage, {
        serviceAccountName: ACCOUNT,
        templates: [
          {
            name: "main",
            steps: [step("apply"), step("again"), step("patch"), step("read"), step("delete"), step("refused")],
          },
          { name: "apply", resource: { action: "apply", manifest: configMap(name, { a: "1", b: "1" }) } },
          { name: "again", resource: { action: "apply", manifest: configMap(name, { a: "2" }) } },
          {
            name: "patch",
            resource: {
              action: "patch",
              mergeStrategy: "json",
              flags: ["cm", name],
              manifest: '[{"op": "add", "path": "/data/c", "value": "3"}]',
            },
          },
          {
            name: "read",
            resource: { action: "get", flags: ["configmap", name] },
            outputs: { parameters: [{ name: "data", valueFrom: { jsonPath: "{.data}" } }] },
          },
          { name: "delete", resource: { action: "delete", manifest: configMap(name, {}) } },
          { name: "refused", resource: { action: "get", flags: ["secrets/any"] } },
        ],
      });
      const workflow = await run.awaitFinish();
      assertEquals(nodeNamed(workflow, "read").outputs?.parameters?.[0]?.value, '{"a":"2","c":"3"}');
      assertMatch(
        nodeNamed(workflow, "refused").message ?? "",
        /^main: Error \(exit code 64\): no more retries Error from server \(Forbidden\): secrets "any" is forbidden/,
      );
    },
  },
];

/** Runs a workflow of one template, under an account that may change the objects of these cases. */
async function runResource(stage: Stage, layout: Layout, template: Omit<Template, "name">): Promise<WorkflowRun> {
  await makeAccount(stage);
  const templates = [{ name: "main", ...template }];
  return await WorkflowRun.create(stage, { serviceAccountName: ACCOUNT, templates }, { layout });
}

async function dataOf({ client, namespace }: Stage, name: string): Promise<unknown> {
  return (await client.get<KubeObject>(CONFIGMAPS, namespace, name)).data;
}

/** An account that may report, and change the objects of these cases. */
async function makeAccount({ kubectl, namespace }: Stage): Promise<void> {
  const binding = (name: string, kind: string, role: string) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: role },
    subjects: [{ kind: "ServiceAccount", name: ACCOUNT }],
  });
  await kubectl.apply(
    namespace,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: ACCOUNT } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: ACCOUNT },
      rules: [{
        apiGroups: ["", "batch"],
        resources: ["configmaps", "jobs"],
        verbs: ["create", "get", "watch", "patch", "delete"],
      }],
    },
    binding(ACCOUNT, "Role", ACCOUNT),
    binding(`${ACCOUNT}-report`, "ClusterRole", "workflow-executor"),
  );
}
