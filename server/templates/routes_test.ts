/** Tests of the routes of templates and cron workflows. */
import { assertEquals } from "@std/assert";
import { CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { objectOf } from "../gate/testing/matrix.ts";
import { openServer, type ReadAnswer } from "../testing/answers.ts";
import { NAMESPACE } from "../testing/server_bench.ts";
import { TEMPLATE_KINDS } from "./kinds.ts";

const TEMPLATES = `/api/v1/workflow-templates/${NAMESPACE}`;
const CRONS = `/api/v1/cron-workflows/${NAMESPACE}`;

Deno.test("template routes: a body without the object is a client error for every kind", async () => {
  await using server = await openServer();
  await server.bench.admin.create(CRON_WORKFLOWS, NAMESPACE, objectOf("CronWorkflow", "c"));
  const asked = [
    ["POST", `/api/v1/workflows/${NAMESPACE}/lint`],
    ...TEMPLATE_KINDS.map(({ path }) => ["POST", `${path.replace("{namespace}", NAMESPACE)}/lint`] as const),
    ...TEMPLATE_KINDS.map(({ path }) => ["POST", path.replace("{namespace}", NAMESPACE)] as const),
    ["PUT", `${CRONS}/c`],
  ] as const;
  for (const [method, path] of asked) {
    const { status, json } = await server.ask(method, path, {});
    assertEquals([status, json?.code], [400, 3], `${method} ${path}`);
  }
  assertEquals((await server.ask("GET", "/api/v1/version")).status, 200);
});

Deno.test("template routes: an update applies to the object of the path, at the version that was read", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, objectOf("WorkflowTemplate", "t"));
  const other = await ask("PUT", `${TEMPLATES}/t`, { template: objectOf("WorkflowTemplate", "other") });
  assertEquals([other.status, other.json.message], [
    400,
    'template.metadata.name: the path has "t", got "other"',
  ]);
  const template = objectOf("WorkflowTemplate", "t");
  const old = { ...template, metadata: { name: "t", resourceVersion: "1" } };
  const stale = await ask("PUT", `${TEMPLATES}/t`, { template: old });
  assertEquals([stale.status, stale.json.code], [409, 6]);
  const { json: read } = await ask("GET", `${TEMPLATES}/t`);
  assertEquals((await ask("PUT", `${TEMPLATES}/t`, { template: read })).status, 200);
});

Deno.test("template routes: objects of another instance cannot be read or suspended", async () => {
  await using server = await openServer({ instanceId: "mine" });
  const { bench, ask } = server;
  const object = objectOf("CronWorkflow", "theirs");
  const labels = { "workflows.argoproj.io/controller-instanceid": "theirs" };
  await bench.admin.create(CRON_WORKFLOWS, NAMESPACE, { ...object, metadata: { name: "theirs", labels } });
  for (const verb of ["suspend", "resume"]) {
    const { status, json } = await ask("PUT", `${CRONS}/theirs/${verb}`, {});
    assertEquals([status, json], [400, { code: 3, message: "'theirs' is not managed by the current Argo Server" }]);
  }
  assertEquals((await ask("GET", CRONS)).json.items, null);
  const made = await ask("POST", CRONS, { cronWorkflow: objectOf("CronWorkflow", "own") });
  assertEquals(made.json.metadata.labels["workflows.argoproj.io/controller-instanceid"], "mine");
});

Deno.test("cron workflows: after resume, responses omit `suspend`, which is false in the object", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  await bench.admin.create(CRON_WORKFLOWS, NAMESPACE, objectOf("CronWorkflow", "c"));
  assertEquals((await ask("PUT", `${CRONS}/c/suspend`, {})).json.spec.suspend, true);
  const { json: resumed } = await ask("PUT", `${CRONS}/c/resume`, {});
  const { json: read } = await ask("GET", `${CRONS}/c`);
  const { json: listed } = await ask("GET", CRONS);
  const { json: updated } = await ask("PUT", `${CRONS}/c`, {
    cronWorkflow: { ...read, spec: { ...read.spec, suspend: false } },
  });
  for (const { spec } of [resumed, read, listed.items[0], updated]) assertEquals("suspend" in spec, false);
  const stored = await bench.admin.get<{ spec: { suspend?: boolean } }>(CRON_WORKFLOWS, NAMESPACE, "c");
  assertEquals(stored.spec.suspend, false);
});

Deno.test("template routes: with a pattern, each template is listed once, newest first, even if one changes between pages", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  for (const name of ["x-1", "x-2", "other", "x-3", "x-4", "x-5"]) {
    await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, objectOf("WorkflowTemplate", name));
  }
  const names: string[] = [];
  let next = "";
  do {
    const { json } = await ask("GET", `${TEMPLATES}?namePattern=x&listOptions.limit=2&listOptions.continue=${next}`);
    names.push(...json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name));
    next = json.metadata.continue ?? "";
    await bench.admin.patch(WORKFLOW_TEMPLATES, NAMESPACE, "x-5", {
      metadata: { labels: { at: String(names.length) } },
    });
  } while (next);
  assertEquals(names, ["x-5", "x-4", "x-3", "x-2", "x-1"]);
});

Deno.test("routes of one object: the response has the fields that Go's JSON encoder always writes, unless the query contains `stored`", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  const spec = {
    templates: [{
      name: "d",
      data: { source: { artifactPaths: { s3: { bucket: "b", key: "k" } } }, transformation: [] },
    }],
    arguments: { parameters: [{ name: "p", value: true }] },
  };
  const firstOf = ({ spec: { templates: [first], arguments: { parameters: [parameter] } } }: ReadAnswer["json"]) => [
    first.data.source.artifactPaths.name,
    first.inputs,
    parameter.value,
  ];
  const template = { metadata: { name: "t" }, spec };
  const created = await ask("POST", TEMPLATES, { template });
  const read = await ask("GET", `${TEMPLATES}/t`);
  const updated = await ask("PUT", `${TEMPLATES}/t`, { template: read.json });
  const linted = await ask("POST", `${TEMPLATES}/lint`, { template });
  for (const { json } of [created, read, updated, linted]) assertEquals(firstOf(json), ["", {}, "true"]);
  await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, { ...objectOf("WorkflowTemplate", "s"), spec } as KubeObject);
  assertEquals(firstOf((await ask("GET", `${TEMPLATES}/s?stored=true`)).json), [undefined, undefined, true]);
});

Deno.test("cron workflows: an object with an empty status can be read and sent back unchanged", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  await bench.admin.create(CRON_WORKFLOWS, NAMESPACE, objectOf("CronWorkflow", "c"));
  const { json: read } = await ask("GET", `${CRONS}/c`);
  assertEquals(read.status.active, null);
  assertEquals((await ask("PUT", `${CRONS}/c`, { cronWorkflow: read })).status, 200);
  assertEquals((await ask("GET", `${CRONS}/c?stored=true`)).json.status?.active ?? undefined, undefined);
});
