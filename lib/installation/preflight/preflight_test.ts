import { assertEquals, assertMatch } from "@std/assert";
import { handlerTransport, KubeClient, type KubeObject } from "@tiphys/kube";
import { type KindName, KINDS } from "@tiphys/model/api";
import { kindOpenAPI } from "@tiphys/model/api/open_api";
import { parseYaml } from "@tiphys/model/yaml";
import { rightsToAdd } from "../../../scripts/argo_roles.ts";
import type { Finding } from "./finding.ts";
import { preflight } from "./preflight.ts";

const WORKS = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] };

/** A cluster with Argo, with the properties that the preflight reads. */
interface ClusterOptions {
  readonly deployment?: object;
  readonly settings?: Record<string, string>;
  /** Permissions that the account lacks, as `VERB RESOURCE`. */
  readonly lacks?: readonly string[];
  readonly crds?: readonly KubeObject[];
  readonly templates?: readonly object[];
  readonly workflows?: readonly object[];
}

function deployment(spec: object = {}, env: object[] = [], args: string[] = []) {
  return {
    metadata: { name: "workflow-controller", namespace: "argo" },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      ...spec,
      template: {
        spec: {
          serviceAccountName: "argo",
          containers: [{
            name: "workflow-controller",
            image: "quay.io/argoproj/workflow-controller:v4.1.2",
            env,
            args,
          }],
        },
      },
    },
  };
}

function notFound(): Response {
  return Response.json({ kind: "Status", code: 404, reason: "NotFound" }, { status: 404 });
}

async function findingsOf(installed: ClusterOptions): Promise<{ findings: Finding[]; methods: string[] }> {
  const methods = new Set<string>();
  const lists: Record<string, readonly object[]> = {
    deployments: [installed.deployment ?? deployment()],
    workflowtemplates: installed.templates ?? [],
    workflows: installed.workflows ?? [],
  };
  const answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const last = path.split("/").at(-1)!;
    if (path === "/version") return Response.json({ major: "1", minor: "36", gitVersion: "v1.36.3" });
    if (last === "subjectaccessreviews") {
      const { spec: { resourceAttributes: { verb, resource, subresource } } } = await request.json();
      const right = `${verb} ${[resource, subresource].filter(Boolean).join("/")}`;
      return Response.json({ status: { allowed: !installed.lacks?.includes(right) } });
    }
    methods.add(request.method);
    if (path.includes("/customresourcedefinitions/")) {
      const crd = installed.crds?.find(({ metadata: { name } }) => name === last);
      return crd ? Response.json(crd) : notFound();
    }
    if (path.includes("/leases/")) return Response.json({ spec: { holderIdentity: "workflow-controller-abc" } });
    if (path.includes("/configmaps/")) return Response.json({ data: installed.settings ?? {} });
    return Response.json({ metadata: {}, items: lists[last] ?? [] });
  };
  const client = new KubeClient(handlerTransport(answer));
  const findings = await preflight(client, { controllerNamespace: "argo" });
  client.close();
  return { findings, methods: [...methods] };
}

/** The findings except those that are `ok`. */
async function troubleOf(installed: ClusterOptions): Promise<string[]> {
  return (await findingsOf(installed)).findings.filter(({ severity }) => severity !== "ok")
    .map(({ severity, subject, path }) => [severity, subject, path].filter(Boolean).join(" "));
}

Deno.test("preflight: an installation that is ready for takeover has no problems, and the checks only read", async () => {
  const template = { metadata: { name: "build", namespace: "argo" }, spec: WORKS };
  const { findings, methods } = await findingsOf({ templates: [template], settings: { parallelism: "5" } });
  assertEquals(findings.map(({ check, severity }) => `${check} ${severity}`), [
    "cluster ok",
    "crds ok",
    "controller ok",
    "lease ok",
    "rights ok",
    "settings ok",
    "objects ok",
  ]);
  assertEquals(methods, ["GET"]);
  assertEquals(findings[3]?.message.includes("workflow-controller-abc"), true);
});

Deno.test("preflight: an unknown field of a template is reported with its path (AD-18)", async () => {
  const spec = { ...WORKS, templates: [{ name: "main", container: { image: "busybox", imagge: "x" } }] };
  const trouble = await troubleOf({ templates: [{ metadata: { name: "build", namespace: "argo" }, spec }] });
  assertEquals(trouble, ["warning WorkflowTemplate/argo/build spec.templates[0].container.imagge"]);
});

Deno.test("preflight: a running workflow may refer to a template in its namespace, but not in another one", async () => {
  const template = { metadata: { name: "shared", namespace: "a" }, spec: WORKS };
  const workflow = (namespace: string) => ({
    metadata: { name: "runs", namespace },
    spec: { workflowTemplateRef: { name: "shared" } },
  });
  assertEquals(await troubleOf({ templates: [template], workflows: [workflow("a")] }), []);
  const [trouble] = await troubleOf({ templates: [template], workflows: [workflow("b")] });
  assertEquals(trouble?.startsWith("warning Workflow/b/runs"), true, trouble);
});

Deno.test("preflight: a rollout that lets two controllers run without a lease is a warning (AD-19)", async () => {
  const env = [{ name: "LEADER_ELECTION_DISABLE", value: "true" }];
  assertEquals(await troubleOf({ deployment: deployment({}, env) }), []);
  const rolling = deployment({ strategy: { type: "RollingUpdate" } }, env);
  assertEquals(await troubleOf({ deployment: rolling }), [
    "warning Deployment/argo/workflow-controller spec.strategy.type",
  ]);
  assertEquals(await troubleOf({ deployment: deployment({ strategy: { type: "RollingUpdate" } }) }), []);
});

Deno.test("preflight: a missing permission is a warning if the controller can do without it, and a problem otherwise", async () => {
  const argos = rightsToAdd().map(({ right }) => right);
  const trouble = await troubleOf({ lacks: argos });
  assertEquals(trouble.toSorted(), argos.map((right) => `warning ${right}`).toSorted());
  assertEquals(await troubleOf({ lacks: ["create pods"] }), ["problem create pods"]);
  // The role of the chart argo-helm allows `create pods/exec` only.
  assertEquals(await troubleOf({ lacks: ["get pods/exec"] }), ["warning get pods/exec"]);
});

Deno.test("preflight: a missing permission is reported with its effect and the rule to add", async () => {
  const { findings } = await findingsOf({ lacks: ["create configmaps", "patch workflowtasksets/status"] });
  const messages = findings.filter(({ check }) => check === "rights").map(({ message }) => message);
  assertEquals(messages.map((message) => message.split("; rule to add to its role: ")[1]), [
    '{"apiGroups":["argoproj.io"],"resources":["workflowtasksets/status"],"verbs":["patch"]}',
    '{"apiGroups":[""],"resources":["configmaps"],"verbs":["create"]}',
  ]);
  assertMatch(messages[1]!, /^system:serviceaccount:argo:argo lacks it: a template or arguments that do not fit into/);
});

Deno.test("preflight: unknown keys of the settings and keys without effect are warnings, in both forms", async () => {
  const known = { telemetryConfig: "enabled: true", paralelism: "5" };
  const subject = "ConfigMap/argo/workflow-controller-configmap";
  const expected = [`warning ${subject} telemetryConfig`, `warning ${subject} paralelism`];
  assertEquals(await troubleOf({ settings: known }), expected);
  assertEquals(await troubleOf({ settings: { config: "telemetryConfig: {}\nparalelism: 5\n" } }), expected);
});

Deno.test("preflight: checks the namespace, the ConfigMap and the lease that a controller uses", async () => {
  const args = ["--namespaced", "--configmap=blue-config"];
  const installed = { deployment: deployment({}, [], args), settings: { instanceID: "blue" } };
  const { findings } = await findingsOf(installed);
  const subjects = findings.map(({ subject }) => subject);
  for (const subject of ["Lease/argo/workflow-controller-blue", "ConfigMap/argo/blue-config", "argo"]) {
    assertEquals(subjects.includes(subject), true, `${subject} in ${subjects.join(", ")}`);
  }
  // A controller of one namespace needs no permission for the whole cluster.
  assertEquals(await troubleOf({ ...installed, lacks: ["list nodes", "watch clusterworkflowtemplates"] }), []);
  assertEquals(await troubleOf({ ...installed, lacks: ["get leases"] }), ["problem get leases"]);
  const single = deployment({}, [{ name: "LEADER_ELECTION_DISABLE", value: "true" }], args);
  assertEquals(await troubleOf({ ...installed, deployment: single, lacks: ["get leases"] }), []);
});

Deno.test("preflight: a version of Argo is a warning if its pods report in annotations, or if it is not compared yet", async () => {
  const versioned = (tag: string) => {
    const image = `quay.io/argoproj/workflow-controller:${tag}`;
    const changed = deployment();
    return { ...changed, spec: { ...changed.spec, template: { spec: { containers: [{ name: "c", image }] } } } };
  };
  const rows: [string, string | undefined][] = [
    ["v2.12.13", "v2.12.13 is older than 3.4: its pods in flight report in annotations"],
    ["v3.3.10", "v3.3.10 is older than 3.4"],
    ["v3.4.0", undefined],
    ["v3.10.1", undefined],
    ["v4.1.9", undefined],
    ["v4.2.0-rc1", "v4.2.0 is newer than 4.1"],
    ["v10.0.0", "v10.0.0 is newer than 4.1"],
    ["latest", undefined],
    ["sha-123", undefined],
  ];
  for (const [tag, expected] of rows) {
    const { findings } = await findingsOf({ deployment: versioned(tag) });
    const found = findings.find(({ check, severity }) => check === "controller" && severity === "warning")?.message;
    assertEquals(found?.slice(0, expected?.length), expected, tag);
  }
});

function crdOf(kind: KindName, schema: object = kindOpenAPI(kind, "argo")): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${KINDS[kind].plural}.argoproj.io` },
    spec: { versions: [{ name: "v1alpha1", served: true, schema: { openAPIV3Schema: schema } }] },
  };
}

const KIND_NAMES = Object.keys(KINDS) as KindName[];

async function crdFindings(crds: readonly KubeObject[]): Promise<string[]> {
  const { findings } = await findingsOf({ crds });
  return findings.filter(({ check }) => check === "crds").map(({ severity, subject, message }) =>
    `${severity} ${subject.replace("CustomResourceDefinition/", "")}: ${message}`
  );
}

Deno.test("preflight: an empty cluster has no problem and no warning", async () => {
  const nothing = { metadata: { name: "other" }, spec: { template: { spec: { containers: [] } } } };
  assertEquals(await troubleOf({ deployment: nothing }), []);
  assertEquals(await crdFindings([]), [
    "ok CustomResourceDefinition: not installed: apply manifests/crds, or manifests/crds-minimal",
  ]);
});

Deno.test("preflight: Argo's CRDs drop the measures of artifacts, which does not cause a warning", async () => {
  const findings = await crdFindings(KIND_NAMES.map((kind) => crdOf(kind)));
  assertEquals(new Set(findings.map((line) => line.split(" ")[0])), new Set(["ok"]));
  assertEquals(
    findings.includes(
      "ok workflowtaskresults.argoproj.io: the API server drops digest, size, objects of artifacts, which Argo does " +
        "not have: nothing depends on them",
    ),
    true,
  );
});

Deno.test("preflight: our own CRDs keep every field", async () => {
  assertEquals(await crdFindings(KIND_NAMES.map((kind) => crdOf(kind, kindOpenAPI(kind)))), [
    "ok argoproj.io: all 8 kinds are served with every field",
  ]);
});

for (const folder of ["crds", "crds-minimal"]) {
  Deno.test(`preflight: the CRDs in manifests/${folder} keep every field`, async () => {
    const root = new URL(`../../../manifests/${folder}/`, import.meta.url);
    const names = [...Deno.readDirSync(root)].map(({ name }) => name).filter((name) => name.startsWith("argoproj.io_"));
    const crds = await Promise.all(names.map(async (name) => {
      const [document] = parseYaml(await Deno.readTextFile(new URL(name, root)));
      return document?.value as KubeObject;
    }));
    assertEquals(await crdFindings(crds), ["ok argoproj.io: all 8 kinds are served with every field"]);
  });
}

Deno.test("preflight: an older CRD is a warning that names the fields it lacks, a missing one is a problem", async () => {
  const own = kindOpenAPI("WorkflowTaskResult");
  const { progress: _, ...properties } = own.properties as Record<string, object>;
  const crds = KIND_NAMES.filter((kind) => kind !== "WorkflowTaskSet").map((kind) =>
    crdOf(kind, kind === "WorkflowTaskResult" ? { ...own, properties } : kindOpenAPI(kind))
  );
  assertEquals(await crdFindings(crds), [
    "problem workflowtasksets.argoproj.io: not installed, although others of argoproj.io are: install it",
    "warning workflowtaskresults.argoproj.io: the API server drops progress: this CRD is older than the fields; install " +
    "a newer one to use them",
  ]);
});
