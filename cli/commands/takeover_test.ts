import { assertEquals, assertStringIncludes } from "@std/assert";
import { CONFIGMAPS, DEPLOYMENTS, EVENTS, KubeError, type KubeObject, PODS, WORKFLOWS } from "@tiphys/kube";
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { FakeWorld } from "../testing/fake_world.ts";
import {
  type Behavior,
  createInstalledWorld as createWorld,
  deploymentObject,
  type InstalledDeployment,
  programsOf,
} from "../testing/installed_world.ts";

const OLD = { controller: "quay.io/argoproj/workflow-controller:v4.1.2", server: "quay.io/argoproj/argocli:v4.1.2" };
const NEW = {
  controller: "docker.io/tiphys/workflow-controller:v0.1.0",
  server: "docker.io/tiphys/argo-server:v0.1.0",
};

function installed(
  program: keyof typeof OLD,
  args: readonly string[],
  metadata: Readonly<Record<string, unknown>> = {},
): InstalledDeployment {
  const name = program === "controller" ? "workflow-controller" : "argo-server";
  const command = program === "controller" ? { command: [name] } : {};
  return { name, container: { image: OLD[program], ...command, args }, metadata };
}

/** Creates a world with an installed Argo. */
function createInstalledWorld(metadata: Readonly<Record<string, unknown>> = {}, behavior: Behavior = {}) {
  const args = ["--executor-image", "quay.io/argoproj/argoexec:v4.1.2", "--loglevel", "info"];
  const deployments = [installed("controller", args, metadata), installed("server", ["server"], metadata)];
  return createWorld(deployments, behavior);
}

const BEFORE = {
  "workflow-controller": `${OLD.controller} --executor-image quay.io/argoproj/argoexec:v4.1.2 --loglevel info`,
  "argo-server": `${OLD.server} server`,
};
const AFTER = {
  "workflow-controller": `${NEW.controller} --loglevel info --executor-image docker.io/tiphys/argoexec:v0.1.0`,
  "argo-server": `${NEW.server} server`,
};

Deno.test("takeover: prints the plan and changes nothing without --apply", async () => {
  using world = await createInstalledWorld();
  assertEquals(await world.run("takeover"), 0, world.errors);
  assertStringIncludes(world.output, "Preflight: 0 problems");
  assertStringIncludes(
    world.output,
    `Deployment/argo/workflow-controller: image ${OLD.controller} becomes ${NEW.controller}`,
  );
  assertStringIncludes(world.output, "arguments: --loglevel info --executor-image docker.io/tiphys/argoexec:v0.1.0");
  assertEquals(await programsOf(world), BEFORE);
  assertEquals((await world.client.list(WORKFLOWS, "argo")).items, []);
});

Deno.test("takeover: prints each right that the controller will lack, with its effect and the rule to add", async () => {
  using world = await createInstalledWorld();
  const request = world.client.request.bind(world.client);
  world.client.request = async (method, path, options) => {
    const { resource, verb } = fieldsOf(fieldsOf(fieldsOf(options?.body).spec).resourceAttributes);
    if (resource === "configmaps" && verb === "create") return { status: { allowed: false } } as never;
    return await request(method, path, options);
  };
  assertEquals(await world.run("takeover"), 0, world.errors);
  assertStringIncludes(
    world.output,
    "warning: create configmaps: system:serviceaccount:argo:argo lacks it: a template",
  );
  assertStringIncludes(world.output, `{"apiGroups":[""],"resources":["configmaps"],"verbs":["create"]}`);
});

Deno.test("takeover --apply: replaces the images and runs a canary, and --back restores the earlier state", async () => {
  using world = await createInstalledWorld();
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals(await programsOf(world), AFTER);
  assertStringIncludes(world.output, "the canary succeeded");
  assertEquals(await world.run("takeover"), 0);
  assertStringIncludes(world.output, "Plan: nothing to change");
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertEquals(await programsOf(world), BEFORE);
  assertEquals(await world.run("takeover", "--back"), 1);
  assertStringIncludes(world.errors, "nothing to restore");
});

/** Returns a pod of a workflow with our executor. */
function podInFlight(name: string, labels: Record<string, string> = {}): KubeObject {
  const image = "docker.io/tiphys/argoexec:v0.1.0";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { [LABEL.workflow]: "wf", [LABEL.completed]: "false", ...labels } },
    spec: {
      containers: [{ name: "main", image: "busybox" }],
      volumes: [{ name: "argo-bin", image: { reference: image } }],
    },
  } as KubeObject;
}

Deno.test("takeover --back: is rejected without --force while agents run, because Argo's controller does not read their results", async () => {
  using world = await createInstalledWorld();
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  await world.client.create(PODS, "team", podInFlight("wf-agent", { [LABEL.component]: "agent" }));
  assertEquals(await world.run("takeover", "--back"), 1);
  assertStringIncludes(world.errors, "Nothing was changed: 1 agent in flight (team/wf-agent)");
  assertEquals(await programsOf(world), AFTER);
  assertEquals(await world.run("takeover", "--back", "--force"), 0, world.errors);
  assertEquals(await programsOf(world), BEFORE);
});

Deno.test("takeover --back: reports other pods in flight, except pods of other executors", async () => {
  using world = await createInstalledWorld();
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  const { spec, ...others } = podInFlight("argos", { [LABEL.component]: "agent" });
  await world.client.create(PODS, "team", { ...others, spec: { ...spec as object, volumes: [] } });
  await world.client.create(PODS, "team", podInFlight("ours"));
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertStringIncludes(world.output, "1 pod in flight: they end under Argo");
});

Deno.test("takeover --apply: after a second release, --back still restores the installed Argo", async () => {
  using world = await createInstalledWorld();
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals(await world.run("takeover", "--apply", "--tag", "v9"), 0, world.errors);
  assertStringIncludes((await programsOf(world))["workflow-controller"]!, "workflow-controller:v9");
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertEquals(await programsOf(world), BEFORE);
});

for (
  const [fault, behavior, message] of [
    [
      "a controller that never becomes available",
      { broken: [NEW.controller] },
      "workflow-controller: not available after",
    ],
    ["a server that never becomes available", { broken: [NEW.server] }, "argo-server: not available after"],
    ["a canary that fails", { canary: "Failed" }, "the canary failed: no such image"],
    ["a canary that hangs", { canary: "Pending" }, "the canary has not finished after 300 seconds: no such image"],
  ] as const
) {
  Deno.test(`takeover --apply: ${fault} rolls the installation back`, async () => {
    using world = await createInstalledWorld({}, behavior);
    assertEquals(await world.run("takeover", "--apply"), 1);
    assertStringIncludes(world.errors, message);
    assertEquals(await programsOf(world), BEFORE);
    assertEquals(await world.run("takeover", "--back"), 1);
    assertStringIncludes(world.errors, "nothing to restore");
  });
}

const POD = "pod workflow-controller-1: ";

/** The status and the last event of the controller's pod, and the reason in the error. */
const TROUBLES: readonly [reason: string, status: object, event: readonly [string, string] | undefined][] = [
  [
    "container workflow-controller: ImagePullBackOff: Back-off",
    { containerStatuses: [statusOf({ waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } })] },
    undefined,
  ],
  [
    "container workflow-controller: CreateContainerConfigError: runAsNonRoot",
    { containerStatuses: [statusOf({ waiting: { reason: "CreateContainerConfigError", message: "runAsNonRoot" } })] },
    undefined,
  ],
  [
    'FailedMount: secret "s" not found',
    { containerStatuses: [statusOf({ waiting: { reason: "ContainerCreating" } })] },
    ["FailedMount", 'secret "s" not found'],
  ],
  ["FailedCreatePodSandBox: no IP", {}, ["FailedCreatePodSandBox", "no IP"]],
  [
    "Unhealthy: Readiness probe failed: 403",
    { containerStatuses: [statusOf({ running: { startedAt: "2026-01-01T00:00:00Z" } })] },
    ["Unhealthy", "Readiness probe failed: 403"],
  ],
  [
    "0/1 nodes are available",
    { conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes are available" }] },
    undefined,
  ],
];

function statusOf(state: object): object {
  return { name: "workflow-controller", ready: false, state };
}

for (const [reason, status, event] of TROUBLES) {
  Deno.test(`takeover --apply: the reason why a pod is not ready is part of the error: ${reason}`, async () => {
    using world = await createInstalledWorld({}, { broken: [NEW.controller] });
    const { metadata: { uid } } = await world.client.create(PODS, "argo", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "workflow-controller-1", labels: { app: "workflow-controller" } },
      spec: { containers: [{ name: "workflow-controller", image: NEW.controller }], nodeName: "n" },
    } as KubeObject);
    await world.client.patch(PODS, "argo", "workflow-controller-1", { status }, "merge", { subresource: "status" });
    if (event) {
      await world.client.create(EVENTS, "argo", {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "one" },
        involvedObject: { kind: "Pod", name: "workflow-controller-1", namespace: "argo", uid },
        type: "Warning",
        reason: event[0],
        message: event[1],
      });
    }
    assertEquals(await world.run("takeover", "--apply", "--timeout", "3s"), 1);
    assertStringIncludes(world.errors, `not available after 3 seconds: ${POD}${reason}`);
    assertEquals(await programsOf(world), BEFORE);
  });
}

/** Makes the API server reject the first request for the server's Deployment whose body contains a text. */
function refuse(world: FakeWorld, verb: "get" | "patch", status: number, text = ""): void {
  const request = world.client[verb].bind(world.client) as (...args: unknown[]) => Promise<unknown>;
  let isRefused = false;
  const refusing = async (...args: unknown[]) => {
    const [resource, , name, body = ""] = args;
    if (!isRefused && resource === DEPLOYMENTS && name === "argo-server" && JSON.stringify(body).includes(text)) {
      isRefused = true;
      throw new KubeError("the API server refused that", { status });
    }
    return await request(...args);
  };
  Object.assign(world.client, { [verb]: refusing });
}

Deno.test("takeover --apply: a transient error does not end the wait for a rollout", async () => {
  using world = await createInstalledWorld();
  refuse(world, "get", 503);
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals(await programsOf(world), AFTER);
});

Deno.test("takeover --apply: if one program cannot be rolled back, the others still are, and --back restores it later", async () => {
  using world = await createInstalledWorld({}, { canary: "Failed" });
  refuse(world, "patch", 403, `"image":"${OLD.server}"`);
  assertEquals(await world.run("takeover", "--apply"), 1);
  assertStringIncludes(world.errors, "The rollback failed, too: the API server refused that");
  assertEquals(await programsOf(world), { ...BEFORE, "argo-server": AFTER["argo-server"] });
  assertEquals(await world.run("takeover", "--back"), 0, world.errors);
  assertEquals(await programsOf(world), BEFORE);
});

Deno.test("takeover --apply: rejects a timeout that is not a duration or is 0", async () => {
  for (const timeout of ["soon", "0", "0s"]) {
    using world = await createInstalledWorld();
    assertEquals(await world.run("takeover", "--apply", "--timeout", timeout), 2, timeout);
    assertStringIncludes(world.errors, "--timeout: expected a duration");
    assertEquals(await programsOf(world), BEFORE);
  }
});

for (
  const [tool, metadata, line] of [
    ["Argo CD", { annotations: { "argocd.argoproj.io/tracking-id": "x" } }, "Argo CD manages this installation"],
    ["Flux", { labels: { "kustomize.toolkit.fluxcd.io/name": "x" } }, "Flux manages this installation"],
  ] as const
) {
  Deno.test(`takeover --apply: an installation of ${tool} gets instructions and is not changed`, async () => {
    using world = await createInstalledWorld(metadata);
    assertEquals(await world.run("takeover", "--apply"), 1);
    for (const text of [line, "Values for the chart argo-workflows:", "Patches for a kustomization:"]) {
      assertStringIncludes(world.output, text);
    }
    assertStringIncludes(world.errors, "Nothing was changed");
    assertEquals(await programsOf(world), BEFORE);
  });
}

Deno.test("takeover: an installation of Helm gets the values that its next upgrade needs, and is changed", async () => {
  using world = await createInstalledWorld({
    labels: { "app.kubernetes.io/managed-by": "Helm" },
    annotations: { "meta.helm.sh/release-name": "argo-prod" },
  });
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertStringIncludes(world.output, "helm upgrade argo-prod argo-workflows");
  assertStringIncludes(world.output, "repository: tiphys/workflow-controller");
  assertEquals(await programsOf(world), AFTER);
});

Deno.test("takeover: a namespace without an installation is an error that names it", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("takeover"), 1);
  assertStringIncludes(world.errors, "No workflow-controller or argo-server in namespace argo");
});

Deno.test("takeover: the canary belongs to the instance of the controller", async () => {
  using world = await createInstalledWorld();
  const canaries = async () =>
    (await world.client.list(WORKFLOWS, "argo")).items.map(({ metadata }) => metadata.labels?.[LABEL.instanceId]);
  await world.client.create(CONFIGMAPS, "argo", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap" },
    data: { instanceID: "blue" },
  } as KubeObject);
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals(await canaries(), ["blue"]);
  const { metadata, spec } = deploymentObject(installed("controller", ["--instanceid", "green"]));
  await world.client.patch(DEPLOYMENTS, "argo", metadata.name!, { spec });
  assertEquals(await world.run("takeover", "--apply"), 0, world.errors);
  assertEquals((await canaries()).sort(), ["blue", "green"]);
});
