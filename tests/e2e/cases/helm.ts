/**
 * The chart as Helm installs it, and our images in Argo's own chart if ARGO_HELM_CHART names its folder. Both are a
 * controller with a separate instance ID, in addition to the installation of the other cases.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { outputOf } from "../../../scripts/command.ts";
import { awaitFact } from "../../await_fact.ts";
import { clusterSettings, helmProgram } from "../../cluster/mod.ts";
import type { Kubectl } from "../../install/mod.ts";
import { Unavailable } from "../../artifacts/servers/server.ts";
import type { Case, Stage } from "../case.ts";

const CHART = new URL("../../../manifests/helm/tiphys", import.meta.url).pathname;
const RELEASE = "chart";
const NAMESPACE = "helm-chart";
const ACCOUNT = "chart-workflow";

/** Cluster-scoped objects already exist and do not belong to this release. */
const VALUES = {
  crds: { install: false },
  createAggregateRoles: false,
  singleNamespace: true,
  controller: {
    instanceID: { enabled: true, explicitID: RELEASE },
    clusterWorkflowTemplates: { enabled: false },
  },
  server: { clusterWorkflowTemplates: { enabled: false } },
  workflow: { serviceAccount: { create: true, name: ACCOUNT } },
};

/** Helm on the cluster of a stage, with a folder for files; undefined without Helm. */
async function helmOn({ cluster }: Stage, folder: string) {
  const program = await helmProgram(clusterSettings());
  if (!program) return undefined;
  const env = { KUBECONFIG: cluster.kubeconfig, HELM_CACHE_HOME: folder };
  return (...args: string[]) => outputOf([program, ...args, "--namespace", NAMESPACE], { env });
}

/** Runs a workflow of the release, and returns the output of its pod. */
async function runWorkflow({ kubectl }: Stage): Promise<string> {
  const { metadata: { name } } = await kubectl.create<{ readonly metadata: { readonly name: string } }>(
    NAMESPACE,
    JSON.stringify({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { generateName: "of-chart-", labels: { [LABEL.instanceId]: RELEASE } },
      spec: {
        entrypoint: "main",
        serviceAccountName: ACCOUNT,
        templates: [{
          name: "main",
          container: { image: "tiphys-test/busybox:1", command: ["echo", "from the chart"] },
        }],
      },
    }),
  );
  const phase = () => kubectl.output("-n", NAMESPACE, "get", "workflow", name, "-o=jsonpath={.status.phase}");
  await awaitFact(`workflow ${name} has finished`, async () => /Succeeded|Failed|Error/.test(await phase()), {
    seconds: 120,
  });
  assertEquals(await phase(), "Succeeded");
  return await kubectl.output("-n", NAMESPACE, "logs", "-l", `${LABEL.workflow}=${name}`, "-c", "main");
}

/** The images of this project in the values of Argo's chart, which starts them with its own commands and accounts. */
const IN_ARGOS_CHART = {
  ...VALUES,
  crds: { install: false, full: false },
  images: { tag: "v0.1.0" },
  controller: { ...VALUES.controller, image: { registry: "docker.io", repository: "tiphys/workflow-controller" } },
  executor: { image: { registry: "docker.io", repository: "tiphys/argoexec" } },
  server: { ...VALUES.server, image: { registry: "docker.io", repository: "tiphys/argo-server" } },
};

/** The tools for a release: Helm, the values as a file, and the names of the release's objects. */
interface Release {
  helm(...args: string[]): Promise<string>;
  readonly values: string;
  objects(): Promise<readonly string[]>;
}

/** Prepares a release, and removes everything of it at the end. @throws {NotHere} without Helm */
async function withRelease(stage: Stage, values: object, use: (release: Release) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "helm-" });
  const helm = await helmOn(stage, folder);
  if (!helm) {
    await Deno.remove(folder, { recursive: true });
    throw new Unavailable("Helm is not there, and could not be built by Go");
  }
  const { kubectl } = stage;
  const kinds = "deployments,services,configmaps,serviceaccounts,roles,rolebindings";
  const releaseSelector = ["-l", `app.kubernetes.io/instance=${RELEASE}`, "-o=name"];
  const objects = async () =>
    (await kubectl.output("-n", NAMESPACE, "get", kinds, ...releaseSelector)).split("\n").filter(Boolean);
  const file = `${folder}/values.json`;
  await Deno.writeTextFile(file, JSON.stringify(values));
  try {
    await use({ helm, values: file, objects });
  } finally {
    await Deno.remove(folder, { recursive: true });
    await releasePods(kubectl);
    await kubectl.try("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=120s");
  }
}

/**
 * Removes the finalizers of pods that the uninstalled controller left: they would block the deletion of the namespace
 * (docs/pod-finalizer.md).
 */
async function releasePods(kubectl: Kubectl): Promise<void> {
  const pods = await kubectl.output("-n", NAMESPACE, "get", "pods", "-o=name");
  for (const pod of pods.split("\n").filter(Boolean)) {
    await kubectl.try("-n", NAMESPACE, "patch", pod, "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
  }
}

const PATIENCE = ["--wait", "--timeout", "180s"];

export const HELM: readonly Case[] = [
  {
    title: "chart: Helm installs, upgrades, rolls back and uninstalls it, and it runs workflows meanwhile",
    alone: true,
    async run(stage) {
      if (stage.isForeign) throw new Unavailable("the chart installs the project's own roles");
      await withRelease(stage, VALUES, async ({ helm, values, objects }) => {
        await helm("install", RELEASE, CHART, "--create-namespace", "-f", values, ...PATIENCE);
        assertStringIncludes(await runWorkflow(stage), "from the chart");
        const installed = await objects();
        assert(installed.some((name) => name.startsWith("deployment")), installed.join(" "));
        await helm("upgrade", RELEASE, CHART, "-f", values, "--set", "controller.logging.level=debug", ...PATIENCE);
        assertStringIncludes(await runWorkflow(stage), "from the chart");
        await helm("rollback", RELEASE, "1", ...PATIENCE);
        assertStringIncludes(await runWorkflow(stage), "from the chart");
        assertEquals(await objects(), installed);
        await helm("uninstall", RELEASE, ...PATIENCE);
        assertEquals(await objects(), []);
        const left = await stage.kubectl.output("-n", NAMESPACE, "get", "workflows", "-o=name");
        assertEquals(left.trim().split("\n").length, 3);
      });
    },
  },
  {
    title: "Argo's chart: starts our controller and server instead of Argo's, under the chart's accounts",
    alone: true,
    async run(stage) {
      const chart = Deno.env.get("ARGO_HELM_CHART");
      if (!chart) throw new Unavailable("ARGO_HELM_CHART names no folder");
      return await withRelease(stage, IN_ARGOS_CHART, async ({ helm, values }) => {
        await helm("install", RELEASE, chart, "--create-namespace", "-f", values, ...PATIENCE);
        assertStringIncludes(await runWorkflow(stage), "from the chart");
        for (const part of ["workflow-controller", "server"]) {
          const deployment = `deployment/${RELEASE}-argo-workflows-${part}`;
          const output = await stage.kubectl.output("-n", NAMESPACE, "logs", deployment);
          assertEquals(/NotCapable|Requires \w+ access|unknown (?:flag|option).*/.exec(output)?.[0], undefined, output);
        }
      });
    },
  },
];
