import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import {
  CONFIGMAPS,
  CUSTOM_RESOURCE_DEFINITIONS,
  httpTransport,
  KubeClient,
  KubeError,
  type KubeObject,
  NAMESPACES,
  PODS,
  SECRETS,
  WORKFLOWS,
} from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { type ApiServer, createApiServer, type KubeletHooks, type ServedApi } from "./mod.ts";

function configMap(name: string, data: Record<string, string> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { nodeName: "one", containers: [{ name: "main", image: "a" }, { name: "wait", image: "b" }] },
};

const kubelet: KubeletHooks = {
  logs: (namespace, name, container, options) =>
    ReadableStream.from([new TextEncoder().encode(`${namespace}/${name}/${container} ${JSON.stringify(options)}`)]),
  exec: (_namespace, _name, container, [program, ...words]) => {
    if (program === "broken") return Promise.reject(new Error("no such container"));
    const stdout = `${container}: ${words.join(" ")}`;
    return Promise.resolve({ exitCode: program === "false" ? 3 : 0, stdout, stderr: "x".repeat(100_000) });
  },
};

function httpClient(served: ServedApi, token = served.token): KubeClient {
  return new KubeClient(httpTransport({
    server: served.url,
    credentials: () =>
      Promise.resolve({
        headers: { authorization: `Bearer ${token}` },
        ...(served.caCert !== undefined && { tls: { caCerts: [served.caCert] } }),
      }),
  }));
}

/** Runs a test with clients within the process and over HTTP. */
async function withBoth(api: ApiServer, test: (client: KubeClient) => Promise<void>): Promise<void> {
  await test(api.client());
  const served = await api.serve(0, { tls: true });
  const client = httpClient(served);
  try {
    await test(client);
  } finally {
    client.close();
    await served.close();
    api.close();
  }
}

Deno.test("exec: runs a command through the kubelet and returns its output and exit code", async () => {
  const api = createApiServer({ storePath: ":memory:", kubelet });
  await api.client().create(PODS, "n", pod);
  await withBoth(api, async (client) => {
    const good = await client.exec("n", "p", "main", ["echo", "a", "b c"]);
    assertEquals([good.exitCode, good.stdout, good.stderr.length], [0, "main: a b c", 100_000]);
    assertEquals((await client.exec("n", "p", "wait", ["false"])).exitCode, 3);
    await assertRejects(() => client.exec("n", "p", "main", ["broken"]), KubeError, "no such container");
    await assertRejects(() => client.exec("n", "p", "nobody", ["true"]), Error);
  });
});

Deno.test("exec: accepts a list of protocols with and without spaces", async () => {
  const api = createApiServer({ storePath: ":memory:", kubelet, tokens: ["secret"] });
  await api.client().create(PODS, "n", pod);
  const served = await api.serve();
  for (const protocols of ["v5.channel.k8s.io,v4.channel.k8s.io", "v1.other, v4.channel.k8s.io"]) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(served.url).port) });
    const request = [
      "GET /api/v1/namespaces/n/pods/p/exec?container=main&command=echo HTTP/1.1",
      "Host: here",
      "Authorization: Bearer secret",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `Sec-WebSocket-Protocol: ${protocols}`,
    ];
    await connection.write(new TextEncoder().encode(`${request.join("\r\n")}\r\n\r\n`));
    let answer = "";
    for await (const text of connection.readable.pipeThrough(new TextDecoderStream("latin1"))) {
      if ((answer += text).includes("Success")) break;
    }
    assertMatch(answer, /^HTTP\/1.1 101 [^]*main: /);
  }
  await served.close();
  api.close();
});

Deno.test("logs: are read from the kubelet with the options of the request", async () => {
  const api = createApiServer({ storePath: ":memory:", kubelet });
  await api.client().create(PODS, "n", pod);
  await withBoth(api, async (client) => {
    const log = await new Response(client.logs("n", "p", { container: "wait", tailLines: 2, follow: true })).text();
    assertEquals(log, `n/p/wait {"follow":true,"previous":false,"timestamps":false,"tailLines":2}`);
    const unnamed = new Response(client.logs("n", "p")).text();
    await assertRejects(
      () => unnamed,
      KubeError,
      "a container name must be specified for pod p, choose one of: [main wait]",
    );
  });
});

Deno.test("logs: without a kubelet, the error contains the reason", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  await api.client().create(PODS, "n", pod);
  const log = new Response(api.client().logs("n", "p", { container: "main" })).text();
  await assertRejects(() => log, KubeError, "no kubelet is connected");
  api.close();
});

Deno.test("HTTP: a token is required, and a service account's token is valid until it expires", async () => {
  const clock = { now: Date.parse("2030-01-01T00:00:00Z") };
  const api = createApiServer({ storePath: ":memory:", tokens: ["secret"], now: () => new Date(clock.now) });
  const served = await api.serve();
  const clients = [httpClient(served, "wrong"), httpClient(served)] as const;
  const error = await assertRejects(() => clients[0].list(PODS, "n"), KubeError);
  assertEquals([error.status, error.reason], [401, "Unauthorized"]);
  const { status } = await clients[1].request<{ status: { token: string } }>(
    "POST",
    "/api/v1/namespaces/default/serviceaccounts/default/token",
    { body: { spec: { expirationSeconds: 600 } } },
  );
  const account = httpClient(served, status.token);
  await account.list(PODS, "n");
  clock.now += 601_000;
  await assertRejects(() => account.list(PODS, "n"), KubeError, "Unauthorized");
  const [header, payload, signature] = status.token.split(".");
  const forged = httpClient(served, [header, payload!.slice(0, -2) + "AA", signature].join("."));
  await assertRejects(() => forged.list(PODS, "n"), KubeError, "Unauthorized");
  for (const client of [...clients, account, forged]) client.close();
  await served.close();
  api.close();
});

Deno.test("HTTP: a request without a token returns 401, and the server listens on loopback only", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve();
  const { port } = new URL(served.url);
  for (const authorization of ["", "Basic YTpi", "Bearer "]) {
    const answer = await fetch(`${served.url}/api/v1/pods`, { headers: { authorization } });
    assertEquals([answer.status, (await answer.json()).reason], [401, "Unauthorized"]);
  }
  const others = Deno.networkInterfaces().filter(({ family, address }) => family === "IPv4" && address !== "127.0.0.1");
  for (const { address } of others) {
    await assertRejects(() => Deno.connect({ hostname: address, port: Number(port) }), Deno.errors.ConnectionRefused);
  }
  await served.close();
  api.close();
});

Deno.test("reviews: a caller can request their own identity", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve();
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const whoIs = async (client: KubeClient) => {
    const { status } = await client.request<{ status: { userInfo: { username: string } } }>("POST", path, {
      body: review,
    });
    client.close();
    return status.userInfo.username;
  };
  const { status } = await api.client().request<{ status: { token: string } }>(
    "POST",
    "/api/v1/namespaces/default/serviceaccounts/default/token",
  );
  assertEquals(await whoIs(httpClient(served)), "admin");
  assertEquals(await whoIs(httpClient(served, status.token)), "system:serviceaccount:default:default");
  await served.close();
  api.close();
});

Deno.test("token Secrets: are filled on creation, and the token is valid", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0, { tls: true });
  const secret = await api.client().create<KubeObject & { data: Record<string, string> }>(SECRETS, "n", {
    type: "kubernetes.io/service-account-token",
    metadata: { name: "t", annotations: { "kubernetes.io/service-account.name": "default" } },
  });
  const text = (key: string) => new TextDecoder().decode(Uint8Array.fromBase64(secret.data[key]!));
  assertEquals([text("namespace"), text("ca.crt")], ["n", served.caCert]);
  const client = httpClient(served, text("token"));
  await client.list(PODS, "n");
  client.close();
  await served.close();
  api.close();
});

Deno.test("health: requires no token", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve();
  assertEquals(await (await fetch(`${served.url}/readyz`)).text(), "ok");
  await served.close();
  api.close();
});

Deno.test("store: after a restart, objects exist and versions continue", async () => {
  const storePath = await Deno.makeTempFile({ suffix: ".db" });
  const first = createApiServer({ storePath });
  const kept = await first.client().create<KubeObject>(CONFIGMAPS, "n", configMap("kept", { a: "1" }));
  await first.client().create(CONFIGMAPS, "n", configMap("gone"));
  await first.client().delete(CONFIGMAPS, "n", "gone");
  const { metadata } = await first.client().list(CONFIGMAPS, "n");
  first.close();
  const second = createApiServer({ storePath });
  assertEquals(await second.client().get<KubeObject>(CONFIGMAPS, "n", "kept"), kept);
  const next = await second.client().create<KubeObject>(CONFIGMAPS, "n", configMap("next"));
  assert(Number(next.metadata.resourceVersion) > Number(metadata.resourceVersion));
  second.close();
  await Deno.remove(storePath);
});

Deno.test("store: a store that another server uses is rejected with the reason", async () => {
  const storePath = await Deno.makeTempFile({ suffix: ".db" });
  const first = createApiServer({ storePath });
  let message = "";
  try {
    createApiServer({ storePath });
  } catch (error) {
    message = (error as Error).message;
  }
  assertStringIncludes(message, "another process is using it");
  first.close();
  await Deno.remove(storePath);
});

Deno.test("watch: a watch from an expired version fails, so that the client lists again", async () => {
  const api = createApiServer({ storePath: ":memory:", history: { events: 2, bytes: 1_000_000 } });
  const client = api.client();
  const { metadata } = await client.list(CONFIGMAPS, "n");
  for (const name of ["a", "b", "c"]) await client.create(CONFIGMAPS, "n", configMap(name));
  const error = await assertRejects(() => client.watch(CONFIGMAPS, "n", metadata).next(), KubeError);
  assertEquals([error.status, error.reason], [410, "Expired"]);
  api.close();
});

Deno.test("watch: a version that is too new is refused, because it is from another store", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const watch = api.client().watch(CONFIGMAPS, "n", { resourceVersion: "999999" });
  await assertRejects(() => watch.next(), KubeError, "Too large resource version");
  api.close();
});

Deno.test("watch: with initial events, sends the existing objects and then a bookmark", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  await api.client().create(CONFIGMAPS, "n", configMap("a"));
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const response = await api.handler(new Request(`http://x/api/v1/namespaces/n/configmaps?${query}`));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events = [await reader.read(), await reader.read()].map(({ value }) => JSON.parse(value!));
  assertEquals(events.map((event) => event.type), ["ADDED", "BOOKMARK"]);
  assertEquals(events[1].object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
  await reader.cancel();
  api.close();
});

Deno.test("namespaces: are created with their first object and a service account", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  await api.client().create(CONFIGMAPS, "fresh", configMap("a"));
  const { status } = await api.client().get<KubeObject>(NAMESPACES, undefined, "fresh");
  assertEquals(status, { phase: "Active" });
  await api.client().request("POST", "/api/v1/namespaces/fresh/serviceaccounts/default/token", { body: {} });
  api.close();
});

Deno.test("Secrets: stringData is stored as data", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const secret = { metadata: { name: "s" }, stringData: { key: "välue" }, data: { old: "AA==" } };
  const { data, stringData, type } = await api.client().create<KubeObject>(SECRETS, "n", secret);
  assertEquals([data, stringData, type], [{ old: "AA==", key: "dsOkbHVl" }, undefined, "Opaque"]);
  api.close();
});

Deno.test("validation: an invalid workflow is refused with the path of every error", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: 1, templates: "none" },
  };
  const error = await assertRejects(() => api.client().create(WORKFLOWS, "n", workflow), KubeError);
  assertEquals(error.status, 422);
  assertEquals(error.details?.causes?.map((cause) => cause.field).sort(), ["spec.entrypoint", "spec.templates"]);
  api.close();
});

Deno.test("validation: a pod with an invalid container is refused with the path", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const containers = [{ name: "main", image: "a", command: "true" }];
  const error = await assertRejects(() => api.client().create(PODS, "n", { ...pod, spec: { containers } }), KubeError);
  assertEquals(error.details?.causes?.map((cause) => cause.field), ["spec.containers[0].command"]);
  api.close();
});

Deno.test("validation: an unknown field causes a warning, unless the request ignores it", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const create = (name: string, query: string) =>
    api.handler(
      new Request(`http://x/apis/argoproj.io/v1alpha1/namespaces/n/workflows${query}`, {
        method: "POST",
        body: JSON.stringify({
          apiVersion: "argoproj.io/v1alpha1",
          kind: "Workflow",
          metadata: { name },
          spec: { entrypont: "main" },
        }),
      }),
    );
  assertEquals((await create("a", "")).headers.get("warning"), `299 - "unknown field \\"spec.entrypont\\""`);
  assertEquals((await create("b", "?fieldValidation=Ignore")).headers.get("warning"), null);
  api.close();
});

Deno.test("definitions: their resources are served from creation to deletion", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const things = { group: "example.com", version: "v1", plural: "things", kind: "Thing", namespaced: true };
  const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" }, spec: { any: [1] } };
  await assertRejects(() => client.create(things, "n", thing), KubeError, "could not find the requested resource");
  const definition = await client.create<KubeObject>(CUSTOM_RESOURCE_DEFINITIONS, undefined, {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true }],
    },
  });
  const { conditions } = definition.status as { conditions: { type: string; status: string }[] };
  assertEquals(conditions.find((condition) => condition.type === "Established")?.status, "True");
  assertEquals((await client.create<KubeObject>(things, "n", thing)).spec, { any: [1] });
  await client.delete(CUSTOM_RESOURCE_DEFINITIONS, undefined, "things.example.com");
  await assertRejects(() => client.get(things, "n", "a"), KubeError, "could not find the requested resource");
  api.close();
});

Deno.test("tables: are returned to kubectl on request", async () => {
  const now = new Date("2030-01-01T00:00:00Z");
  const api = createApiServer({ storePath: ":memory:", now: () => now });
  await api.client().create(PODS, "n", pod);
  now.setUTCMinutes(5);
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  const response = await api.handler(new Request("http://x/api/v1/namespaces/n/pods", { headers: { accept } }));
  const { kind, columnDefinitions, rows } = await response.json();
  assertEquals(kind, "Table");
  assertEquals(columnDefinitions.map((column: { name: string }) => column.name), [
    "Name",
    "Ready",
    "Status",
    "Restarts",
    "Age",
    "IP",
    "Node",
  ]);
  assertEquals(rows[0].cells, ["p", "0/2", "Pending", "0", "5m", "", "one"]);
  api.close();
});

Deno.test("metadata: fields that are null are ignored", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const none = { labels: null, annotations: null, finalizers: null, ownerReferences: null };
  const made = await client.create<KubeObject>(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", ...none },
  } as never);
  assertEquals([made.metadata.name, made.metadata.labels], ["a", undefined]);
  api.close();
});

Deno.test("namespaces: creating and removing associated resources is retried until it succeeds", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const log: string[] = [];
  let failures = 2;
  const say = (text: string) => {
    log.push(text);
    if (failures-- > 0) throw new Error("the disk is full");
  };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } };
  api.createInNamespaces({
    objects: (name) => name === "n" ? (say("put"), []) : [],
    knownNamespaces: () => [],
    onNamespaceDeleted: (name) => say(`${name} is gone`),
  });
  await api.client().create(NAMESPACES, undefined, namespace);
  await awaitFact("it was put", () => log.length === 3, { seconds: 60 });
  failures = 1;
  await api.client().delete(NAMESPACES, undefined, "n");
  await awaitFact("it was taken away", () => log.length === 5, { seconds: 60 });
  assertEquals(log, ["put", "put", "put", "n is gone", "n is gone"]);
  api.close();
});
