import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KubeClient } from "./client.ts";
import { classifyError, isBug, KubeError } from "./errors.ts";
import { handlerTransport } from "./handler_transport.ts";
import type { KubeObject } from "./object.ts";
import { CLUSTER_WORKFLOW_TEMPLATES, CONFIGMAPS, PODS, WORKFLOWS } from "./resources.ts";

/** A client that records its requests and gets these responses in order; the last one is repeated. */
function scriptedClient(...answers: (() => Response)[]) {
  const requests: { line: string; body: unknown; type: string | null }[] = [];
  const waits: number[] = [];
  const transport = handlerTransport(async (request) => {
    const text = await request.text();
    const { pathname, search } = new URL(request.url);
    const body = text === "" ? undefined : JSON.parse(text);
    requests.push({ line: `${request.method} ${pathname}${search}`, body, type: request.headers.get("content-type") });
    return (answers.length > 1 ? answers.shift()! : answers[0] ?? (() => Response.json({})))();
  });
  const client = new KubeClient(transport, {
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { client, requests, waits };
}

const busy = (status: number) => () => new Response("{}", { status, headers: { "retry-after": "2" } });

Deno.test("KubeClient: each method sends the corresponding request", async () => {
  const { client, requests } = scriptedClient();
  await client.get(WORKFLOWS, "n", "a");
  await client.list(PODS, undefined, { labelSelector: "a=b", limit: 5 });
  await client.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, {}, { dryRun: true, fieldValidation: "Strict" });
  await client.replace(CONFIGMAPS, "n", { metadata: { name: "a" } });
  await client.patch(PODS, "n", "a", {}, "strategic", { subresource: "status" });
  await client.delete(PODS, "n", "a");
  assertEquals(requests.map(({ line }) => line), [
    "GET /apis/argoproj.io/v1alpha1/namespaces/n/workflows/a",
    "GET /api/v1/pods?labelSelector=a%3Db&limit=5",
    "POST /apis/argoproj.io/v1alpha1/clusterworkflowtemplates?fieldValidation=Strict&dryRun=All",
    "PUT /api/v1/namespaces/n/configmaps/a",
    "PATCH /api/v1/namespaces/n/pods/a/status",
    "DELETE /api/v1/namespaces/n/pods/a",
  ]);
  assertEquals(requests[4]!.type, "application/strategic-merge-patch+json");
});

Deno.test("KubeClient: delete() sends preconditions, the grace period and the propagation policy", async () => {
  const { client, requests } = scriptedClient();
  await client.delete(PODS, "n", "a", { uid: "u", gracePeriodSeconds: 0, propagationPolicy: "Foreground" });
  assertEquals(requests[0]!.body, {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Foreground",
    gracePeriodSeconds: 0,
    preconditions: { uid: "u" },
  });
});

Deno.test("KubeClient: unknown fields are preserved in both directions", async () => {
  const object = { metadata: { name: "a" }, future: { deep: [1, null] } };
  const { client, requests } = scriptedClient(() => Response.json(object));
  assertEquals(await client.create<KubeObject>(PODS, "n", object), object);
  assertEquals(requests[0]!.body, object);
});

Deno.test("KubeClient: retries a busy server after the time in Retry-After", async () => {
  const { client, requests, waits } = scriptedClient(
    busy(429),
    busy(503),
    () => Response.json({ metadata: { name: "a" } }),
  );
  const got = await client.get<KubeObject>(PODS, "n", "a");
  assertEquals([got.metadata.name, requests.length, waits], ["a", 3, [2000, 2000]]);
});

Deno.test("KubeClient: gives up after ten attempts if the server stays busy", async () => {
  const { client, requests } = scriptedClient(busy(429));
  const error = await assertRejects(() => client.get(PODS, "n", "a"), KubeError);
  assertEquals([error.status, requests.length], [429, 10]);
});

Deno.test("KubeClient: does not retry a failure without Retry-After", async () => {
  const { client, requests } = scriptedClient(() => new Response("oops", { status: 503 }));
  const error = await assertRejects(() => client.get(PODS, "n", "a"), KubeError);
  assertStringIncludes(error.message, "GET /api/v1/namespaces/n/pods/a was answered with 503: oops");
  assertEquals(requests.length, 1);
});

Deno.test("KubeClient: rejects an empty name before it becomes a request for the whole collection", async () => {
  const { client, requests } = scriptedClient();
  await assertRejects(() => client.delete(PODS, "n", ""), TypeError, "Expected a name for Pod");
  assertEquals(requests, []);
});

Deno.test("KubeClient: logs() streams the body and throws for a rejected request", async () => {
  const { client, requests } = scriptedClient(
    () => new Response("one\ntwo\n"),
    () => Response.json({ kind: "Status", message: "container is waiting to start" }, { status: 400 }),
  );
  const text = await new Response(client.logs("n", "a", { container: "main", tailLines: 2 })).text();
  assertEquals([text, requests[0]!.line], [
    "one\ntwo\n",
    "GET /api/v1/namespaces/n/pods/a/log?container=main&tailLines=2",
  ]);
  await assertRejects(() => new Response(client.logs("n", "a")).text(), KubeError, "waiting to start");
});

Deno.test("KubeClient: passes warnings of the server on", async () => {
  const warnings: string[] = [];
  const header = `299 - "unknown field \\"spec.a\\"", 299 - "kind K will go, soon"`;
  const transport = handlerTransport(() => Promise.resolve(Response.json({}, { headers: { warning: header } })));
  await new KubeClient(transport, { onWarning: (text) => warnings.push(text) }).create(WORKFLOWS, "n", {});
  assertEquals(warnings, ['unknown field "spec.a"', "kind K will go, soon"]);
});

Deno.test("KubeClient: listEach() throws errors of `take` unchanged, and treats only unreadable responses as network errors", async () => {
  const items = [{ metadata: { name: "a" } }, { metadata: { name: "b" } }];
  const taken: string[] = [];
  const { client, requests } = scriptedClient(() => Response.json({ metadata: {}, items }));
  const bug = new TypeError("bug");
  const thrown = await assertRejects(() =>
    client.listEach<KubeObject>(PODS, "n", {}, ({ metadata }) => {
      taken.push(metadata.name ?? "");
      throw bug;
    })
  );
  assertEquals([thrown === bug, isBug(thrown), taken, requests.length], [true, true, ["a"], 1]);
  const { client: broken } = scriptedClient(() => new Response('{"metadata":{},"items":[{"metadata"'));
  const error = await assertRejects(() => broken.listEach(PODS, "n", {}, () => {}), KubeError, "Could not read");
  assertEquals([error.reason, classifyError(error)], ["NetworkError", "transient"]);
});

Deno.test("KubeClient: exec() reports why the API server refuses the socket", async () => {
  const refusal = {
    kind: "Status",
    status: "Failure",
    reason: "Forbidden",
    code: 403,
    message: "may not get pods/exec",
  };
  const { client, requests } = scriptedClient(() => Response.json(refusal, { status: 403 }));
  const error = await assertRejects(() => client.exec("n", "p", "main", ["kill", "1"]), KubeError, refusal.message);
  assertEquals([classifyError(error), requests.length], ["forbidden", 1]);
});
