/** Workflows as users write them, and the installation itself. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";
import { Unavailable } from "../../artifacts/servers/server.ts";
import { restartController } from "../../install/mod.ts";
import type { Case } from "../case.ts";
import { nodeNamed, WorkflowRun } from "../workflow_run.ts";

export const BASICS: readonly Case[] = [
  {
    title: "hello world: succeeds, and its log contains its output",
    alone: true,
    async run(stage) {
      const run = await WorkflowRun.create(stage, "hello.yaml");
      await run.awaitSuccess();
      const seconds = run.seconds();
      const pod = await run.onlyPod();
      assertStringIncludes(await run.logs(pod), "hello world");
      return `create to Succeeded ${seconds.toFixed(1)} s`;
    },
  },
  {
    title:
      "layout: a pod has no init container, the containers supervisor and main, and argoexec from an image volume at /argo-bin",
    async run(stage) {
      const run = await WorkflowRun.create(stage, "hello.yaml");
      await run.awaitFinish();
      const [pod] = await run.pods();
      assertEquals(pod?.spec.initContainers ?? [], []);
      assertEquals(pod?.spec.containers.map(({ name }) => name).sort(), [CONTAINER.main, CONTAINER.supervisor].sort());
      const main = pod?.spec.containers.find(({ name }) => name === CONTAINER.main);
      assertEquals(main?.command?.[0], PATH.argoexec);
      const mount = main?.volumeMounts?.find(({ mountPath }) => mountPath === PATH.argoBin);
      assertEquals(mount?.name, VOLUME.argoexecBin);
      const volume = pod?.spec.volumes?.find(({ name }) => name === VOLUME.argoexecBin) as
        | { image?: { reference?: string } }
        | undefined;
      assertMatch(volume?.image?.reference ?? "", /argoexec/);
    },
  },
  {
    title: "steps: three steps of a second each take less than fifteen seconds",
    alone: true,
    async run(stage) {
      const run = await WorkflowRun.create(stage, "three_seconds.yaml");
      await run.awaitSuccess();
      const seconds = run.seconds();
      assert(seconds < 15, `It took ${seconds} s`);
      return `create to Succeeded ${seconds.toFixed(1)} s`;
    },
  },
  {
    title: "loop: over a list that a step printed, aggregates its results in order",
    async run(stage) {
      const run = await WorkflowRun.create(stage, "fan_out.yaml");
      await run.awaitSuccess();
    },
  },
  {
    title:
      "failure: a failing task fails the workflow with its exit code, omits dependent tasks, and the exit handler runs",
    async run(stage) {
      const run = await WorkflowRun.create(stage, "failing_step.yaml");
      const workflow = await run.awaitFinish();
      assertEquals(workflow.status?.phase, "Failed");
      assertEquals(nodeNamed(workflow, "bad").outputs?.exitCode, "3");
      assertMatch(nodeNamed(workflow, "bad").message ?? "", /exit code 3/);
      assertEquals(nodeNamed(workflow, "never").phase, "Omitted");
      assertEquals(nodeNamed(workflow, `${run.name}.onExit`).phase, "Succeeded");
    },
  },
  {
    title: "controller: a new controller resumes where the old one stopped",
    alone: true,
    async run(stage) {
      const run = await WorkflowRun.create(stage, "three_seconds.yaml");
      await run.await("runs its first step", (workflow) => nodeNamed(workflow, "one").phase === "Running");
      await restartController(stage.kubectl, stage.namespace);
      await run.awaitSuccess();
      assertEquals((await run.pods()).length, 3);
    },
  },
  {
    title: "layout: with initlessPod disabled, the same workflow runs in pods with the containers init, wait and main",
    alone: true,
    async run(stage) {
      const { kubectl, namespace } = stage;
      const configure = async (initlessPod: string | null) => {
        const patch = JSON.stringify({ data: { initlessPod } });
        const configMap = ["configmap", "workflow-controller-configmap"];
        await kubectl.output("-n", namespace, "patch", ...configMap, "--type=merge", "-p", patch);
        await restartController(kubectl, namespace);
      };
      await configure("enabled: false");
      try {
        const run = await WorkflowRun.create(stage, "no_libc.yaml");
        await run.awaitSuccess();
        const [pod] = await run.pods();
        assertEquals(pod?.spec.initContainers?.map(({ name }) => name), [CONTAINER.init]);
        assertEquals(pod?.spec.containers.map(({ name }) => name).sort(), [CONTAINER.main, CONTAINER.wait].sort());
      } finally {
        await configure(null);
      }
    },
  },
  {
    title: "validation: a workflow with a missing template fails with its name, and starts no pod",
    async run(stage) {
      const run = await WorkflowRun.create(stage, "unknown_template.yaml");
      const { status } = await run.awaitFinish();
      assertEquals(status?.phase, "Failed");
      assertStringIncludes(status?.message ?? "", "not-there");
      assertEquals(await run.pods(), []);
    },
  },
  {
    title: "validation: the API server refuses a malformed workflow and names the field",
    async run({ kubectl, namespace }) {
      const file = new URL("../workflows/wrong_type.yaml", import.meta.url).pathname;
      const refused = await kubectl.try("-n", namespace, "create", "-f", file);
      assert(refused.code !== 0, "It was created");
      assertStringIncludes(refused.stderr, "spec.templates");
    },
  },
  {
    title: "permissions: the controller may not read secrets, and a pod may only report its result",
    async run({ kubectl, namespace, isForeign }) {
      if (isForeign) throw new Unavailable("the roles are those of an installed Argo");
      const account = "e2e-pod";
      await kubectl.apply(
        namespace,
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account } },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: account },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "workflow-executor" },
          subjects: [{ kind: "ServiceAccount", name: account }],
        },
      );
      const may = async (account: string, verb: string, resource: string) => {
        const who = `--as=system:serviceaccount:${namespace}:${account}`;
        return (await kubectl.try("-n", namespace, "auth", "can-i", verb, resource, who)).stdout.trim();
      };
      assertEquals(await may("workflow-controller", "create", "pods"), "yes");
      assertEquals(await may("workflow-controller", "get", "secrets"), "no");
      assertEquals(await may(account, "create", "workflowtaskresults.argoproj.io"), "yes");
      assertEquals(await may(account, "get", "workflows.argoproj.io"), "no");
    },
  },
];
