/** Tests of event sources and sensors, with and without their CRDs. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { CUSTOM_RESOURCE_DEFINITIONS, PODS } from "@tiphys/kube";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { EVENT_KINDS } from "./kinds.ts";

async function openBench(withDefinitions: boolean) {
  const bench = await serverBench(["server"]);
  for (const { resource: { group, plural, kind } } of withDefinitions ? EVENT_KINDS : []) {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    await bench.admin.create(CUSTOM_RESOURCE_DEFINITIONS, undefined, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: "v1alpha1", served: true, storage: true, schema }],
      },
    });
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await bench.ask(method, `/api/v1/${path}`, { body });
    const text = await response.text();
    return { status: response.status, lines: text.trim().split("\n"), json: JSON.parse(text.split("\n")[0] ?? "") };
  };
  return { bench, ask, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

Deno.test("argo events: without CRDs, routes respond 404 with code 5", async () => {
  await using server = await openBench(false);
  for (const { path, field } of EVENT_KINDS) {
    const body = { [field]: { metadata: { name: "a" } } };
    for (
      const [method, where, sent] of [
        ["GET", `${path}/${NAMESPACE}`],
        ["POST", `${path}/${NAMESPACE}`, body],
        ["GET", `${path}/${NAMESPACE}/a`],
        ["PUT", `${path}/${NAMESPACE}/a`, body],
        ["DELETE", `${path}/${NAMESPACE}/a`],
      ] as const
    ) {
      const { status, json } = await server.ask(method, where, sent);
      assertEquals([status, json.code], [404, 5], `${method} ${where}`);
    }
  }
});

Deno.test("argo events: objects are passed through with unknown fields", async () => {
  await using server = await openBench(true);
  for (const { path, field, resource } of EVENT_KINDS) {
    const all = `${path}/${NAMESPACE}`;
    assertEquals((await server.ask("GET", all)).json.items, null);
    const spec = { webhook: { example: { port: "12000", unheardOf: [1, { a: null }] } } };
    // The name of the field is case-insensitive, as in Argo's server.
    const sentField = field.toLowerCase();
    const made = await server.ask("POST", all, {
      [sentField]: { metadata: { name: "a", creationTimestamp: null }, spec },
    });
    assertEquals([made.status, made.json.kind, made.json.spec], [200, resource.kind, spec]);
    const changed = { ...made.json, spec: { ...spec, more: true } };
    assertEquals((await server.ask("PUT", `${all}/a`, { [field]: changed })).json.spec, changed.spec);
    assertEquals((await server.ask("PUT", `${all}/b`, { [field]: changed })).status, 400);
    assertEquals((await server.ask("GET", `${all}/a`)).json.spec, changed.spec);
    assertEquals((await server.ask("GET", `${all}?fields=items.metadata.name`)).json, {
      metadata: {},
      items: [{ metadata: { name: "a" } }],
    });
    for (const body of [{}, { [field]: [] }, { [field]: {} }, { [field]: { metadata: { name: 5 } } }]) {
      assertEquals((await server.ask("POST", all, body)).status, 400, JSON.stringify(body));
    }
    const other = { [field]: { metadata: { name: "x", namespace: "elsewhere" } } };
    assertEquals((await server.ask("POST", all, other)).status, 400);
    assertEquals((await server.ask("DELETE", `${all}/a`)).json, {});
    assertEquals((await server.ask("GET", `${all}/a`)).status, 404);
  }
});

Deno.test("argo events: a watch sends existing objects and changes", async () => {
  await using server = await openBench(true);
  await server.ask("POST", `sensors/${NAMESPACE}`, { sensor: { metadata: { name: "a" } } });
  const left = new AbortController();
  const response = await server.bench.ask("GET", `/api/v1/stream/sensors/${NAMESPACE}`, { signal: left.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => JSON.parse((await reader.read()).value ?? "").result;
  assertEquals((await next()).object.metadata.name, "a");
  await server.ask("DELETE", `sensors/${NAMESPACE}/a`);
  const { type, object } = await next();
  assertEquals([type, object.metadata.name], ["DELETED", "a"]);
  left.abort();
  await reader.cancel();
});

Deno.test("argo events: a watch ends after its timeout, and invalid options are rejected", async () => {
  await using server = await openBench(true);
  const ask = async (query: string) => {
    const response = await server.bench.ask("GET", `/api/v1/stream/event-sources/${NAMESPACE}?listOptions.${query}`);
    await response.text();
    return response.status;
  };
  assertEquals(await ask("timeoutSeconds=1"), 200);
  assertEquals(await ask("resourceVersion=x"), 400);
  assertEquals(await ask("labelSelector=a(b"), 400);
});

Deno.test("argo events: log entries are parsed from JSON or text lines and filtered by name, field and expression", async () => {
  await using server = await openBench(true);
  const { bench } = server;
  const written: Record<string, readonly string[]> = {
    "pod-a": [
      '{"level":"error","time":"2026-01-01T00:00:00Z","msg":"no connection","eventSourceType":"webhook","eventName":"one"}',
      "plain text",
    ],
    "pod-b": ['{"msg":"other","eventSourceType":"amqp"}', "{broken"],
  };
  bench.api.useKubelet({
    logs: (_namespace, pod) =>
      ReadableStream.from([new TextEncoder().encode((written[pod] ?? []).map((line) => `${line}\n`).join(""))]),
    exec: () => Promise.reject(new Error("unexpected exec")),
  });
  for (const [name, label] of [["pod-a", "a"], ["pod-b", "b"]] as const) {
    await bench.admin.create<Pod>(PODS, NAMESPACE, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: NAMESPACE, labels: { "eventsource-name": label } },
      spec: { containers: [{ name: "main", image: "x" }], nodeName: "here" },
    });
    await bench.admin.patch(PODS, NAMESPACE, name, { status: { phase: "Running" } }, "merge", {
      subresource: "status",
    });
  }
  const messages = async (query: string) => {
    const response = await bench.ask("GET", `/api/v1/stream/event-sources/${NAMESPACE}/logs?${query}`);
    const lines = (await response.text()).trim().split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line).result.msg as string);
  };
  assertEquals(await messages(""), ["no connection", "plain text", "other", "{broken"]);
  assertEquals(await messages("name=b"), ["other", "{broken"]);
  assertEquals(await messages("eventSourceType=webhook"), ["no connection"]);
  assertEquals(await messages("eventSourceType=webhook&eventName=two"), []);
  assertEquals(await messages("grep=%5Epl"), ["plain text"]);
  const [first] = (await (await bench.ask("GET", `/api/v1/stream/event-sources/${NAMESPACE}/logs?name=a`)).text())
    .split("\n");
  assertEquals(JSON.parse(first ?? "").result, {
    namespace: NAMESPACE,
    eventSourceName: "a",
    eventSourceType: "webhook",
    eventName: "one",
    level: "error",
    time: "2026-01-01T00:00:00Z",
    msg: "no connection",
  });
  for (const query of ["grep=(", "name=a,b"]) {
    assertEquals(
      (await bench.ask("GET", `/api/v1/stream/event-sources/${NAMESPACE}/logs?${query}`)).status,
      400,
      query,
    );
  }
});
