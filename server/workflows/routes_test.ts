/** Tests of the responses of the routes of workflows. */
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { openServer } from "../testing/answers.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
const PATH = `/api/v1/workflows/${NAMESPACE}`;
const AT = "2026-01-01T00:00:00Z";

function workflow(name: string, more: Record<string, unknown> = {}, labels: Record<string, string> = {}) {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name, labels }, spec: SPEC, ...more };
}

/** Creates workflows, and waits until the server's copy contains them. */
async function createWorkflows(bench: ServerBench, ...workflows: readonly Record<string, unknown>[]) {
  for (const record of workflows) await bench.admin.create(WORKFLOWS, NAMESPACE, record);
  await awaitFact("the server's copy has them", async () => {
    const { items } = await (await bench.ask("GET", PATH)).json();
    return (items ?? []).length >= workflows.length;
  }, { seconds: 10 });
}

const names = (json: { items: Workflow[] | null }) => (json.items ?? []).map(({ metadata }) => metadata.name);

Deno.test("routes: a request without a route returns Argo's error Not Implemented", async () => {
  await using server = await openServer();
  for (const [method, path] of [["GET", "/api/v1/x"], ["PATCH", PATH], ["OPTIONS", PATH]] as const) {
    const { status, text } = await server.ask(method, path);
    assertEquals([status, text], [501, '{"code":12,"message":"Not Implemented"}']);
  }
});

Deno.test("bodies: a body that is not JSON, or not an object, is rejected with code 3", async () => {
  await using server = await openServer();
  const bad = await server.ask("POST", PATH, "{bad");
  assertEquals([bad.status, bad.json.code], [400, 3]);
  const empty = await server.ask("POST", PATH, {});
  assertEquals([empty.status, empty.json], [400, { code: 3, message: "workflow body not specified" }]);
  const wrong = await server.ask("POST", PATH, { workflow: { metadata: { name: 5 }, spec: SPEC } });
  assertEquals([wrong.status, wrong.json.code], [400, 3]);
  assert(wrong.json.message.startsWith("workflow.metadata.name: "), wrong.json.message);
});

Deno.test("bodies: the names of an object's fields are case-insensitive, and stored in the case of the schema", async () => {
  await using server = await openServer();
  const odd = {
    Metadata: { Name: "odd", Labels: { Name: "kept" } },
    Spec: {
      EntryPoint: "main",
      templates: [{ name: "main", Steps: [[{ name: "a", template: "one" }]] }, { name: "one", Suspend: {} }],
    },
  };
  const made = await server.ask("POST", PATH, { workflow: odd });
  assertEquals(made.status, 200, made.text);
  const stored = await server.bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "odd");
  assertEquals([stored.spec.entrypoint, stored.metadata.labels?.Name], ["main", "kept"]);
  assertEquals(stored.spec.templates?.[1], { name: "one", suspend: {} });
  const named = { metadata: { name: "t" }, Spec: { templates: [{ name: "main", Suspend: {} }] } };
  assertEquals((await server.ask("POST", `/api/v1/workflow-templates/${NAMESPACE}`, { template: named })).status, 200);
});

Deno.test("lists: an empty list is null, each page continues the previous one, and a number as continue token skips that many workflows", async () => {
  await using server = await openServer();
  assertEquals((await server.ask("GET", PATH)).json.items, null);
  const started = ["a", "b", "c"].map((name, index) =>
    workflow(name, { status: { phase: "Running", startedAt: `2026-01-01T00:00:0${index}Z` } })
  );
  await createWorkflows(server.bench, ...started);
  const first =
    (await server.ask("GET", `${PATH}?listOptions.limit=2&listOptions.fieldSelector=ext.showRemainingItemCount%3Dtrue`))
      .json;
  assertEquals([names(first), first.metadata.remainingItemCount], [["c", "b"], 1]);
  const next =
    (await server.ask("GET", `${PATH}?listOptions.limit=2&listOptions.continue=${first.metadata.continue}`)).json;
  assertEquals([names(next), next.metadata.continue], [["a"], undefined]);
  assertEquals(names((await server.ask("GET", `${PATH}?listOptions.continue=1`)).json), ["b", "a"]);
  assertEquals(
    (await server.ask("GET", `${PATH}?listOptions.continue=x`)).json.message,
    "listOptions.continue must be int",
  );
  assertEquals(
    (await server.ask("GET", `${PATH}?listOptions.continue=-1`)).json.message,
    "listOptions.continue must >= 0",
  );
  assertEquals((await server.ask("GET", `${PATH}?listOptions.limit=abc`)).status, 400);
  assertEquals((await server.ask("GET", `${PATH}?listOptions.limit=1e%2B06&x=1`)).status, 200);
});

Deno.test("lists: another order holds across pages, and an unknown order is refused", async () => {
  await using server = await openServer();
  const over = (name: string, seconds: number) =>
    workflow(name, {
      status: {
        phase: "Succeeded",
        startedAt: AT,
        finishedAt: `2026-01-01T00:00:${String(seconds).padStart(2, "0")}Z`,
      },
    });
  await createWorkflows(server.bench, over("short", 2), over("long", 40), over("usual", 9), workflow("waits"));
  const found = async (query: string) => (await server.ask("GET", `${PATH}?${query}`)).json;
  assertEquals(names(await found("sort=-duration")), ["long", "usual", "short", "waits"]);
  assertEquals(names(await found("sort=duration")), ["waits", "short", "usual", "long"]);
  assertEquals(names(await found("sort=name")), ["long", "short", "usual", "waits"]);
  assertEquals(names(await found("sort=-finished")), ["waits", "long", "usual", "short"]);
  assertEquals(names(await found("sort=-started")), names(await found("")));
  const counted = "listOptions.fieldSelector=ext.showRemainingItemCount%3Dtrue";
  const first = await found(`sort=-duration&listOptions.limit=2&${counted}`);
  assertEquals([names(first), first.metadata.remainingItemCount], [["long", "usual"], 2]);
  const next = await found(`sort=-duration&listOptions.limit=2&listOptions.continue=${first.metadata.continue}`);
  assertEquals([names(next), next.metadata.continue], [["short", "waits"], undefined]);
  const refused = await server.ask("GET", `${PATH}?sort=colour`);
  assertEquals([refused.status, refused.json.message.startsWith("sort: expected one of started")], [400, true]);
});

Deno.test("lists: labels, names and times select workflows, and unsupported selectors are refused", async () => {
  await using server = await openServer();
  await createWorkflows(
    server.bench,
    workflow("a_b".replace("_", "-"), { status: { phase: "Running", startedAt: AT } }, { team: "x" }),
    workflow("axb", { status: { phase: "Succeeded", startedAt: AT, finishedAt: AT } }, { team: "y" }),
  );
  const found = async (query: Record<string, string>) =>
    names((await server.ask("GET", `${PATH}?${new URLSearchParams(query)}`)).json).sort();
  assertEquals(await found({ "listOptions.labelSelector": "team in (x)" }), ["a-b"]);
  assertEquals(await found({ "listOptions.fieldSelector": "metadata.name=a", nameFilter: "Prefix" }), ["a-b", "axb"]);
  assertEquals(await found({ "listOptions.fieldSelector": "metadata.name=x", nameFilter: "Contains" }), ["axb"]);
  assertEquals(await found({ "listOptions.fieldSelector": "metadata.name=axb", nameFilter: "NotEquals" }), ["a-b"]);
  assertEquals(await found({ "listOptions.fieldSelector": "metadata.name=ax" }), []);
  assertEquals(await found({ finishedBefore: "2026-01-01T05:00:01+05:00" }), ["axb"]);
  assertEquals(await found({ createdAfter: "2020-01-01T00:00:00Z" }), ["a-b", "axb"]);
  const refused = async (query: Record<string, string>) =>
    (await server.ask("GET", `${PATH}?${new URLSearchParams(query)}`)).json.message;
  assertEquals(await refused({ "listOptions.fieldSelector": "foo=bar" }), "unsupported requirement foo=bar");
  assert((await refused({ "listOptions.labelSelector": "==" })).includes("label selector"));
  assert((await refused({ createdAfter: "yesterday" })).includes("RFC 3339"));
});

/** Fields that a workflow has in every response, regardless of the field mask. */
const ALWAYS = { spec: { arguments: {} }, status: { startedAt: null, finishedAt: null } };

Deno.test("fields: a mask keeps exactly the fields that it names, and omits nodes", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, workflow("a", { status: { phase: "Running", nodes: {} } }));
  const { json } = await server.ask("GET", `${PATH}?fields=metadata,items.metadata.namespace`);
  assertEquals(json.items, [{ metadata: { namespace: NAMESPACE }, ...ALWAYS }]);
  const empty = await server.ask("GET", `${PATH}?fields=items.metadata.name&listOptions.labelSelector=none`);
  assertEquals(empty.json, { metadata: {}, items: null });
  // A watch continues from the version of a list, and does not repeat it.
  assert(/^\d+$/.test(json.metadata.resourceVersion), json.metadata.resourceVersion);
  const response = (await server.ask("GET", `${PATH}/a?fields=-spec,status.nodes`)).json;
  assertEquals([response.spec, response.status.phase, response.status.nodes], [ALWAYS.spec, "Running", undefined]);
  assertEquals([response.status.startedAt, (await server.ask("GET", `${PATH}/a`)).json.spec.arguments], [null, {}]);
});

Deno.test("fields: waitsOnly is sent only if the mask names it", async () => {
  await using server = await openServer();
  const node = (type: string) => ({ id: type, name: type, displayName: type, type, phase: "Running" });
  const running = (name: string, ...types: string[]) =>
    workflow(name, {
      status: { phase: "Running", nodes: Object.fromEntries(types.map((type) => [type, node(type)])) },
    });
  await createWorkflows(server.bench, running("waits", "Steps", "Suspend"));
  await createWorkflows(server.bench, running("works", "Suspend", "Pod"));
  const fields = "result.object.metadata.name,result.object.status.waitsOnly";
  const { json } = await server.ask("GET", `${PATH}?fields=${fields.replaceAll("result.object", "items")}`);
  const waits = { metadata: { name: "waits" }, status: { waitsOnly: true } };
  const works = { metadata: { name: "works" } };
  const listed = [{ ...ALWAYS, ...waits, status: { ...ALWAYS.status, ...waits.status } }, { ...ALWAYS, ...works }];
  const byName = (a: typeof works, b: typeof works) => a.metadata.name.localeCompare(b.metadata.name);
  assertEquals(json.items.sort(byName), listed);
  for (const asked of ["", "?fields=items.status", "?fields=-metadata"]) {
    const { json: { items } } = await server.ask("GET", `${PATH}${asked}`);
    assertEquals(items.map(({ status }: typeof waits) => "waitsOnly" in status), [false, false], asked);
  }
  const left = new AbortController();
  const watched = await server.bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}?fields=${fields}`, {
    signal: left.signal,
  });
  const reader = watched.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.split("\n").length < 3) text += (await reader.read()).value;
  const told = text.trim().split("\n").map((line) => JSON.parse(line).result.object);
  assertEquals(told.sort(byName), [waits, works]);
  await reader.cancel();
  left.abort();
});

Deno.test("create: the labels of the creator are those of the caller, regardless of the object", async () => {
  await using server = await openServer();
  const labels = { [LABEL.creator]: "mallory", [LABEL.creatorEmail]: "m.at.x" };
  const made = (await server.ask("POST", PATH, { workflow: workflow("w", {}, labels) })).json;
  assertEquals(made.metadata.labels, { [LABEL.creator]: "admin" });
  const dry = await server.ask("POST", PATH, {
    workflow: { ...workflow("x"), metadata: { generateName: "x-" } },
    createOptions: { dryRun: ["All"] },
  });
  assertEquals([dry.status, dry.json.metadata.name, dry.json.metadata.labels], [200, undefined, {
    [LABEL.creator]: "admin",
  }]);
  const server2 = await server.ask("POST", PATH, {
    workflow: { ...workflow("x"), metadata: { generateName: "x-" } },
    serverDryRun: true,
  });
  assert(server2.json.metadata.name.startsWith("x-"));
  assertEquals((await server.bench.admin.list(WORKFLOWS, NAMESPACE)).items.length, 1);
});

Deno.test("create: a workflow that is invalid, or has another namespace, is refused with the location of the error", async () => {
  await using server = await openServer();
  const wrong = await server.ask("POST", PATH, {
    workflow: { metadata: { name: "w" }, spec: { ...SPEC, entrypoint: "mian" } },
  });
  assertEquals(wrong.status, 400);
  assert(wrong.json.message.includes("mian"), wrong.json.message);
  const elsewhere = await server.ask("POST", PATH, {
    workflow: { ...workflow("w"), metadata: { name: "w", namespace: "other" } },
  });
  assertEquals([elsewhere.status, elsewhere.json.code], [400, 3]);
});

Deno.test("submit: accepts each kind by each of its names", async () => {
  await using server = await openServer();
  await server.bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "t" },
    spec: SPEC,
  });
  await server.bench.admin.create(CRON_WORKFLOWS, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name: "c" },
    spec: { schedules: ["* * * * *"], workflowSpec: SPEC },
  });
  for (const resourceKind of ["WorkflowTemplate", "workflowtemplate", "workflowtemplates", "wftmpl"]) {
    const submitOptions = { parameters: ["a=b=c"], labels: "x=1,y=2", entryPoint: "main", priority: 3 };
    const { json } = await server.ask("POST", `${PATH}/submit`, { resourceKind, resourceName: "t", submitOptions });
    assert(json.metadata.name.startsWith("t-"), JSON.stringify(json));
    assertEquals(json.spec.arguments.parameters, [{ name: "a", value: "b=c" }]);
    assertEquals([json.metadata.labels.x, json.spec.workflowTemplateRef.name, json.spec.priority], ["1", "t", 3]);
  }
  const cron = (await server.ask("POST", `${PATH}/submit`, { resourceKind: "cronwf", resourceName: "c" })).json;
  assertEquals(cron.metadata.labels[LABEL.cronWorkflow], "c");
  const refused = async (body: unknown) => (await server.ask("POST", `${PATH}/submit`, body)).json.message;
  assertEquals(
    await refused({ resourceKind: "Pod", resourceName: "t" }),
    "Resource kind 'Pod' is not supported for submitting",
  );
  assertEquals(
    await refused({ resourceKind: "wftmpl", resourceName: "t", submitOptions: { parameters: ["a"] } }),
    "expected parameter of the form: NAME=VALUE. Received: a",
  );
});

Deno.test("suspend, resume, stop and terminate: record the caller, and refuse completed workflows", async () => {
  await using server = await openServer();
  const node = {
    id: "w",
    name: "w",
    displayName: "w",
    type: "Suspend",
    phase: "Running",
    startedAt: AT,
    templateName: "main",
  };
  await createWorkflows(
    server.bench,
    workflow("w", { status: { phase: "Running", nodes: { w: node } } }),
    workflow("over", { status: { phase: "Succeeded", startedAt: AT, finishedAt: AT } }),
  );
  const suspended = (await server.ask("PUT", `${PATH}/w/suspend`, {})).json;
  assertEquals([suspended.spec.suspend, suspended.metadata.labels[LABEL.action]], [true, "Suspend"]);
  const again = (await server.ask("PUT", `${PATH}/w/suspend`, {})).json;
  assertEquals(again.metadata.resourceVersion, suspended.metadata.resourceVersion);
  const resumed = (await server.ask("PUT", `${PATH}/w/resume`, {})).json;
  assertEquals(resumed.status.nodes.w.message, "Resumed by: map[User:admin]");
  const stopped = (await server.ask("PUT", `${PATH}/w/stop`, {})).json;
  assertEquals([stopped.spec.shutdown, stopped.metadata.labels[LABEL.action]], ["Stop", "Stop"]);
  assertEquals((await server.ask("PUT", `${PATH}/w/terminate`, {})).json.spec.shutdown, "Terminate");
  const refused = await server.ask("PUT", `${PATH}/over/stop`, {});
  assertEquals([refused.status, refused.json], [400, {
    code: 9,
    message: `cannot shutdown a completed workflow: workflow: "over", namespace: "${NAMESPACE}"`,
  }]);
  assertEquals(
    (await server.ask("PUT", `${PATH}/over/suspend`, {})).json.message,
    "cannot suspend completed workflows",
  );
  assertEquals(
    (await server.ask("PUT", `${PATH}/w/set`, { nodeFieldSelector: "id=w", phase: "Running" })).json.message,
    "Running is an invalid phase to set to",
  );
});

Deno.test("delete: removes finalizers only with force, and deletes only the object with the given UID", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, { ...workflow("w"), metadata: { name: "w", finalizers: ["example.com/held"] } });
  assertEquals((await server.ask("DELETE", `${PATH}/w?deleteOptions.preconditions.uid=other`)).status, 409);
  assertEquals((await server.ask("DELETE", `${PATH}/w`)).text, "{}");
  assert((await server.ask("GET", `${PATH}/w`)).json.metadata.deletionTimestamp);
  assertEquals((await server.ask("DELETE", `${PATH}/w?force=true`)).text, "{}");
  assertEquals((await server.ask("GET", `${PATH}/w`)).status, 404);
});

Deno.test("@latest: is the newest workflow, and is not found if there are no workflows", async () => {
  await using server = await openServer();
  const none = await server.ask("GET", `${PATH}/@latest`);
  assertEquals([none.status, none.json], [404, { code: 5, message: "no workflows found" }]);
  await createWorkflows(server.bench, workflow("a"), workflow("b"));
  assertEquals((await server.ask("GET", `${PATH}/@latest`)).json.metadata.name, "b");
});

Deno.test("lists and watches: contain the fields that Go's JSON encoder always writes", async () => {
  await using server = await openServer();
  const source = { artifactPaths: { s3: { bucket: "b" } } };
  const spec = { entrypoint: "main", templates: [{ name: "main", data: { source, transformation: [] } }] };
  await createWorkflows(server.bench, workflow("a", { spec }));
  const { json } = await server.ask("GET", PATH);
  const [listed] = json.items;
  assertEquals(listed.spec.arguments, {});
  assertEquals([listed.status.startedAt, listed.status.finishedAt], [null, null]);
  assertEquals(listed.spec.templates[0], {
    name: "main",
    inputs: {},
    outputs: {},
    metadata: {},
    data: { source: { artifactPaths: { name: "", s3: { bucket: "b" } } }, transformation: [] },
  });
  const response = await server.bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  assertEquals(JSON.parse(value).result.object.spec, listed.spec);
  await reader.cancel();
});

Deno.test("watch: sends current workflows and changes, as lines or as events in Argo's format", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, workflow("a"));
  for (
    const [accept, begins, ends] of [["text/event-stream", 'data: {"result":', " \n\n\n"], [
      "*/*",
      '{"result":',
      "\n",
    ]] as const
  ) {
    const left = new AbortController();
    const response = await server.bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`, {
      headers: { accept },
      signal: left.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { value = "" } = await reader.read();
    assert(value.startsWith(begins) && value.endsWith(ends), value);
    const message = JSON.parse(value.replace(/^data: /, ""));
    assertEquals([message.result.type, message.result.object.metadata.name], ["ADDED", "a"]);
    await reader.cancel();
    left.abort();
  }
  await using strict = await serverBench(["client"]);
  const refused = await strict.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`, {
    headers: { accept: "text/event-stream", authorization: "junk" },
  });
  const text = await refused.text();
  assertEquals(refused.status, 401);
  assert(text.startsWith('data: {"error":{"grpc_code":16,"http_code":401,') && text.endsWith(" \n\n\n"), text);
});
