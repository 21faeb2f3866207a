/** `templateReferencing`: users can run only the administrator's templates, whatever else they submit. */
import { assertEquals } from "@std/assert";
import { ANNOTATION } from "@tiphys/base/constants";
import { PODS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import {
  AS_GUARDED,
  awaitOutcome,
  EVIL,
  makeTemplate,
  notPermittedMessage,
  podsOf,
  restrictedWorld,
  runFacts,
  SEAL_KEY,
  type Submission,
  submit,
} from "./restricted_world.ts";
import type { ControllerWorld } from "./world.ts";

const CHANGED = "WorkflowSpec may not change during execution when the controller is set `templateReferencing: Secure`";
const SECRET = { name: "s", key: "k" };
const EVIL_SPEC = { entrypoint: "main", templates: [EVIL] };
const NODE = { id: "w", name: "w", displayName: "w", templateName: "main", templateScope: "local/" };

/** Submissions that are refused, by what they attempt, each with the final message of the workflow. */
const REFUSED: Record<string, [Submission, string]> = {
  "a patch of the pod": [{ spec: { podSpecPatch: "{}" } }, notPermittedMessage("PodSpecPatch")],
  "another service account": [{ spec: { serviceAccountName: "x" } }, notPermittedMessage("ServiceAccountName")],
  "two overrides": [
    { spec: { serviceAccountName: "x", podSpecPatch: '{"a": 1}' } },
    notPermittedMessage("PodSpecPatch", "ServiceAccountName"),
  ],
  "a template of the same name": [{ spec: { templates: [EVIL] } }, notPermittedMessage("Templates")],
  "a template of another name, as the entry": [
    { spec: { entrypoint: "x", templates: [{ ...EVIL, name: "x" }] } },
    notPermittedMessage("Templates"),
  ],
  "no templates at all": [{ spec: { templates: [] } }, notPermittedMessage("Templates")],
  "defaults of templates": [
    { spec: { templateDefaults: { container: { image: "evil" } } } },
    notPermittedMessage("TemplateDefaults"),
  ],
  "the machine's network": [{ spec: { hostNetwork: true } }, notPermittedMessage("HostNetwork")],
  "the machine's network, disabled": [{ spec: { hostNetwork: false } }, notPermittedMessage("HostNetwork")],
  "root as user": [{ spec: { securityContext: { runAsUser: 0 } } }, notPermittedMessage("SecurityContext")],
  "the machine's files": [
    { spec: { volumes: [{ name: "v", hostPath: { path: "/" } }] } },
    notPermittedMessage("Volumes"),
  ],
  "claims": [
    { spec: { volumeClaimTemplates: [{ metadata: { name: "v" }, spec: {} }] } },
    notPermittedMessage("VolumeClaimTemplates"),
  ],
  "a token": [{ spec: { automountServiceAccountToken: true } }, notPermittedMessage("AutomountServiceAccountToken")],
  "an executor's account": [{ spec: { executor: { serviceAccountName: "x" } } }, notPermittedMessage("Executor")],
  "an exit handler": [{ spec: { onExit: "other" } }, notPermittedMessage("OnExit")],
  "a hook": [
    { spec: { hooks: { exit: { templateRef: { name: "caller", template: "main" } } } } },
    notPermittedMessage("Hooks"),
  ],
  "names of hosts": [
    { spec: { hostAliases: [{ ip: "1.2.3.4", hostnames: ["corp"] }] } },
    notPermittedMessage("HostAliases"),
  ],
  "a resolver": [{ spec: { dnsPolicy: "None", dnsConfig: {} } }, notPermittedMessage("DNSConfig", "DNSPolicy")],
  "machines": [
    { spec: { nodeSelector: { a: "b" }, tolerations: [{ operator: "Exists" }], affinity: {} } },
    notPermittedMessage("Affinity", "NodeSelector", "Tolerations"),
  ],
  "labels of pods": [{ spec: { podMetadata: { labels: { a: "b" } } } }, notPermittedMessage("PodMetadata")],
  "a plugin of the executor": [
    { spec: { executorPlugins: [{ spec: { sidecar: { container: { image: "evil" } } } }] } },
    notPermittedMessage("ExecutorPlugins"),
  ],
  "priority of pods": [{ spec: { podPriorityClassName: "system" } }, notPermittedMessage("PodPriorityClassName")],
  "a scheduler": [{ spec: { schedulerName: "x" } }, notPermittedMessage("SchedulerName")],
  "resources and retries": [
    { spec: { podResources: {}, resourceClaims: [], retryStrategy: {} } },
    notPermittedMessage("PodResources", "ResourceClaims", "RetryStrategy"),
  ],
  "locks": [{ spec: { synchronization: {} } }, notPermittedMessage("Synchronization")],
  "secrets for images": [{ spec: { imagePullSecrets: [{ name: "x" }] } }, notPermittedMessage("ImagePullSecrets")],
  "a repository": [
    { spec: { artifactRepositoryRef: { configMap: "x" } } },
    notPermittedMessage("ArtifactRepositoryRef"),
  ],
  "the pod that deletes artifacts": [
    { spec: { artifactGC: { strategy: "Never", podSpecPatch: "{}", serviceAccountName: "x", podMetadata: {} } } },
    notPermittedMessage("ArtifactGC.PodMetadata", "ArtifactGC.PodSpecPatch", "ArtifactGC.ServiceAccountName"),
  ],
  "the pod that deletes one artifact": [
    { spec: { arguments: { artifacts: [{ name: "a", artifactGC: { serviceAccountName: "x" } }] } } },
    notPermittedMessage("Arguments.Artifacts.ArtifactGC.ServiceAccountName"),
  ],
  "a secret, as an artifact's credentials": [
    { spec: { arguments: { artifacts: [{ name: "a", s3: { key: "k", secretKeySecret: SECRET } }] } } },
    notPermittedMessage("Arguments.Artifacts.S3.SecretKeySecret"),
  ],
  "a secret, sent to a server of one's own": [
    {
      spec: {
        arguments: {
          artifacts: [{ name: "a", http: { url: "https://evil", auth: { basicAuth: { passwordSecret: SECRET } } } }],
        },
      },
    },
    notPermittedMessage("Arguments.Artifacts.HTTP.Auth"),
  ],
  "a bucket that the pod's cloud identity would open": [
    { spec: { arguments: { artifacts: [{ name: "a", gcs: { bucket: "payroll", key: "k" } }] } } },
    notPermittedMessage("Arguments.Artifacts.GCS.Bucket"),
  ],
  "no reference": [
    { spec: { workflowTemplateRef: undefined, ...EVIL_SPEC } },
    "workflows must use workflowTemplateRef to be executed when the controller is in reference mode",
  ],
  "no reference, and a stored spec": [
    {
      spec: { workflowTemplateRef: undefined },
      status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", storedWorkflowTemplateSpec: EVIL_SPEC },
    },
    "workflows must use workflowTemplateRef to be executed when the controller is in reference mode",
  ],
  "a patch of the pod, in a workflow that claims to run": [
    {
      spec: { podSpecPatch: "{}" },
      status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", storedWorkflowTemplateSpec: EVIL_SPEC },
    },
    notPermittedMessage("PodSpecPatch"),
  ],
  "a patch of the pod, in a workflow whose report is awaited": [
    {
      spec: { podSpecPatch: "{}" },
      status: { phase: "Running", nodes: { w: { ...NODE, type: "Pod", phase: "Running", taskResultSynced: false } } },
    },
    notPermittedMessage("PodSpecPatch"),
  ],
  "an entry that only the status has": [
    {
      spec: { entrypoint: "x" },
      status: { storedTemplates: { "local/x": { ...EVIL, name: "x" }, "namespaced/x/x": { ...EVIL, name: "x" } } },
    },
    "invalid spec: template name 'x' undefined",
  ],
  "an entry that only the status has, in a workflow that claims to run": [
    {
      spec: { entrypoint: "x" },
      status: { phase: "Running", storedTemplates: { "local/x": { ...EVIL, name: "x" } } },
    },
    "error in entry template execution: template x not found",
  ],
};

/** Submissions that have no effect, by what they attempt: the template's own pod runs nevertheless. */
const WITHOUT_EFFECT: Record<string, Submission & { readonly underSecure?: string }> = {
  "nothing": {},
  "a stored spec": { status: { storedWorkflowTemplateSpec: EVIL_SPEC } },
  "a stored spec, in a workflow that claims to run": {
    underSecure: CHANGED,
    status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", storedWorkflowTemplateSpec: EVIL_SPEC },
  },
  "a stored spec with a seal of one's own": {
    status: { storedWorkflowTemplateSpec: EVIL_SPEC },
    metadata: { annotations: { [ANNOTATION.storedSpecSeal]: "x".repeat(43) } },
  },
  "a stored spec that is suspended as the workflow": {
    spec: { suspend: false },
    status: { storedWorkflowTemplateSpec: { ...EVIL_SPEC, suspend: false } },
  },
  "a template under the key of one that is referred to": {
    spec: { workflowTemplateRef: { name: "caller" } },
    status: { storedTemplates: { "namespaced/guarded/main": EVIL } },
  },
  "stored templates of all kinds of keys": {
    status: { storedTemplates: { "local/main": EVIL, "cluster/guarded/main": EVIL, main: EVIL } },
  },
  "a patch of nothing, which would undo the template's": { spec: { podSpecPatch: "", serviceAccountName: "" } },
  "directives of a merge": { spec: { arguments: { parameters: [{ name: "text", value: "x" }], $patch: "replace" } } },
  "all that is allowed": {
    spec: {
      arguments: { parameters: [{ name: "text", value: "mine" }] },
      activeDeadlineSeconds: 1000,
      priority: 5,
      ttlStrategy: { secondsAfterCompletion: 100 },
      podGC: { strategy: "OnPodCompletion" },
      volumeClaimGC: { strategy: "OnWorkflowCompletion" },
      archiveLogs: false,
      workflowMetadata: { labels: { mine: "yes" } },
      metrics: { prometheus: [{ name: "m", help: "h", counter: { value: "1" } }] },
      artifactGC: { strategy: "Never" },
    },
  },
  "claims that are something else": {
    status: { persistentVolumeClaims: [{ name: "work", hostPath: { path: "/" } }] },
  },
  "the template of the whole cluster": { spec: { workflowTemplateRef: { name: "guarded", clusterScope: true } } },
};

for (const mode of ["Strict", "Secure"]) {
  Deno.test(`${mode}: a workflow with forbidden fields ends, and no pod of it is created`, async () => {
    await using world = await restrictedWorld(mode);
    await world.startController();
    const cases = Object.entries(REFUSED);
    await Promise.all(cases.map(([, [submission]], index) => submit(world, `w${index}`, submission)));
    const seen = await Promise.all(
      cases.map(async ([title], index) => [title, await awaitOutcome(world, `w${index}`)]),
    );
    assertEquals(Object.fromEntries(seen), Object.fromEntries(cases.map(([title, [, end]]) => [title, end])));
    const phases = await Promise.all(cases.map(async (_, index) => (await world.workflow(`w${index}`)).status?.phase));
    assertEquals<Set<unknown>>(new Set(phases), new Set(["Error", "Failed"] as const));
  });

  Deno.test(`${mode}: other fields that users submit have no effect, or a harmless one`, async () => {
    await using world = await restrictedWorld(mode);
    await world.startController();
    const cases = Object.entries(WITHOUT_EFFECT);
    await Promise.all(cases.map(([, submission], index) => submit(world, `w${index}`, submission)));
    const seen = await Promise.all(cases.map(async ([title, { spec, underSecure }], index) => {
      const pods = await awaitOutcome(world, `w${index}`);
      if (underSecure && mode === "Secure") return [title, pods, underSecure];
      const isCaller = JSON.stringify(spec ?? {}).includes("caller");
      const { image, ...rest } = AS_GUARDED;
      // A template that is referenced from another one brings its image, and nothing of its workflow.
      const expected = isCaller ? { ...rest, image, account: "default", grace: 30 } : AS_GUARDED;
      return [title, typeof pods === "string" ? pods : pods.map(runFacts), [expected]];
    }));
    for (const [title, found, expected] of seen) assertEquals([title, found], [title, expected]);
  });
}

/** Changes the template while a workflow runs. */
async function changeTemplate(world: ControllerWorld): Promise<void> {
  await world.client.patch(WORKFLOW_TEMPLATES, "default", "guarded", {
    spec: { podSpecPatch: JSON.stringify({ terminationGracePeriodSeconds: 8 }) },
  });
}

/** Changes a label, so that the controller reconciles the workflow. */
async function touchWorkflow(world: ControllerWorld, name: string): Promise<void> {
  await world.client.patch(WORKFLOWS, "default", name, { metadata: { annotations: { touched: crypto.randomUUID() } } });
}

Deno.test("Secure: a workflow whose template changes while it runs ends, and so does its pod", async () => {
  await using world = await restrictedWorld("Secure");
  await world.startController();
  await submit(world, "w", {});
  await world.startPod("w");
  await touchWorkflow(world, "w");
  await changeTemplate(world);
  await world.waitUntil("the controller has seen the change", async () => {
    await touchWorkflow(world, "w");
    return (await world.workflow("w")).status?.finishedAt !== undefined;
  });
  const { status } = await world.workflow("w");
  assertEquals([status?.phase, status?.message], ["Error", CHANGED]);
  await world.waitUntil("its containers are ended", () => world.execs.length > 0);
});

Deno.test("Secure: a workflow ends when its parameters are edited while it runs", async () => {
  await using world = await restrictedWorld("Secure");
  await world.startController();
  await submit(world, "w", {});
  await world.startPod("w");
  await world.client.patch(WORKFLOWS, "default", "w", {
    spec: { arguments: { parameters: [{ name: "text", value: "other" }] }, suspend: true },
  });
  assertEquals((await world.awaitEnd("w")).status?.message, CHANGED);
});

Deno.test("Strict: a workflow continues with the original template when the template changes, also after a restart", async () => {
  await using world = await restrictedWorld("Strict");
  await world.startController();
  await submit(world, "w", { spec: { suspend: true } });
  await world.waitUntil("the workflow is running", async () => (await world.workflow("w")).status?.phase === "Running");
  await world.stopController();
  await changeTemplate(world);
  await world.startController();
  await world.client.patch(WORKFLOWS, "default", "w", { spec: { suspend: null } });
  assertEquals(runFacts(await world.awaitPod("w")), AS_GUARDED);
});

Deno.test("Strict: a controller that lost its key reads the template again", async () => {
  await using world = await restrictedWorld("Strict");
  await world.startController();
  await submit(world, "w", { spec: { suspend: true } });
  await world.waitUntil("the workflow is running", async () => (await world.workflow("w")).status?.phase === "Running");
  await world.stopController();
  await changeTemplate(world);
  world.configure({ sealKey: new Uint8Array(32) });
  await world.startController();
  await world.client.patch(WORKFLOWS, "default", "w", { spec: { suspend: null } });
  assertEquals(runFacts(await world.awaitPod("w")), { ...AS_GUARDED, grace: 8 });
});

Deno.test("Secure: a template change while no controller ran is noticed without the key, too", async () => {
  await using world = await restrictedWorld("Secure");
  await world.startController();
  for (const name of ["changed", "same"]) {
    await submit(world, name, { spec: { suspend: true, ...(name === "same" ? CLUSTER_WIDE : {}) } });
    await world.waitUntil(
      "the workflow is running",
      async () => (await world.workflow(name)).status?.phase === "Running",
    );
  }
  await world.stopController();
  await changeTemplate(world);
  world.configure({ sealKey: new Uint8Array(32) });
  await world.startController();
  assertEquals((await world.awaitEnd("changed")).status?.message, CHANGED);
  await world.client.patch(WORKFLOWS, "default", "same", { spec: { suspend: null } });
  assertEquals(runFacts(await world.awaitPod("same")), AS_GUARDED);
});

const CLUSTER_WIDE = { workflowTemplateRef: { name: "guarded", clusterScope: true } };

Deno.test("Strict: a seal is valid only for its own workflow", async () => {
  await using world = await restrictedWorld("Strict");
  await makeTemplate(world, "lax", { ...EVIL_SPEC, arguments: { parameters: [{ name: "text", value: "x" }] } });
  await world.startController();
  await submit(world, "first", { spec: { workflowTemplateRef: { name: "lax" } } });
  await world.awaitPod("first");
  const { status, metadata: { annotations } } = await world.workflow("first");
  await submit(world, "second", { status: { ...status, nodes: {} }, metadata: { annotations } });
  assertEquals(runFacts(await world.awaitPod("second")), AS_GUARDED);
});

Deno.test("Strict: edits of a running workflow do not affect its next pods, and forbidden ones end it", async () => {
  await using world = await restrictedWorld("Strict");
  await world.startController();
  for (const name of ["stored", "spec", "both", "gone", "exchanged"]) {
    await submit(world, name, { spec: { suspend: true } });
    await world.waitUntil(
      "the workflow is running",
      async () => (await world.workflow(name)).status?.phase === "Running",
    );
  }
  const edit = (name: string, patch: object) => world.client.patch(WORKFLOWS, "default", name, patch);
  await edit("stored", { status: { storedWorkflowTemplateSpec: EVIL_SPEC }, spec: { suspend: null } });
  await edit("spec", { spec: { podSpecPatch: "{}" } });
  await edit("both", {
    status: { storedWorkflowTemplateSpec: { ...EVIL_SPEC, suspend: null }, storedTemplates: { "local/main": EVIL } },
    spec: { suspend: null, entrypoint: "main" },
  });
  await edit("gone", { spec: { workflowTemplateRef: null, templates: [EVIL], suspend: null } });
  await makeTemplate(world, "lax", EVIL_SPEC);
  await edit("exchanged", { spec: { workflowTemplateRef: { name: "lax" }, suspend: null } });
  assertEquals(runFacts(await world.awaitPod("stored")), AS_GUARDED);
  assertEquals((await world.awaitEnd("spec")).status?.message, notPermittedMessage("PodSpecPatch"));
  assertEquals(runFacts(await world.awaitPod("both")), AS_GUARDED);
  assertEquals(
    (await world.awaitEnd("gone")).status?.message,
    "workflows must use workflowTemplateRef to be executed when the controller is in reference mode",
  );
  assertEquals(runFacts(await world.awaitPod("exchanged")), AS_GUARDED);
});

for (const mode of ["Strict", "Secure"]) {
  Deno.test(`${mode}: users can stop, suspend, resume and terminate running workflows`, async () => {
    await using world = await restrictedWorld(mode);
    await world.startController();
    for (const name of ["stopped", "terminated", "resumed"]) {
      await submit(world, name, { spec: { suspend: name === "resumed" } });
      if (name !== "resumed") await world.startPod(name);
    }
    const edit = (name: string, spec: object) => world.client.patch(WORKFLOWS, "default", name, { spec });
    await edit("stopped", { shutdown: "Stop" });
    await edit("terminated", { shutdown: "Terminate" });
    assertEquals((await world.awaitEnd("stopped")).status?.message, "Stopped with strategy 'Stop'");
    assertEquals((await world.awaitEnd("terminated")).status?.message, "Stopped with strategy 'Terminate'");
    await world.waitUntil(
      "the workflow is running",
      async () => (await world.workflow("resumed")).status?.phase === "Running",
    );
    assertEquals(await podsOf(world, "resumed"), []);
    await edit("resumed", { suspend: null });
    await world.awaitPod("resumed");
    await edit("resumed", { suspend: true });
    await world.waitUntil("it is suspended", async () => {
      return (await world.workflow("resumed")).status?.storedWorkflowTemplateSpec?.suspend === true;
    });
  });
}

Deno.test("templateReferencing: with an unknown value no workflow starts, and running ones are left unchanged", async () => {
  await using world = await restrictedWorld("strict");
  await makeTemplate(world, "plain", EVIL_SPEC);
  await world.startController();
  await submit(world, "w", {});
  await submit(world, "plain", { spec: { workflowTemplateRef: undefined, ...EVIL_SPEC } });
  await submit(world, "runs", { status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z" } });
  const message = "no workflow is run: the controller's setting workflowRestrictions.templateReferencing is " +
    '"strict", expected Strict or Secure';
  assertEquals([await awaitOutcome(world, "w"), await awaitOutcome(world, "plain")], [message, message]);
  assertEquals((await world.workflow("runs")).status?.phase, "Running");
  const { items } = await world.client.list(PODS, "default");
  assertEquals(items, []);
});

Deno.test("templateReferencing: a field of the administrator's defaults is not refused as one of the author's", async () => {
  await using world = await restrictedWorld("Strict");
  world.configure({ workflowDefaults: { spec: { hostNetwork: true, nodeSelector: { pool: "workflows" } } } });
  await world.startController();
  await submit(world, "w", {});
  const { spec } = await world.awaitPod("w");
  assertEquals([spec.hostNetwork, spec.nodeSelector], [true, { pool: "workflows" }]);
});

Deno.test("templateReferencing: fields that the administrator opened take effect", async () => {
  await using world = await restrictedWorld("Strict", SEAL_KEY);
  world.configure({ allowedOverrides: new Set(["nodeSelector"]) });
  await world.startController();
  await submit(world, "w", { spec: { nodeSelector: { pool: "mine" } } });
  assertEquals((await world.awaitPod("w")).spec.nodeSelector, { pool: "mine" });
});

for (const templateReferencing of [undefined, "Strict", "Secure"]) {
  Deno.test(`shutdown: a template that is shut down ends its workflows, as in Argo, when templateReferencing is ${templateReferencing}`, async () => {
    await using world = await restrictedWorld(templateReferencing ?? "Strict");
    if (templateReferencing === undefined) world.configure({ templateReferencing });
    const templates = [{ name: "main", container: { image: "guarded:v1", command: ["true"] } }];
    await makeTemplate(world, "over", { entrypoint: "main", shutdown: "Terminate", templates });
    await world.startController();
    await submit(world, "w", { spec: { workflowTemplateRef: { name: "over" } } });
    assertEquals(await awaitOutcome(world, "w"), "Stopped with strategy 'Terminate'");
  });
}
