/** Takeovers of installations of different shapes: each row is an installation, and what the command makes of it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, DEPLOYMENTS, KubeError, type KubeObject, NAMESPACES, PODS, WORKFLOWS } from "@tiphys/kube";
import { NO_REFERENCE } from "@tiphys/language/restrictions";
import type { FakeWorld } from "../testing/fake_world.ts";
import {
  type Behavior,
  canariesOf,
  createInstalledWorld,
  forbid,
  type InstalledDeployment,
  programsOf,
} from "../testing/installed_world.ts";

const EXECUTOR = "docker.io/tiphys/argoexec:v0.1.0";
const CONTROLLER = "docker.io/tiphys/workflow-controller:v0.1.0";
const SERVER = "docker.io/tiphys/argo-server:v0.1.0";

const ARGOS = "quay.io/argoproj/workflow-controller:v4.1.2";
const ARGOS_SERVER = "quay.io/argoproj/argocli:v4.1.2";

/** A controller of Argo's manifests with changes. */
function controller(container: object = {}, more: Partial<InstalledDeployment> = {}): InstalledDeployment {
  return {
    name: "workflow-controller",
    container: { image: ARGOS, command: ["workflow-controller"], args: [], ...container },
    ...more,
  };
}

function server(container: object = {}, more: Partial<InstalledDeployment> = {}): InstalledDeployment {
  return { name: "argo-server", container: { image: ARGOS_SERVER, args: ["server"], ...container }, ...more };
}

const HELM = {
  labels: {
    "app.kubernetes.io/managed-by": "Helm",
    "app.kubernetes.io/instance": "argo",
    "app.kubernetes.io/part-of": "argo-workflows",
    "helm.sh/chart": "argo-workflows-0.45.1",
  },
  annotations: { "meta.helm.sh/release-name": "argo", "meta.helm.sh/release-namespace": "argo" },
};

/** The arguments of the controller in the chart argo-helm. */
function helmArgs(...more: string[]): string[] {
  const executor = ["--executor-image", "quay.io/argoproj/argoexec:v4.1.2"];
  return ["--configmap", "argo-workflows-workflow-controller-configmap", ...executor, "--loglevel", "info", ...more];
}

function helmController(args: string[], more: Partial<InstalledDeployment> = {}): InstalledDeployment {
  const single = { env: [{ name: "LEADER_ELECTION_DISABLE", value: "true" }] };
  return controller({ name: "controller", args, ...single }, {
    name: "argo-workflows-workflow-controller",
    metadata: HELM,
    spec: { strategy: { type: "Recreate" } },
    ...more,
  });
}

function configMap(name: string, data: Record<string, string>): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "argo" }, data } as KubeObject;
}

interface Row {
  readonly title: string;
  readonly installed: readonly InstalledDeployment[];
  readonly maps?: readonly KubeObject[];
  readonly behavior?: Behavior;
  /** The images and arguments after `--apply`, by Deployment. */
  readonly after: Readonly<Record<string, string>>;
  /** The canaries, as `NAMESPACE INSTANCE`. */
  readonly canaries?: readonly string[];
  /** Texts of the output. */
  readonly prints?: readonly string[];
}

const APPLIED: readonly Row[] = [
  {
    title: "install.yaml of the whole cluster",
    installed: [controller(), server()],
    after: {
      "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`,
      "argo-server": `${SERVER} server`,
    },
    prints: ["Preflight: 0 problems, 0 warnings", "a canary verifies"],
  },
  {
    title: "namespace-install.yaml: the preflight and the canary stay in the namespace",
    installed: [controller({ args: ["--namespaced"] }), server({ args: ["server", "--namespaced"] })],
    after: {
      "workflow-controller": `${CONTROLLER} --namespaced --executor-image ${EXECUTOR}`,
      "argo-server": `${SERVER} server --namespaced`,
    },
    canaries: ["argo"],
  },
  {
    title: "managed-namespace-install: the canary is in the managed namespace",
    installed: [controller({ args: ["--namespaced", "--managed-namespace=team"] })],
    after: {
      "workflow-controller": `${CONTROLLER} --namespaced --managed-namespace=team --executor-image ${EXECUTOR}`,
    },
    canaries: ["team"],
    prints: ["Workflow in namespace team: a canary verifies the takeover"],
  },
  {
    title: "--managed-namespace without --namespaced has no effect, as in Argo",
    installed: [controller({ args: ["--managed-namespace", "team"] })],
    after: { "workflow-controller": `${CONTROLLER} --managed-namespace team --executor-image ${EXECUTOR}` },
    canaries: ["argo"],
  },
  {
    title: "flags in environment variables",
    installed: [
      controller({
        env: [{ name: "ARGO_NAMESPACED", value: "true" }, { name: "ARGO_MANAGED_NAMESPACE", value: "team" }],
      }),
    ],
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
    canaries: ["team"],
  },
  {
    title: "quick-start: databases and stores alongside stay unchanged",
    installed: [
      controller(),
      server({ args: ["server", "--namespaced", "--auth-mode", "server"] }),
      { name: "minio", container: { image: "quay.io/minio/minio", command: ["minio", "server"], args: ["/data"] } },
      { name: "postgres", container: { image: "postgres:12-alpine" } },
      { name: "mysql", container: { image: "mysql:8" } },
      { name: "dex", container: { image: "quay.io/dexidp/dex:v2.23.0", args: ["serve", "/data/config.yaml"] } },
    ],
    after: {
      "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`,
      "argo-server": `${SERVER} server --namespaced --auth-mode server`,
      minio: "quay.io/minio/minio /data",
      postgres: "postgres:12-alpine",
      mysql: "mysql:8",
      dex: "quay.io/dexidp/dex:v2.23.0 serve /data/config.yaml",
    },
  },
  {
    title: "argo-helm: the ConfigMap is the one that the arguments name, with its instance ID",
    installed: [
      helmController(helmArgs()),
      server({ args: ["server", "--configmap=argo-workflows-workflow-controller-configmap", "--secure=false"] }, {
        name: "argo-workflows-server",
        metadata: HELM,
      }),
    ],
    maps: [configMap("argo-workflows-workflow-controller-configmap", { config: "instanceID: blue\n" })],
    after: {
      "argo-workflows-workflow-controller":
        `${CONTROLLER} --configmap argo-workflows-workflow-controller-configmap --loglevel info --executor-image ${EXECUTOR}`,
      "argo-workflows-server":
        `${SERVER} server --configmap=argo-workflows-workflow-controller-configmap --secure=false`,
    },
    canaries: ["argo blue"],
    prints: [
      "Preflight: 0 problems, 0 warnings",
      "helm upgrade argo argo-workflows",
      "--version 0.45.1 --reuse-values",
      "for instance ID blue",
    ],
  },
  {
    title: "argo-helm with singleNamespace, fullnameOverride, two replicas and no server",
    installed: [
      helmController(helmArgs("--namespaced"), { name: "prod-controller", spec: { replicas: 2 } }),
    ].map((deployment) => ({ ...deployment, container: { ...deployment.container, env: [] } })),
    after: {
      "prod-controller": `${CONTROLLER} --configmap argo-workflows-workflow-controller-configmap --loglevel info ` +
        `--namespaced --executor-image ${EXECUTOR}`,
    },
    prints: ["Preflight: 0 problems, 0 warnings"],
  },
  {
    title: "argo-helm with extraArgs and extraContainers: other containers stay unchanged",
    installed: [helmController(helmArgs("--qps", "30"), {
      sidecars: [
        { name: "proxy", image: "registry.corp/workflow-controller-metrics-proxy:v1", args: ["--port=9"] },
        { name: "sync", image: "git-sync:v4", args: ["server"] },
      ],
    })],
    after: {
      "argo-workflows-workflow-controller":
        `registry.corp/workflow-controller-metrics-proxy:v1 --port=9 | git-sync:v4 server | ${CONTROLLER} --configmap ` +
        `argo-workflows-workflow-controller-configmap --loglevel info --qps 30 --executor-image ${EXECUTOR}`,
    },
  },
  {
    title: "images of a private registry, pinned by digest",
    installed: [
      controller({ image: `registry.corp:5000/mirror/argoproj/workflow-controller@sha256:${"a".repeat(64)}` }),
      server({ image: `registry.corp:5000/mirror/argoproj/argocli:v4.1.2@sha256:${"b".repeat(64)}` }),
    ],
    after: {
      "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`,
      "argo-server": `${SERVER} server`,
    },
  },
  {
    title: "images that a vendor has renamed",
    installed: [
      controller({ image: "registry.corp/argo-workflow-controller:4.1.2-r1", command: [] }),
      server({ image: "registry.corp/argo-workflow-cli:4.1.2" }, { name: "ui" }),
    ],
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`, ui: `${SERVER} server` },
  },
  {
    title: "an executor image in one argument, and the last of several",
    installed: [controller({ args: ["--executor-image=a:1", "--executor-image", "b:2", "--loglevel", "debug"] })],
    after: { "workflow-controller": `${CONTROLLER} --loglevel debug --executor-image ${EXECUTOR}` },
  },
  {
    title: "kustomize with a name prefix",
    installed: [controller({}, { name: "prod-workflow-controller", metadata: { labels: { app: "x" } } })],
    after: { "prod-workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
  },
  {
    title: "two controllers with instance IDs: each has its canary",
    installed: [
      controller({ args: ["--configmap", "blue-config"] }, { name: "blue" }),
      controller({ args: ["--configmap", "green-config", "--namespaced", "--managed-namespace", "team"] }, {
        name: "green",
      }),
    ],
    maps: [
      configMap("blue-config", { instanceID: "blue" }),
      configMap("green-config", { config: "instanceID: green" }),
    ],
    after: {
      blue: `${CONTROLLER} --configmap blue-config --executor-image ${EXECUTOR}`,
      green:
        `${CONTROLLER} --configmap green-config --namespaced --managed-namespace team --executor-image ${EXECUTOR}`,
    },
    canaries: ["argo blue", "team green"],
  },
  {
    title: "Argo Events, Argo CD and Argo Rollouts in the same namespace stay unchanged",
    installed: [
      controller(),
      { name: "events", container: { image: "quay.io/argoproj/argo-events:v1.9", args: ["controller"] } },
      { name: "argocd-server", container: { image: "quay.io/argoproj/argocd:v3", args: ["argocd-server"] } },
      { name: "rollouts", container: { image: "quay.io/argoproj/argo-rollouts:v1.8" } },
    ],
    after: {
      "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`,
      events: "quay.io/argoproj/argo-events:v1.9 controller",
      "argocd-server": "quay.io/argoproj/argocd:v3 argocd-server",
      rollouts: "quay.io/argoproj/argo-rollouts:v1.8",
    },
  },
  {
    title: "a server that is scaled to 0",
    installed: [controller(), server({}, { spec: { replicas: 0 } })],
    after: {
      "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}`,
      "argo-server": `${SERVER} server`,
    },
  },
  {
    title: "a namespace with a server only needs no canary",
    installed: [server()],
    after: { "argo-server": `${SERVER} server` },
    canaries: [],
  },
  {
    title: "an Argo that is older than 3.4 is a warning about its pods in flight",
    installed: [controller({ image: "quay.io/argoproj/workflow-controller:v3.3.10" })],
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
    prints: ["0 problems, 1 warning"],
  },
  {
    title: "an Argo that is newer than the compared one is a warning",
    installed: [controller({ image: "quay.io/argoproj/workflow-controller:v4.2.0" })],
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
    prints: ["0 problems, 1 warning"],
  },
  {
    title: "a tag that is not a version, such as latest",
    installed: [controller({ image: "quay.io/argoproj/workflow-controller:latest" })],
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
    prints: ["0 problems, 0 warnings"],
  },
  {
    title: "restrictions that reject the canary show that the controller works",
    installed: [controller()],
    maps: [configMap("workflow-controller-configmap", { workflowRestrictions: "templateReferencing: Strict" })],
    behavior: {
      canary: "Failed",
      message: NO_REFERENCE,
    },
    after: { "workflow-controller": `${CONTROLLER} --executor-image ${EXECUTOR}` },
    prints: ["rejected, as workflowRestrictions require", "The takeover is done"],
  },
];

async function worldOf({ installed, maps = [], behavior }: Pick<Row, "installed" | "maps" | "behavior">) {
  const world = await createInstalledWorld(installed, behavior);
  for (const map of maps) await world.client.create(CONFIGMAPS, "argo", map);
  return world;
}

for (const row of APPLIED) {
  Deno.test(`takeover --apply and --back: ${row.title}`, async () => {
    using world = await worldOf(row);
    const before = await programsOf(world);
    assertEquals(await world.run("takeover", "--apply"), 0, world.errors + world.output);
    assertEquals(await programsOf(world), row.after);
    if (row.canaries) assertEquals(await canariesOf(world, LABEL.instanceId), row.canaries);
    for (const text of row.prints ?? []) assertStringIncludes(world.output, text);
    assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
    assertEquals(await world.run("takeover", "--back"), 0, world.errors);
    assertEquals(await programsOf(world), before);
  });
}

/** Installations that `--apply` does not change, with a part of its output or error. */
const UNCHANGED: readonly (Pick<Row, "title" | "installed"> & { readonly prints: string; readonly ends: string })[] = [
  {
    title: "Argo CD that tracks objects by a label: the field owner shows it",
    installed: [helmController(helmArgs(), {
      metadata: { labels: HELM.labels },
      listed: { managedFields: [{ manager: "argocd-controller", operation: "Update" }] },
    })],
    prints: "Argo CD manages this installation",
    ends: "change the repository as printed above",
  },
  {
    title: "a HelmRelease of Flux",
    installed: [helmController(helmArgs(), {
      metadata: { ...HELM, labels: { ...HELM.labels, "helm.toolkit.fluxcd.io/name": "argo" } },
    })],
    prints: "Flux manages this installation",
    ends: "change the repository as printed above",
  },
  {
    title: "kustomize with a prefix under Argo CD: the patches need names without it",
    installed: [controller({}, {
      name: "prod-workflow-controller",
      metadata: { annotations: { "argocd.argoproj.io/tracking-id": "x" } },
    })],
    prints: "If the kustomization sets a namePrefix or nameSuffix, remove it",
    ends: "change the repository as printed above",
  },
  {
    title: "an operator that controls the Deployment",
    installed: [controller({}, {
      listed: {
        ownerReferences: [
          { apiVersion: "x.y/v1", kind: "DataScienceApplication", name: "ds", uid: "u", controller: true },
        ],
      },
    })],
    prints:
      "problem: Deployment/argo/workflow-controller metadata.ownerReferences: DataScienceApplication/ds controls it",
    ends: "solve the problems above first",
  },
  {
    title: "a controller that is scaled to 0",
    installed: [controller({}, { spec: { replicas: 0 } })],
    prints: "problem: Deployment/argo/workflow-controller spec.replicas: is scaled to 0",
    ends: "solve the problems above first",
  },
  {
    title: "a paused rollout",
    installed: [controller({}, { spec: { paused: true } })],
    prints: "problem: Deployment/argo/workflow-controller spec.paused: rollouts are paused",
    ends: "solve the problems above first",
  },
  {
    title: "a shell as the command of the controller",
    installed: [controller({ command: ["sh", "-c", "exec workflow-controller --loglevel debug"] })],
    prints: "spec.template.spec.containers[].command: the images do not have the command sh",
    ends: "solve the problems above first",
  },
  {
    title: "Argo's command line as the command of the server",
    installed: [server({ command: ["argo"] })],
    prints: "spec.template.spec.containers[].command: the images do not have the command argo",
    ends: "solve the problems above first",
  },
];

for (const { title, installed, prints, ends } of UNCHANGED) {
  Deno.test(`takeover --apply: changes nothing: ${title}`, async () => {
    using world = await createInstalledWorld(installed);
    const before = await programsOf(world);
    assertEquals(await world.run("takeover", "--apply"), 1);
    assertStringIncludes(world.output, prints);
    assertStringIncludes(world.errors, `Nothing was changed: ${ends}`);
    assertEquals(await programsOf(world), before);
    assertEquals(await canariesOf(world, LABEL.instanceId), []);
  });
}

Deno.test("takeover: names the namespaces with a controller if it is in another one", async () => {
  using world = await createInstalledWorld([
    controller({}, { namespace: "team-b" }),
    controller({}, { namespace: "team-a" }),
  ]);
  assertEquals(await world.run("takeover"), 1);
  assertStringIncludes(world.errors, "set --controller-namespace; found in team-a, team-b");
  assertEquals(await world.run("takeover", "--controller-namespace", "team-a"), 0, world.errors);
});

/** Requests that the caller may not make: a pattern, the exit code of `--apply`, and a line about it. */
const FORBIDDEN: readonly [string, RegExp, number, string][] = [
  [
    "list Deployments",
    /GET .*\/deployments/,
    1,
    'Deployments of namespace argo: you may not list deployments; rule to add to your role: {"apiGroups":["apps"]',
  ],
  ["read CRDs", /GET .*\/customresourcedefinitions/, 0, "0 problems, 1 warning"],
  ["read leases", /GET .*\/leases/, 0, "0 problems, 1 warning"],
  ["read ConfigMaps", /GET .*\/configmaps/, 0, "0 problems, 1 warning"],
  ["list templates and workflows", /GET \/apis\/argoproj.io\/v1alpha1\/[a-z]+$/, 0, "0 problems, 4 warnings"],
  ["review access", /POST .*\/subjectaccessreviews/, 0, "you may not create subjectaccessreviews; rule to add"],
  ["read namespaces", /GET \/api\/v1\/namespaces\/[a-z]+$/, 0, "0 problems, 0 warnings"],
];

for (const [what, pattern, code, line] of FORBIDDEN) {
  Deno.test(`takeover --apply: a caller who may not ${what} gets the rule to add`, async () => {
    using world = await createInstalledWorld([controller()]);
    forbid(world, pattern);
    assertEquals(await world.run("takeover", "--apply"), code, world.errors);
    assertStringIncludes(world.output + world.errors, line);
  });
}

for (const [verb, resource] of [["patch", "deployments"], ["create", "workflows"], ["get", "workflows"]] as const) {
  Deno.test(`takeover --apply: a caller who may not ${verb} ${resource} changes nothing and gets the rule to add`, async () => {
    using world = await createInstalledWorld([controller()]);
    const request = world.client.request.bind(world.client);
    world.client.request = async (method, path, options) => {
      const text = JSON.stringify(options?.body ?? {});
      if (path.endsWith("/selfsubjectaccessreviews") && text.includes(`"${verb}"`) && text.includes(`"${resource}"`)) {
        return { status: { allowed: false } } as never;
      }
      return await request(method, path, options);
    };
    const before = await programsOf(world);
    assertEquals(await world.run("takeover", "--apply"), 1);
    assertStringIncludes(world.output, `problem: namespace argo: you may not ${verb} ${resource}; rule to add`);
    assertEquals(await programsOf(world), before);
  });
}

const POLICY = "admission webhook denied the request: images must come from registry.corp";

/** Writes that the API server rejects: a pattern of `METHOD PATH` with its message, and the error of `--apply`. */
const REJECTED: readonly [string, RegExp, string, string][] = [
  ["a policy for Deployments", /PATCH .*\/deployments/, POLICY, `Deployment/argo/workflow-controller: the API server`],
  ["a policy for workflows", /POST .*\/workflows/, POLICY, "canary in namespace argo: the API server rejects it"],
  [
    "a namespace that does not exist",
    /POST .*\/workflows/,
    'namespaces "argo" not found',
    'canary in namespace argo: the API server rejects it: namespaces "argo" not found',
  ],
  [
    "a quota",
    /POST .*\/pods/,
    'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    "canary in namespace argo: the API server rejects its pod",
  ],
  [
    "Pod Security without a label of the namespace",
    /POST .*\/pods/,
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    "canary in namespace argo: the API server rejects its pod",
  ],
];

for (const [what, pattern, message, line] of REJECTED) {
  Deno.test(`takeover: ${what} that would reject the takeover is a problem before anything is changed`, async () => {
    using world = await createInstalledWorld([controller(), server()]);
    const before = await programsOf(world);
    forbid(world, pattern, message);
    for (const flags of [[], ["--apply"]]) {
      assertEquals(await world.run("takeover", ...flags), 1);
      assertStringIncludes(world.output, `problem: ${line}`);
      assertStringIncludes(world.output, message);
      assertStringIncludes(world.errors, "Nothing was changed: solve the problems above first");
    }
    assertEquals(await programsOf(world), before);
  });
}

Deno.test("takeover: a rejection of the canary's pod that settings may prevent is a warning", async () => {
  using world = await createInstalledWorld([controller()]);
  const message = "failed quota: q: must specify limits.cpu for: main";
  forbid(world, /POST .*\/pods/, message);
  assertEquals(await world.run("takeover"), 0, world.errors);
  assertStringIncludes(
    world.output,
    `warning: canary in namespace argo: the API server rejects its pod: ${message}`,
  );
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
});

const POD_REVIEW = { verb: "create", group: "", resource: "pods" };

Deno.test("takeover: the canary's pod is not tried for a caller who may not create pods", async () => {
  using world = await createInstalledWorld([controller()]);
  const request = world.client.request.bind(world.client) as (...args: unknown[]) => Promise<unknown>;
  const reviewing = async (...args: unknown[]) => {
    if (JSON.stringify(args).includes(JSON.stringify({ namespace: "argo", ...POD_REVIEW }))) return { status: {} };
    return await request(...args);
  };
  Object.assign(world.client, { request: reviewing });
  forbid(world, /POST .*\/pods/, 'pods is forbidden: User "x" cannot create resource "pods"');
  assertEquals(await world.run("takeover"), 0, world.errors);
  assertEquals(world.output.includes("rejects its pod"), false, world.output);
});

Deno.test("takeover --apply: a webhook that does not support dry runs is not a problem", async () => {
  using world = await createInstalledWorld([controller()]);
  const patch = world.client.patch.bind(world.client) as (...args: unknown[]) => Promise<unknown>;
  const refusing = (...args: unknown[]) =>
    args[5]
      ? Promise.reject(new KubeError("admission webhook does not support dry run", { status: 400 }))
      : patch(...args);
  Object.assign(world.client, { patch: refusing });
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
});

Deno.test("takeover --back: a caller who may not list pods needs --force", async () => {
  using world = await createInstalledWorld([controller()]);
  const before = await programsOf(world);
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  forbid(world, /GET .*\/pods/);
  assertEquals(await world.run("takeover", "--back"), 1);
  assertStringIncludes(world.errors, "Nothing was changed: you may not list pods");
  assertEquals(await world.run("takeover", "--back", "--force"), 0, world.errors);
  assertEquals(await programsOf(world), before);
});

Deno.test("takeover --back: counts pods in flight in the namespaces that the controllers manage", async () => {
  using world = await createInstalledWorld([controller({ args: ["--namespaced", "--managed-namespace", "team"] })]);
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  for (const namespace of ["team", "other"]) {
    await world.client.create(PODS, namespace, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "one", labels: { [LABEL.workflow]: "wf", [LABEL.completed]: "false" } },
      spec: { containers: [{ name: "main", image: EXECUTOR }] },
    } as KubeObject);
  }
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertStringIncludes(world.output, "1 pod in flight");
});

Deno.test("takeover --back: without a takeover there is nothing to restore", async () => {
  using world = await createInstalledWorld([controller()]);
  assertEquals(await world.run("takeover", "--back"), 1);
  assertStringIncludes(world.errors, "nothing to restore");
});

const BOTH = [controller(), server()];

Deno.test("takeover --apply: an interrupt in a rollout or in the canary returns the installation", async () => {
  // The rollout of the controller is done after one wait, that of the server after two.
  for (const wait of [1, 2, 3]) {
    const onWait = (count: number) => count === wait && world.interrupt();
    using world: FakeWorld = await createInstalledWorld(BOTH, { onWait, canary: "Pending" });
    const before = await programsOf(world);
    assertEquals(await world.run("takeover", "--apply"), 130, world.output);
    assertStringIncludes(world.errors, "The takeover was rolled back: interrupted by SIGINT");
    assertEquals(await programsOf(world), before);
    assertEquals(await world.run("takeover", "--back"), 1);
    assertStringIncludes(world.errors, "nothing to restore");
  }
});

Deno.test("takeover: a process that was killed between two Deployments is completed by --apply, or undone by --back", async () => {
  for (const next of ["--apply", "--back"]) {
    using world = await createInstalledWorld(BOTH);
    const before = await programsOf(world);
    // Neither the server's change nor the rollback reaches the API server.
    const patch = world.client.patch.bind(world.client) as (...args: unknown[]) => Promise<unknown>;
    let isDead = false;
    const dying = async (...args: unknown[]) => {
      isDead ||= args[2] === "argo-server" && JSON.stringify(args[3]).includes(SERVER) && !args[5];
      if (isDead) throw new Error("killed");
      return await patch(...args);
    };
    Object.assign(world.client, { patch: dying });
    assertEquals(await world.run("takeover", "--apply"), 1);
    Object.assign(world.client, { patch });
    assert((await programsOf(world))["workflow-controller"]?.startsWith(CONTROLLER));
    assertEquals(await world.run("takeover", next), 0, world.errors);
    if (next === "--apply") assertEquals(await world.run("takeover", "--back"), 0, world.errors);
    assertEquals(await programsOf(world), before);
  }
});

Deno.test("takeover --back: an obsolete record is ignored after a tool has restored a newer Argo", async () => {
  using world = await createInstalledWorld([controller()]);
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  const newer = "quay.io/argoproj/workflow-controller:v4.1.3";
  const upgrade = { spec: { template: { spec: { containers: [{ name: "workflow-controller", image: newer }] } } } };
  await world.client.patch(DEPLOYMENTS, "argo", "workflow-controller", upgrade, "strategic");
  const before = await programsOf(world);
  assertEquals(await world.run("takeover", "--back"), 1);
  assertStringIncludes(world.errors, "nothing to restore");
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertEquals(await programsOf(world), before);
});

Deno.test("takeover --apply: the canary satisfies the Pod Security Standard restricted where a namespace enforces it", async () => {
  using world = await createInstalledWorld([controller()]);
  await world.client.patch(NAMESPACES, undefined, "argo", {
    metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  });
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  const [canary] = (await world.client.list(WORKFLOWS, "argo")).items;
  const { templates: [main] } = canary!.spec as { templates: { container: { securityContext: object } }[] };
  assertEquals(main?.container.securityContext, {
    runAsNonRoot: true,
    runAsUser: 8737,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  });
});

for (
  const [why, message] of [
    ["a quota", 'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'],
    ["Pod Security", 'pods "x" is forbidden: violates PodSecurity "restricted:latest"'],
    [
      "an image that is not in the cluster",
      "ErrImageNeverPull: Container image is not present with pull policy of Never",
    ],
  ] as const
) {
  Deno.test(`takeover --apply: ${why} that keeps the canary from running is the reason of the rollback`, async () => {
    using world = await createInstalledWorld([controller()], { canary: "Pending", message });
    const before = await programsOf(world);
    assertEquals(await world.run("takeover", "--apply"), 1);
    assertStringIncludes(world.errors, `the canary has not finished after 300 seconds: ${message}`);
    assertEquals(await programsOf(world), before);
  });
}

Deno.test("takeover: rejects a registry and a tag that cannot be part of an image's name", async () => {
  for (
    const flags of [["--registry", "docker.io/tiphys/"], ["--registry", "https://x.y"], ["--tag", "a b"], [
      "--tag",
      "a@sha256:1",
    ]]
  ) {
    using world = await createInstalledWorld([controller()]);
    assertEquals(await world.run("takeover", ...flags), 2, flags.join(" "));
    assertStringIncludes(world.errors, `${flags[0]}: expected`);
  }
});
