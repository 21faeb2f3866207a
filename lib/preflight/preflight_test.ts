import { assertEquals } from "@std/assert";
import { handlerTransport, KubeClient } from "../kube/mod.ts";
import type { Finding } from "./finding.ts";
import { preflight } from "./preflight.ts";

const WORKS = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] };

/** A cluster with Argo on it, as far as the preflight looks at it. */
interface Installed {
  readonly deployment?: object;
  readonly settings?: Record<string, string>;
  /** Rights that the account lacks, as `VERB RESOURCE`. */
  readonly lacks?: readonly string[];
  readonly templates?: readonly object[];
  readonly workflows?: readonly object[];
}

function deployment(spec: object = {}, env: object[] = []) {
  return {
    metadata: { name: "workflow-controller", namespace: "argo" },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      ...spec,
      template: {
        spec: {
          serviceAccountName: "argo",
          containers: [{ image: "quay.io/argoproj/workflow-controller:v4.1.2", env }],
        },
      },
    },
  };
}

async function findingsOf(installed: Installed): Promise<{ findings: Finding[]; methods: string[] }> {
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
    if (path.includes("/leases/")) return Response.json({ spec: { holderIdentity: "workflow-controller-abc" } });
    if (path.includes("/configmaps/")) return Response.json({ data: installed.settings ?? {} });
    return Response.json({ metadata: {}, items: lists[last] ?? [] });
  };
  const client = new KubeClient(handlerTransport(answer));
  const findings = await preflight(client, {
    controllerNamespace: "argo",
    configMap: "workflow-controller-configmap",
  });
  client.close();
  return { findings, methods: [...methods] };
}

/** The findings without those that are `ok`. */
async function troubleOf(installed: Installed): Promise<string[]> {
  return (await findingsOf(installed)).findings.filter(({ severity }) => severity !== "ok")
    .map(({ severity, subject, path }) => [severity, subject, path].filter(Boolean).join(" "));
}

Deno.test("a preflight of an install that can be taken over finds nothing to do, says how it is, and only reads", async () => {
  const template = { metadata: { name: "build", namespace: "argo" }, spec: WORKS };
  const { findings, methods } = await findingsOf({ templates: [template], settings: { parallelism: "5" } });
  assertEquals(findings.map(({ check, severity }) => `${check} ${severity}`), [
    "cluster ok",
    "controller ok",
    "lease ok",
    "rights ok",
    "settings ok",
    "objects ok",
  ]);
  assertEquals(methods, ["GET"]);
  assertEquals(findings[2]?.message.includes("workflow-controller-abc"), true);
});

Deno.test("AD-18 a template with a field that nobody knows is named with its path", async () => {
  const spec = { ...WORKS, templates: [{ name: "main", container: { image: "busybox", imagge: "x" } }] };
  const trouble = await troubleOf({ templates: [{ metadata: { name: "build", namespace: "argo" }, spec }] });
  assertEquals(trouble, ["problem WorkflowTemplate/argo/build spec.templates[0].container.imagge"]);
});

Deno.test("a running workflow may refer to a template of its namespace, and not to one of another", async () => {
  const template = { metadata: { name: "shared", namespace: "a" }, spec: WORKS };
  const workflow = (namespace: string) => ({
    metadata: { name: "runs", namespace },
    spec: { workflowTemplateRef: { name: "shared" } },
  });
  assertEquals(await troubleOf({ templates: [template], workflows: [workflow("a")] }), []);
  const [trouble] = await troubleOf({ templates: [template], workflows: [workflow("b")] });
  assertEquals(trouble?.startsWith("problem Workflow/b/runs"), true, trouble);
});

Deno.test("AD-19 a rollout that lets two controllers run at once, without a lease between them, is a warning", async () => {
  const env = [{ name: "LEADER_ELECTION_DISABLE", value: "true" }];
  assertEquals(await troubleOf({ deployment: deployment({}, env) }), []);
  const rolling = deployment({ strategy: { type: "RollingUpdate" } }, env);
  assertEquals(await troubleOf({ deployment: rolling }), [
    "warning Deployment/argo/workflow-controller spec.strategy.type",
  ]);
  assertEquals(await troubleOf({ deployment: deployment({ strategy: { type: "RollingUpdate" } }) }), []);
});

Deno.test("the rights of Argo's own roles are warnings where they are short, and a right that all depends on is a problem", async () => {
  const argos = ["watch serviceaccounts", "create configmaps", "patch configmaps", "patch workflowtasksets/status"];
  const trouble = await troubleOf({ lacks: [...argos, "list nodes"] });
  assertEquals(trouble.map((line) => line.split(" ")[0]), Array(5).fill("warning"));
  assertEquals(await troubleOf({ lacks: ["create pods"] }), ["problem create pods"]);
});

Deno.test("keys of the settings that nobody knows are problems, and those without effect are told, in both forms", async () => {
  const known = { telemetryConfig: "enabled: true", paralelism: "5" };
  const subject = "ConfigMap/argo/workflow-controller-configmap";
  const expected = [`warning ${subject} telemetryConfig`, `problem ${subject} paralelism`];
  assertEquals(await troubleOf({ settings: known }), expected);
  assertEquals(await troubleOf({ settings: { config: "telemetryConfig: {}\nparalelism: 5\n" } }), expected);
});
