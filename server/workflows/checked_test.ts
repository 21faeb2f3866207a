/** Tests which templates are read when an object is checked, and with whose rights. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  httpTransport,
  KubeClient,
  type Transport,
  WORKFLOW_TEMPLATES,
} from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { requesterFor } from "../testing/answers.ts";
import { benchOver, NAMESPACE, serverBench } from "../testing/server_bench.ts";

const API = "argoproj.io/v1alpha1";
const SPEC = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] };
const may = (verb: string, resource: string) => ({ verb, group: "argoproj.io", resource });

/** A specification that calls a template of another object. */
const calling = (name: string, clusterScope = false) => ({
  entrypoint: "main",
  templates: [{ name: "main", steps: [[{ name: "a", templateRef: { name, template: "main", clusterScope } }]] }],
});

/** The four lint routes: path, body with a specification, and the resource that the caller may create. */
const LINTS = [
  { path: `workflows/${NAMESPACE}`, field: "workflow", resource: "workflows" },
  { path: `workflow-templates/${NAMESPACE}`, field: "template", resource: "workflowtemplates" },
  { path: "cluster-workflow-templates", field: "template", resource: "clusterworkflowtemplates" },
  { path: `cron-workflows/${NAMESPACE}`, field: "cronWorkflow", resource: "cronworkflows" },
] as const;

Deno.test("lint: an unreadable template gets the same response whether or not it exists", async () => {
  await using bench = await serverBench();
  const { admin } = bench;
  await admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: API,
    kind: "WorkflowTemplate",
    metadata: { name: "there" },
    spec: SPEC,
  });
  await admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, {
    apiVersion: API,
    kind: "ClusterWorkflowTemplate",
    metadata: { name: "there" },
    spec: SPEC,
  });
  const creating = LINTS.map(({ resource }) => may("create", resource));
  const blind = await bench.account(creating);
  const seeing = await bench.account([
    ...creating,
    may("get", "workflowtemplates"),
    may("get", "clusterworkflowtemplates"),
  ]);
  for (const { path, field, resource } of LINTS) {
    for (const clusterScope of [false, true]) {
      const lint = async (token: string, name: string) => {
        const spec = calling(name, clusterScope);
        const object = {
          metadata: { name: "mine" },
          spec: resource === "cronworkflows" ? { schedules: ["* * * * *"], workflowSpec: spec } : spec,
        };
        const { status, json } = await requesterFor(bench, "POST", `/api/v1/${path}/lint`, {
          token,
          body: { [field]: object },
        });
        return [status, String(json.message ?? "").replaceAll(name, "NAME")] as const;
      };
      const refused = await lint(blind.token, "there");
      assertEquals(refused[0], 403, `${path}: ${refused[1]}`);
      assertEquals(await lint(blind.token, "missing"), refused, path);
      // Cluster templates refer only to cluster templates.
      if (resource === "clusterworkflowtemplates" && !clusterScope) continue;
      assertEquals(await lint(seeing.token, "there"), [200, ""], path);
      const [status, message] = await lint(seeing.token, "missing");
      assertEquals(status, 400, path);
      assertStringIncludes(message, "NAME");
    }
  }
});

Deno.test("create: only the templates that the workflow refers to are read, directly or through others", async () => {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const own = httpTransport({
    server: served.url,
    credentials: () => Promise.resolve({ headers: { authorization: `Bearer ${served.token}` } }),
  });
  const requests: string[] = [];
  const kept: Transport = {
    ...own,
    fetch(path, init) {
      if (path.includes("workflowtemplates")) requests.push(path.replace(/^.*\/v1alpha1\//, ""));
      return own.fetch(path, init);
    },
  };
  const callers = httpTransport({ server: served.url, retriesUnauthorized: false });
  let reviews = 0;
  const anonymous: Transport = {
    ...callers,
    fetch(path, init) {
      if (path.endsWith("/selfsubjectaccessreviews")) reviews++;
      return callers.fetch(path, init);
    },
  };
  const bench = await benchOver({ own: kept, anonymous, admin: new KubeClient(own) }, ["client"]);
  try {
    const template = (name: string, spec: unknown) =>
      bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
        apiVersion: API,
        kind: "WorkflowTemplate",
        metadata: { name },
        spec,
      });
    await template("first", calling("second"));
    await template("second", calling("shared", true));
    await template("unrelated", SPEC);
    await bench.admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, {
      apiVersion: API,
      kind: "ClusterWorkflowTemplate",
      metadata: { name: "shared" },
      spec: SPEC,
    });
    const { token } = await bench.account([may("create", "workflows")]);
    const create = async (name: string, spec: unknown) => {
      const body = { workflow: { metadata: { name }, spec } };
      return (await requesterFor(bench, "POST", `/api/v1/workflows/${NAMESPACE}`, { token, body })).status;
    };
    assertEquals(await create("plain", SPEC), 200);
    assertEquals(requests.splice(0), []);
    assertEquals(await create("calls", calling("first")), 200);
    assertEquals(requests.splice(0), [
      `namespaces/${NAMESPACE}/workflowtemplates/first`,
      `namespaces/${NAMESPACE}/workflowtemplates/second`,
      "clusterworkflowtemplates/shared",
    ]);
    assertEquals(await create("wrong", calling("missing")), 400);
    // The number of requests is bounded, regardless of the number of references.
    const many = {
      entrypoint: "main",
      templates: [{
        name: "main",
        steps: [Array.from({ length: 5_000 }, (_, index) => ({
          name: `s${index}`,
          templateRef: { name: `t${index}`, template: "main" },
        }))],
      }],
    };
    requests.length = 0;
    assertEquals(await create("many", many), 400);
    assertEquals(requests.length < 60, true, `${requests.length} requests`);
    reviews = 0;
    const body = { workflow: { metadata: { name: "many" }, spec: many } };
    assertEquals(
      (await requesterFor(bench, "POST", `/api/v1/workflows/${NAMESPACE}/lint`, { token, body })).status,
      403,
    );
    assertEquals(reviews < 60, true, `${reviews} access reviews`);
  } finally {
    await bench[Symbol.asyncDispose]();
    await served.close();
    api.close();
  }
});

/** A workflow of `steps` steps, each of which refers to the previous one. */
function workflowOf(steps: number) {
  const value = (index: number) => index === 0 ? "x" : `{{steps.s${index - 1}.id}}`;
  const parameters = (index: number) => ({ parameters: [{ name: "p", value: value(index) }] });
  return {
    metadata: { name: "mine" },
    spec: {
      entrypoint: "main",
      templates: [
        {
          name: "main",
          steps: Array.from(
            { length: steps },
            (_, index) => [{ name: `s${index}`, template: "work", arguments: parameters(index) }],
          ),
        },
        { name: "work", inputs: { parameters: [{ name: "p" }] }, container: { image: "busybox" } },
      ],
    },
  };
}

Deno.test("lint: a large object gets the same answer as a small one, from another thread", async () => {
  await using bench = await serverBench(["server"]);
  const lint = async (workflow: unknown) => {
    const { status, json } = await requesterFor(bench, "POST", `/api/v1/workflows/${NAMESPACE}/lint`, {
      body: { workflow },
    });
    return [status, json.message] as const;
  };
  for (const steps of [2, 200]) {
    const workflow = workflowOf(steps);
    assertEquals(await lint(workflow), [200, undefined]);
    const { spec } = workflow;
    const missing = { ...workflow, spec: { ...spec, entrypoint: "missing" } };
    assertEquals(await lint(missing), [400, "spec.entrypoint: template name 'missing' undefined"]);
    const [status, message] = await lint({ ...workflow, spec: { ...spec, parallelism: "x" } });
    assertEquals([status, String(message).startsWith("workflow.spec.parallelism: ")], [400, true]);
  }
});

Deno.test("lint: an object that exceeds the deadline is refused with the limit, and other requests are served meanwhile", async () => {
  await using bench = await serverBench(["server"], { texts: { millis: 50 } });
  const lint = (steps: number) =>
    requesterFor(bench, "POST", `/api/v1/workflows/${NAMESPACE}/lint`, { body: { workflow: workflowOf(steps) } });
  assertEquals((await lint(2)).status, 200);
  let isAnswered = false;
  const large = lint(5_000).finally(() => isAnswered = true);
  assertEquals((await lint(2)).status, 200);
  assertEquals((await requesterFor(bench, "GET", `/api/v1/workflows/${NAMESPACE}`)).status, 200);
  assertEquals(isAnswered, false);
  const { status, json } = await large;
  assertEquals([status, json.message], [
    504,
    "the object cannot be checked: it takes longer than 0.05 s, which is the limit",
  ]);
});
