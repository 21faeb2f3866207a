/** Garbage in large numbers and in restricted workflows, which scenarios cannot show well. */
import { assert, assertEquals } from "@std/assert";
import type { Artifact, NodeStatus, Workflow } from "@tiphys/model/api";
import { FINALIZER } from "@tiphys/base/constants";
import { LIMITS } from "@tiphys/base/limits";
import { type Action, decide, type Decision, type EngineConfig, type ObservedState } from "@tiphys/engine";
import { ENGINE_CONFIG } from "../../simulate/engine_config.ts";

const NOW = new Date("2026-01-01T01:00:00Z");

const NOTHING: ObservedState = {
  pods: new Map(),
  taskResults: new Map(),
  claims: new Map(),
  refusals: new Map(),
  readConfigMaps: new Map(),
  garbage: { pods: new Map(), vanished: new Map(), reports: new Map() },
  workflowTemplate: () => undefined,
  clusterWorkflowTemplate: () => undefined,
  configMap: () => undefined,
  serviceAccount: () => undefined,
};

/** A finished workflow whose pods have these output artifacts, by node. */
function workflowWithArtifacts(
  nodes: Record<string, readonly Artifact[]>,
  spec: Workflow["spec"] = {},
  status = {},
): Workflow {
  const entries = Object.entries(nodes).map(([id, artifacts]): [string, NodeStatus] => [id, {
    id,
    name: id,
    displayName: id,
    type: "Pod",
    phase: "Succeeded",
    templateName: "main",
    outputs: { artifacts: [...artifacts] },
  }]);
  return {
    metadata: { name: "w", namespace: "default", uid: "uid-1", finalizers: [FINALIZER.artifactGc] },
    spec: { entrypoint: "main", artifactGC: { strategy: "OnWorkflowCompletion" }, ...spec },
    status: {
      phase: "Succeeded",
      finishedAt: "2026-01-01T00:00:00Z",
      nodes: Object.fromEntries(entries),
      ...status,
    },
  };
}

function collectorsOf(workflow: Workflow, config: Partial<EngineConfig> = {}) {
  const decision: Decision = decide(workflow, NOTHING, NOW, { ...ENGINE_CONFIG, ...config });
  return decision.actions.filter((action): action is Extract<Action, { kind: "createCollector" }> =>
    action.kind === "createCollector"
  );
}

Deno.test("garbage: twenty thousand artifacts are distributed over tasks of bounded size, each in one of them (AR-146)", () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 200 }, (_, node) => [
      `node-${node}`,
      Array.from(
        { length: 100 },
        (_, index) => ({ name: `a-${index}`, s3: { key: `w/${node}/${index}/${"é".repeat(20)}` } }),
      ),
    ]),
  );
  const repository = { s3: { endpoint: "e", bucket: "b", keyFormat: "{{workflow.name}}" } };
  const [collector, ...others] = collectorsOf(
    workflowWithArtifacts(nodes, {}, { artifactRepositoryRef: { artifactRepository: repository } }),
  );
  assertEquals(others, []);
  const { tasks } = collector!;
  assert(tasks.length > 3, `${tasks.length} tasks`);
  const sizes = tasks.map((task) => new TextEncoder().encode(JSON.stringify(task)).length);
  // The text around the artifacts, their names and quotes, is added to the limit.
  assertEquals(sizes.filter((size) => size > 1.3 * LIMITS.garbageTaskBytes), []);
  const all = tasks.flatMap(({ spec }) =>
    Object.entries(spec.artifactsByNode!).flatMap(([node, { artifacts }]) =>
      Object.keys(artifacts!).map((name) => `${node}/${name}`)
    )
  );
  assertEquals([all.length, new Set(all).size], [20_000, 20_000]);
});

Deno.test("garbage: each secret of the stores is mounted once, and a missing one does not prevent the pod", () => {
  const secret = { name: "cred.one", key: "k" };
  const s3 = { endpoint: "e", bucket: "b", accessKeySecret: secret, secretKeySecret: { name: "cred.one", key: "s" } };
  const own = { name: "own", s3: { ...s3, key: "own" } };
  const [collector] = collectorsOf(
    workflowWithArtifacts({ n: [own, { ...own, name: "own-2" }, { name: "plain", s3: { key: "x" } }] }),
  );
  const volumes = collector!.pod.spec.volumes?.filter((volume) => volume.secret);
  assertEquals(volumes, [{
    name: volumes![0]!.name,
    secret: { secretName: "cred.one", items: [{ key: "k", path: "k" }, { key: "s", path: "s" }], optional: true },
  }]);
  assertEquals(
    collector!.pod.spec.containers[0]?.volumeMounts?.find(({ name }) => name === volumes![0]!.name)?.mountPath,
    "/argo/secret/cred.one",
  );
});

Deno.test("garbage: a pod has the workflow's account, placement and patch, or an artifact's own account and labels", () => {
  const spec: Workflow["spec"] = {
    serviceAccountName: "worker",
    imagePullSecrets: [{ name: "registry" }],
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "t", operator: "Exists" }],
    artifactGC: { strategy: "OnWorkflowCompletion", podSpecPatch: '{"priorityClassName": "low"}' },
  };
  const named: Artifact = {
    name: "b",
    s3: { key: "b" },
    artifactGC: { serviceAccountName: "cleaner", podMetadata: { annotations: { x: "y" } } },
  };
  const [usual, other] = collectorsOf(workflowWithArtifacts({ n: [{ name: "a", s3: { key: "a" } }, named] }, spec));
  const { serviceAccountName, imagePullSecrets, nodeSelector, tolerations, priorityClassName } = usual!.pod.spec;
  assertEquals({ serviceAccountName, imagePullSecrets, nodeSelector, tolerations, priorityClassName }, {
    serviceAccountName: "worker",
    imagePullSecrets: [{ name: "registry" }],
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "t", operator: "Exists" }],
    priorityClassName: "low",
  });
  assertEquals([other!.pod.spec.serviceAccountName, other!.pod.metadata.annotations?.x], ["cleaner", "y"]);
});

Deno.test("garbage: an invalid patch creates no pod and sets a condition", () => {
  const spec: Workflow["spec"] = { artifactGC: { strategy: "OnWorkflowCompletion", podSpecPatch: "[" } };
  const { workflow, actions } = decide(
    workflowWithArtifacts({ n: [{ name: "a", s3: { key: "a" } }] }, spec),
    NOTHING,
    NOW,
    ENGINE_CONFIG,
  );
  assertEquals(actions.map(({ kind }) => kind), ["event"]);
  const condition = workflow.status?.conditions?.find(({ type }) => type === "ArtifactGCError");
  assert(condition?.message?.includes("Error applying PodSpecPatch"), condition?.message);
});

Deno.test("garbage: plugins that store artifacts run in the pod that deletes them, with the layout of the cluster", () => {
  const artifactDrivers = [{ name: "mine", image: "plugin:1" }];
  const images = { "plugin:1": { entrypoint: ["/server"] } };
  const workflow = workflowWithArtifacts({
    n: [{ name: "a", plugin: { name: "mine", configuration: "c", key: "a" } }],
  });
  for (const layout of ["initless", "legacy"] as const) {
    const executor = { ...ENGINE_CONFIG.executor, layout, artifactDrivers, images };
    const [collector] = collectorsOf(workflow, { executor });
    const { containers, initContainers = [] } = collector!.pod.spec;
    assertEquals(containers.map(({ name }) => name), ["main", "artifact-plugin-mine"]);
    assertEquals(initContainers.map(({ name }) => name), layout === "legacy" ? ["init"] : []);
    const names = containers[0]!.env?.find(({ name }) => name === "ARGO_ARTIFACT_PLUGIN_NAMES")?.value;
    assertEquals(names, "artifact-plugin-mine");
  }
});

Deno.test("garbage: a forged status of a restricted workflow affects neither account nor location nor secrets", () => {
  const theirs = { endpoint: "attacker", bucket: "b", accessKeySecret: { name: "root", key: "p" } };
  const forged: Workflow["spec"] = {
    artifactGC: {
      strategy: "OnWorkflowCompletion",
      serviceAccountName: "admin",
      podSpecPatch: '{"hostNetwork": true}',
    },
  };
  const workflow = workflowWithArtifacts(
    {
      n: [
        { name: "a", s3: { ...theirs, key: "a" }, artifactGC: { serviceAccountName: "admin" } },
        { name: "own", artifactory: { url: "http://attacker/own", passwordSecret: { name: "root", key: "p" } } },
        { name: "forged", s3: { ...theirs, key: "f" } },
      ],
    },
    { workflowTemplateRef: { name: "t" } },
    { storedWorkflowTemplateSpec: forged },
  );
  const declared = { name: "own", path: "/own", s3: { endpoint: "e", bucket: "mine", key: "{{pod.name}}" } };
  const template = {
    metadata: { name: "t" },
    spec: {
      entrypoint: "main",
      serviceAccountName: "worker",
      templates: [{
        name: "main",
        container: { image: "i" },
        outputs: { artifacts: [{ name: "a", path: "/a" }, declared] },
      }],
    },
  };
  const observed: ObservedState = {
    ...NOTHING,
    workflowTemplate: () => template as ReturnType<ObservedState["workflowTemplate"]>,
  };
  const { spec: { artifactGC: _, ...own }, ...rest } = workflow;
  const asked = { ...rest, spec: { ...own, artifactGC: { strategy: "OnWorkflowCompletion" as const } } };
  const { actions } = decide(asked, observed, NOW, {
    ...ENGINE_CONFIG,
    artifactRepository: { s3: { endpoint: "e", bucket: "b" } },
    templateReferencing: "Strict",
    sealKey: new Uint8Array(32),
  });
  const collector = actions.find((action) => action.kind === "createCollector");
  assert(!JSON.stringify(actions).includes("attacker") && !JSON.stringify(actions).includes("root"));
  const artifacts = collector?.kind === "createCollector" && collector.tasks[0]!.spec.artifactsByNode!.n!.artifacts;
  assertEquals(artifacts && [artifacts.a, artifacts.own!.s3, artifacts.forged], [
    { name: "a", s3: { key: "a" } },
    { endpoint: "e", bucket: "mine", key: "/own" },
    { name: "forged", s3: { key: "f" } },
  ]);
  assertEquals(collector?.kind === "createCollector" && collector.pod.spec.serviceAccountName, "worker");
  assertEquals(collector?.kind === "createCollector" && collector.pod.spec.hostNetwork, undefined);
});

Deno.test("garbage: the archive location of a template is resolved as for its pod", () => {
  const spec: Workflow["spec"] = {
    arguments: { parameters: [{ name: "place", value: "global-bucket" }] },
    templates: [{
      name: "main",
      container: { image: "i" },
      archiveLocation: {
        s3: { endpoint: "e", bucket: "{{workflow.parameters.place}}-{{inputs.parameters.p}}", key: "k" },
      },
    }],
  };
  const workflow = workflowWithArtifacts({ n: [{ name: "a", s3: { key: "a" } }] }, spec);
  workflow.status!.nodes!.n!.inputs = { parameters: [{ name: "p", value: "one" }] };
  const [collector] = collectorsOf(workflow);
  const location = collector!.tasks[0]!.spec.artifactsByNode!.n!.archiveLocation;
  assertEquals(location?.s3?.bucket, "global-bucket-one");
});

Deno.test("garbage: the command of a plugin's image is requested when it is no longer known", () => {
  const artifactDrivers = [{ name: "mine", image: "plugin:1" }];
  const workflow = workflowWithArtifacts({
    n: [{ name: "a", plugin: { name: "mine", configuration: "c", key: "a" } }],
  });
  const executor = { ...ENGINE_CONFIG.executor, artifactDrivers };
  const requests = (looksUpImages: boolean) =>
    decide(workflow, NOTHING, NOW, { ...ENGINE_CONFIG, executor, looksUpImages }).actions.map(({ kind }) => kind);
  assertEquals([requests(true), requests(false)], [["lookUpImage"], ["event"]]);
});
