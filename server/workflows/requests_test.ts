/** Tests invalid and extreme requests to the routes of workflows, and failures of the cluster. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  EVENTS,
  KubeError,
  PODS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { awaitFact } from "../../tests/await_fact.ts";
import { bodyOf, objectOf, pathOf } from "../gate/testing/matrix.ts";
import { ROUTES } from "../table.ts";
import { openServer, requesterFor } from "../testing/answers.ts";
import { archiveBench, endedWorkflow } from "../testing/archive_bench.ts";
import { type Fault, faultyBench } from "../testing/faulty_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";

const PATH = `/api/v1/workflows/${NAMESPACE}`;

/** Creates workflows, and waits until the server's copy contains them. */
async function createWorkflows(bench: ServerBench, ...names: readonly string[]) {
  for (const name of names) await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", name));
  await awaitFact("the server's copy has them", async () => {
    const { json } = await requesterFor(bench, "GET", PATH);
    return names.every((name) =>
      json.items?.some(({ metadata }: { metadata: { name: string } }) => metadata.name === name)
    );
  }, { seconds: 10 });
}

Deno.test("retry: requires exactly the rights on workflows and pods that Argo's roles have", async () => {
  await using bench = await archiveBench(["client"]);
  const { admin, ask, account } = bench.server;
  const { metadata: { uid: _, ...metadata }, ...failed } = endedWorkflow("w", 1);
  await admin.create(WORKFLOWS, NAMESPACE, { ...failed, metadata });
  const report = { apiVersion: "argoproj.io/v1alpha1", kind: "WorkflowTaskResult" };
  const labels = { [LABEL.workflow]: "w" };
  await admin.create(WORKFLOW_TASK_RESULTS, NAMESPACE, { ...report, metadata: { name: "w", labels } });
  const onWorkflows = ["get", "update"].map((verb) => ({ verb, group: "argoproj.io", resource: "workflows" }));
  const { token } = await account([...onWorkflows, { verb: "delete", group: "", resource: "pods" }]);
  const answer = await ask("PUT", `${PATH}/w/retry`, { token, body: "{}" });
  const { status, metadata: made } = await answer.json();
  assertEquals([answer.status, made?.name, status?.nodes], [200, "w", {}]);
});

Deno.test("selectors: an invalid selector is refused before any store is queried", async () => {
  await using server = await openServer();
  for (const selector of ["a=x') or 1=1--", "a=b;drop", "a in (x", "==", "a=" + "x".repeat(64)]) {
    const query = new URLSearchParams({ "listOptions.labelSelector": selector });
    const { status, json } = await server.ask("GET", `${PATH}?${query}`);
    assertEquals([status, json.code], [400, 3], selector);
  }
});

Deno.test("selectors: the error quotes the selector of the client, without the instance that the server adds", async () => {
  await using server = await openServer();
  for (
    const path of [PATH, `/api/v1/workflow-templates/${NAMESPACE}`, `/api/v1/workflow-event-bindings/${NAMESPACE}`]
  ) {
    for (const selector of ["a>x", "a in (", "a=1,", "(a)"]) {
      const { status, json } = await server.ask(
        "GET",
        `${path}?${new URLSearchParams({ "listOptions.labelSelector": selector })}`,
      );
      assertEquals([status, json.code], [400, 3], json.message);
      assertStringIncludes(json.message, `Expected a label selector, got "${selector}": `);
    }
  }
});

Deno.test("lists: negative limits and empty names are ignored as in Argo's server, and contradictions are refused", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, "a", "b");
  const list = (query: string) => server.ask("GET", `${PATH}?${query}`);
  for (
    const query of [
      "listOptions.limit=-1",
      "listOptions.limit=9223372036854775807",
      "listOptions.fieldSelector=metadata.name%3D",
      "listOptions.fieldSelector=metadata.namespace%3D",
      `listOptions.fieldSelector=metadata.namespace%3D${NAMESPACE}`,
      "listOptions.fieldSelector=ext.showRemainingItemCount%3DF",
    ]
  ) {
    const { status, json } = await list(query);
    assertEquals([status, json.items?.length, json.metadata?.continue], [200, 2, undefined], query);
  }
  const other = await list("listOptions.fieldSelector=metadata.namespace%3Dother");
  assertEquals([other.status, other.json.code], [400, 3]);
  assertEquals(
    other.json.message,
    `'namespace' query param ("${NAMESPACE}") and fieldselector 'metadata.namespace' ("other") are both specified and contradict each other`,
  );
  const odd = await list("listOptions.fieldSelector=ext.showRemainingItemCount%3Dmaybe");
  assertEquals([odd.status, odd.json.message], [
    400,
    'ext.showRemainingItemCount: expected true or false, got "maybe"',
  ]);
});

Deno.test("routes: an empty name is a client error for every kind", async () => {
  await using server = await openServer();
  const named = ROUTES.filter(({ path }) => path.includes("{name}"));
  assert(named.length > 20);
  for (const route of named) {
    const path = pathOf(route, "NAME").replaceAll("NAME", "");
    const { status, text } = await server.ask(route.method, path, route.maxBody > 0 ? bodyOf(route, "a") : undefined);
    assert(
      status === 400 || status === 404 || status === 405 || status === 501,
      `${route.id} ${path}: ${status} ${text}`,
    );
  }
  const { status, json } = await server.ask("GET", `${PATH}/`);
  assertEquals([status, json], [400, { code: 3, message: "resource name may not be empty" }]);
});

Deno.test("artifacts: an invalid address returns 404 instead of the page, so that programs do not store the page as a file", async () => {
  await using bench = await serverBench(["server"], { page: () => Promise.resolve(new Response("the page")) });
  for (
    const path of ["/artifacts/a/b", "/artifacts/", "/artifact-files/a/nope/b/c/outputs/d", "/input-artifacts-by-uid/x"]
  ) {
    const response = await bench.ask("GET", path);
    assertEquals([response.status, await response.text()], [404, "not found\n"], path);
  }
  assertEquals(await (await bench.ask("GET", "/workflows/artifacts/x")).text(), "the page");
});

Deno.test("lists: a page with a field mask keeps `continue`", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, "a", "b");
  const { json } = await server.ask("GET", `${PATH}?fields=metadata,items.metadata.namespace&listOptions.limit=1`);
  assertEquals(json.items.map(({ metadata }: { metadata: unknown }) => metadata), [{ namespace: NAMESPACE }]);
  const next = await server.ask("GET", `${PATH}?listOptions.limit=1&listOptions.continue=${json.metadata.continue}`);
  assertEquals([next.json.items.length, next.json.metadata.continue], [1, undefined]);
});

Deno.test("submit, resubmit and retry: unknown parameter names are warnings in a header", async () => {
  await using server = await openServer();
  const { bench } = server;
  const spec = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
  const parameters = [{ name: "epochs", value: "1" }];
  const template = { ...objectOf("WorkflowTemplate", "t"), spec: { ...spec, arguments: { parameters } } };
  await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, template);
  const { metadata: { uid: _, ...metadata }, ...failed } = endedWorkflow("w", 1);
  await bench.admin.create(WORKFLOWS, NAMESPACE, { ...failed, metadata, spec: { ...spec, arguments: { parameters } } });
  const warningOf = async (method: string, path: string, body: unknown) => {
    const answer = await bench.ask(method, `${PATH}/${path}`, { body: JSON.stringify(body) });
    await answer.body?.cancel();
    return [answer.status, answer.headers.get("warning")];
  };
  const submitted = (...parameters: readonly string[]) => ({
    resourceKind: "WorkflowTemplate",
    resourceName: "t",
    submitOptions: { parameters },
  });
  const warning = '299 - "no parameter \\"epoch\\"; did you mean \\"epochs\\"?"';
  assertEquals(await warningOf("POST", "submit", submitted("epoch=2", "epochs=3")), [200, warning]);
  assertEquals(await warningOf("POST", "submit", submitted("epochs=3")), [200, null]);
  assertEquals(await warningOf("PUT", "w/resubmit", { parameters: ["é\r\nx: y=1"] }), [
    200,
    '299 - "no parameter \\"?\\\\r\\\\nx: y\\""',
  ]);
  assertEquals(await warningOf("PUT", "w/resubmit", { parameters: ["epoch=2"] }), [200, warning]);
  assertEquals(await warningOf("PUT", "w/retry", { parameters: ["epoch=2"] }), [200, warning]);
});

Deno.test("create and update: unknown fields are warnings in a header, and refused only by lint", async () => {
  await using server = await openServer();
  const { bench } = server;
  const body = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
  const kinds = [
    ["workflows", "workflow", { ...body, entryPoints: 1 }, "spec.entryPoints"],
    ["workflow-templates", "template", { ...body, entryPoints: 1 }, "spec.entryPoints"],
    [
      "cron-workflows",
      "cronWorkflow",
      { schedules: ["* * * * *"], workflowSpec: { ...body, entryPoints: 1 } },
      "spec.workflowSpec.entryPoints",
    ],
  ] as const;
  for (const [path, field, spec, place] of kinds) {
    const answerOf = async (method: string, suffix: string, version?: string) => {
      const metadata = { name: "odd", namespace: NAMESPACE, resourceVersion: version };
      const answer = await bench.ask(method, `/api/v1/${path}/${NAMESPACE}${suffix}`, {
        body: JSON.stringify({ [field]: { metadata, spec }, oddField: 1 }),
      });
      const { metadata: made, code, message } = await answer.json();
      return { status: answer.status, warning: answer.headers.get("warning"), made, code, message };
    };
    const warning = `299 - "${place}: unknown field \\"entryPoints\\"; did you mean \\"entrypoint\\"?"`;
    const linted = await answerOf("POST", "/lint");
    assertEquals([linted.status, linted.code], [400, 3]);
    assertStringIncludes(linted.message, `${place}: unknown field "entryPoints"`);
    const created = await answerOf("POST", "");
    assertEquals([created.status, created.warning], [200, warning], created.message);
    if (path === "workflows") continue;
    const updated = await answerOf("PUT", "/odd", created.made.resourceVersion);
    assertEquals([updated.status, updated.warning], [200, warning], updated.message);
  }
});

Deno.test("submit: accepts each name of ClusterWorkflowTemplate and each spelling of an option, and the last spelling wins", async () => {
  await using server = await openServer();
  const { bench, ask } = server;
  await bench.admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, objectOf("ClusterWorkflowTemplate", "t"));
  const kinds = ["ClusterWorkflowTemplate", "clusterworkflowtemplate", "clusterworkflowtemplates", "cwftmpl", "cwft"];
  for (const resourceKind of kinds) {
    const submitOptions = { parameters: ["a=", "b=1"], entryPoint: "other", entrypoint: "main" };
    const { json } = await ask("POST", `${PATH}/submit`, { resourceKind, resourceName: "t", submitOptions });
    assertEquals(json.spec?.workflowTemplateRef, { name: "t", clusterScope: true }, JSON.stringify(json));
    assertEquals([json.spec.entrypoint, json.metadata.labels[LABEL.clusterWorkflowTemplate]], ["main", "t"]);
    assertEquals(json.spec.arguments.parameters, [{ name: "a", value: "" }, { name: "b", value: "1" }]);
  }
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };
  const owned = await ask("POST", `${PATH}/submit`, {
    resourceKind: "cwft",
    resourceName: "t",
    submitOptions: { ownerReference: owner, podPriorityClassName: "high" },
  });
  assertEquals(owned.json.metadata?.ownerReferences, [owner], JSON.stringify(owned.json));
  assertEquals(owned.json.spec.podPriorityClassName, "high");
  const nobody = { resourceKind: "cwft", resourceName: "t", submitOptions: { ownerReference: { name: 1 } } };
  assertStringIncludes((await ask("POST", `${PATH}/submit`, nobody)).json.message, "submitOptions.ownerReference.name");
  const lower = { resourceKind: "cwft", resourceName: "t", submitOptions: { entrypoint: "nosuch" } };
  const refused = (await ask("POST", `${PATH}/submit`, lower)).json;
  assertEquals([refused.code, refused.message.includes("nosuch")], [3, true], refused.message);
});

Deno.test("changes: apply to the workflow of the path, regardless of the name in the body", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, "meant", "other");
  const { json } = await server.ask("PUT", `${PATH}/meant/suspend`, { name: "other", namespace: "elsewhere" });
  assertEquals([json.metadata.name, json.spec.suspend], ["meant", true]);
  assertEquals((await server.ask("GET", `${PATH}/other`)).json.spec.suspend, undefined);
});

Deno.test("set: output parameters that are not strings are refused, and nothing is written", async () => {
  await using server = await openServer();
  const node = { id: "w", name: "w", displayName: "w", type: "Suspend", phase: "Running", templateName: "main" };
  const outputs = { parameters: [{ name: "a", globalName: "g", valueFrom: { supplied: {} } }] };
  const status = { phase: "Running", nodes: { w: { ...node, outputs } } };
  await server.bench.admin.create(WORKFLOWS, NAMESPACE, { ...objectOf("Workflow", "w"), status });
  const set = (outputParameters: string) =>
    server.ask("PUT", `${PATH}/w/set`, { nodeFieldSelector: "id=w", outputParameters });
  for (const wrong of ['{"a":1}', "[]", "{", '{"nosuch":"1"}']) {
    const { status, json } = await set(wrong);
    assertEquals([status, json.code], [400, 3], wrong);
  }
  const { json } = await set('{"a":"1"}');
  assertEquals(json.status.nodes.w.outputs.parameters, [{ name: "a", globalName: "g", value: "1" }]);
  assertEquals(json.status.outputs.parameters, [{ name: "g", value: "1" }]);
});

Deno.test("bodies: a body that exceeds the limit of Kubernetes is rejected before it is read", async () => {
  await using server = await openServer();
  const headers = { "content-length": String(LIMITS.bodyBytes + 1) };
  const { status, json } = await requesterFor(server.bench, "POST", PATH, { body: "{}", headers });
  assertEquals([status, json.code], [413, 8]);
});

Deno.test("bodies: too many JSON values are refused before they are created", async () => {
  await using server = await openServer();
  const body = `{"workflow": [${"{},".repeat(LIMITS.jsonValues)}{}]}`;
  const { status, json } = await requesterFor(server.bench, "POST", PATH, { body });
  assertEquals([status, json.message], [400, `the text has more than ${LIMITS.jsonValues} values`]);
});

Deno.test("watch: an Accept header with other types besides events returns lines", async () => {
  await using server = await openServer();
  await createWorkflows(server.bench, "a");
  const left = new AbortController();
  const response = await server.bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`, {
    headers: { accept: "text/event-stream, */*" },
    signal: left.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals([response.headers.get("content-type"), (await reader.read()).value?.startsWith('{"result":')], [
    "application/json",
    true,
  ]);
  await reader.cancel();
  left.abort();
});

Deno.test("watch: Kubernetes events are sent even if an instance is set, since they have no labels", async () => {
  await using server = await openServer({ instanceId: "mine" });
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e" },
    involvedObject: { kind: "Workflow", name: "w", namespace: NAMESPACE },
    reason: "WorkflowRunning",
  };
  await server.bench.admin.create(EVENTS, NAMESPACE, event);
  const left = new AbortController();
  const response = await server.bench.ask("GET", `/api/v1/stream/events/${NAMESPACE}`, { signal: left.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  assertEquals(JSON.parse(value).result.reason, "WorkflowRunning");
  await reader.cancel();
  left.abort();
});

Deno.test("create: the error of a timeout mentions that the workflow may already exist", async () => {
  const timeout: Fault = (method, path) =>
    method === "POST" && path.includes("/workflows")
      ? Response.json({ kind: "Status", code: 504, reason: "Timeout", message: "request timed out" }, { status: 504 })
      : undefined;
  await using bench = await faultyBench(timeout);
  const { metadata: _, ...rest } = objectOf("Workflow", "");
  const { status, json } = await requesterFor(bench, "POST", PATH, {
    body: { workflow: { ...rest, metadata: { generateName: "w-" } } },
  });
  assertEquals([status, json.code], [504, 4]);
  assertStringIncludes(json.message, "create request failed due to timeout, but it's possible that workflow \"w-");
  assertStringIncludes(json.message, '" already exists. Original error: ');
});

Deno.test("cluster: while it is unavailable, lists work and writes fail; afterwards both work", async () => {
  let isAway = false;
  const away: Fault = () => {
    if (isAway) throw new KubeError("connection refused", { status: 0, reason: "NetworkError" });
    return undefined;
  };
  await using bench = await faultyBench(away);
  await createWorkflows(bench, "there");
  const create = (name: string) =>
    requesterFor(bench, "POST", PATH, { body: { workflow: objectOf("Workflow", name) } });
  assertEquals((await create("first")).status, 200);
  isAway = true;
  assertEquals((await requesterFor(bench, "GET", PATH)).status, 200);
  const refused = await create("second");
  assertEquals([refused.status, refused.json.code], [503, 14]);
  isAway = false;
  assertEquals((await create("second")).status, 200);
});

/** Creates a workflow with one completed pod. */
async function withPod(bench: ServerBench, workflow: string, pod: string) {
  await createWorkflows(bench, workflow);
  await bench.admin.create(PODS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pod, namespace: NAMESPACE, labels: { [LABEL.workflow]: workflow } },
    spec: { containers: [{ name: "main", image: "busybox" }, { name: "side", image: "busybox" }], nodeName: "here" },
  });
  const containerStatuses = [{ name: "main", state: { terminated: { exitCode: 0 } } }];
  const status = { phase: "Succeeded", containerStatuses };
  await bench.admin.patch(PODS, NAMESPACE, pod, { status }, "merge", { subresource: "status" });
}

Deno.test("logs: a line of 3 MiB is sent in three entries, and a time is accepted as RFC 3339 or seconds", async () => {
  await using server = await openServer();
  const line = "2026-01-01T00:00:00Z ".padEnd(3 << 20, "x");
  await withPod(server.bench, "w", "p");
  await withPod(server.bench, "v", "q");
  server.bench.api.useKubelet({
    logs: (_namespace, _pod, container, { sinceTime }) => {
      assertEquals(container, "main");
      const text = sinceTime ? `2026-01-01T00:00:00Z since ${Date.parse(String(sinceTime))}` : line;
      return ReadableStream.from([new TextEncoder().encode(`${text}\n`)]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const contents = async (query: string) => {
    const { text } = await server.ask("GET", `${PATH}/w/log?${query}`);
    return text.split("\n").filter(Boolean).map((part) => JSON.parse(part).result.content as string);
  };
  const entries = (await contents("")).map(({ length }) => length);
  assertEquals(entries, [(1 << 20) - "2026-01-01T00:00:00Z ".length, 1 << 20, 1 << 20]);
  const since = await contents("logOptions.sinceTime=2026-11-22T09:26:40Z");
  assertEquals(since, [`since ${Date.parse("2026-11-22T09:26:40Z")}`]);
  assertEquals(await contents(`logOptions.sinceTime.seconds=${Date.parse("2026-11-22T09:26:40Z") / 1000}`), since);
  assertEquals(await contents("podName=q"), []);
  assertEquals(await contents("logOptions.limitBytes=3"), ["xxx"]);
  assertEquals(await contents("logOptions.limitBytes=3&logOptions.timestamps=true"), ["202"]);
  const wrong = await server.ask("GET", `${PATH}/w/log?grep=(`);
  assertStringIncludes(wrong.text, "missing closing )");
  assert(wrong.text.startsWith('{"error":'), wrong.text);
});

Deno.test("streams: an invalid request returns an error with its status", async () => {
  await using server = await openServer();
  await withPod(server.bench, "w", "p");
  for (
    const [path, words] of [
      [`${PATH}/w/log?grep=(`, 'failed to compile \\"(\\": error parsing regexp: missing closing )'],
      [`${PATH}/w/log?selector=a%3D%3D%3Db`, "label selector"],
      [`${PATH}/w/log?logOptions.tailLines=-1`, "expected 0 or more, got -1"],
      [`${PATH}/w/log?logOptions.limitBytes=0`, "expected 1 or more, got 0"],
      [`${PATH}/w/log?logOptions.sinceSeconds=0`, "expected 1 or more, got 0"],
      [`${PATH}/w/log?logOptions.sinceTime.seconds=9007199254740991`, "expected seconds since 1970"],
      [`/api/v1/workflow-events/${NAMESPACE}?listOptions.labelSelector=a+in+(`, 'got \\"a in (\\":'],
      [`/api/v1/workflow-events/${NAMESPACE}?listOptions.resourceVersion=abc`, "must be a number"],
      [`/api/v1/stream/events/${NAMESPACE}?listOptions.fieldSelector=a%3Db%2C%2C`, "field selector"],
    ] as const
  ) {
    const { status, text } = await server.ask("GET", path);
    assertEquals([status, JSON.parse(text).error?.http_code], [400, 400], `${path}: ${text}`);
    assertStringIncludes(text, words);
  }
});
