/**
 * The behavior that our client and informer rely on, tested with three API servers: the embedded one in this process,
 * the same one over loopback HTTP, and a real one if KUBECONFIG_TEST is set to its kubeconfig. So the controller need
 * not know which of them it uses.
 */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import {
  classifyError,
  CONFIGMAPS,
  EVENTS,
  httpTransport,
  KubeClient,
  KubeError,
  type KubeObject,
  NAMESPACES,
  PODS,
  WORKFLOWS,
} from "@tiphys/kube";
import { connectTransport } from "@tiphys/kube/connections";
import { Informer } from "@tiphys/kube/informers";
import { createApiServer } from "./mod.ts";

/** A server to test, and a namespace for the test. */
interface Api {
  readonly client: KubeClient;
  readonly namespace: string;
}

interface TestServer {
  readonly name: string;
  connect(): Promise<{ client: KubeClient; close(): Promise<void> }>;
}

const realKubeconfig = Deno.env.get("KUBECONFIG_TEST");

const servers: TestServer[] = [
  {
    name: "in process",
    connect() {
      const server = createApiServer({ storePath: ":memory:" });
      const close = () => Promise.resolve(server.close());
      return Promise.resolve({ client: server.client(), close });
    },
  },
  {
    name: "over HTTP",
    async connect() {
      const server = createApiServer({ storePath: ":memory:" });
      const { url, token, close } = await server.serve();
      const credentials = () => Promise.resolve({ headers: { authorization: `Bearer ${token}` } });
      const client = new KubeClient(httpTransport({ server: url, credentials }));
      return {
        client,
        async close() {
          client.close();
          await close();
          server.close();
        },
      };
    },
  },
  ...(realKubeconfig === undefined ? [] : [{
    name: "a real API server",
    async connect() {
      const client = new KubeClient(await connectTransport({ kubeconfig: realKubeconfig }));
      return { client, close: () => Promise.resolve(client.close()) };
    },
  }]),
];

/** A sentence of the contract, tested with every server. */
function contract(sentence: string, test: (api: Api) => Promise<void>): void {
  for (const server of servers) {
    Deno.test(`${sentence} (${server.name})`, async () => {
      const { client, close } = await server.connect();
      const namespace = `contract-${crypto.randomUUID().slice(0, 8)}`;
      try {
        await client.create(NAMESPACES, undefined, { metadata: { name: namespace } });
        await test({ client, namespace });
      } finally {
        await client.delete(NAMESPACES, undefined, namespace);
        await close();
      }
    });
  }
}

function configMap(name: string, data: Record<string, string> = {}, metadata: Record<string, unknown> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

function pod(name: string, spec: Record<string, unknown> = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [{ name: "main", image: "busybox:1.36" }], ...spec },
  };
}

async function sortOf(promise: Promise<unknown>): Promise<string> {
  return classifyError(await assertRejects(() => promise, KubeError));
}

function names(objects: readonly KubeObject[]): (string | undefined)[] {
  return objects.map((object) => object.metadata.name);
}

contract(
  "create() returns the object with its uid, resourceVersion and time of creation",
  async ({ client, namespace }) => {
    const created = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("a", { key: "value" }));
    assertMatch(created.metadata.uid ?? "", /^[0-9a-f-]{36}$/);
    assertMatch(created.metadata.resourceVersion ?? "", /^\d+$/);
    assertMatch(created.metadata.creationTimestamp ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assertEquals(created.metadata.namespace, namespace);
    const { metadata, data } = await client.get<KubeObject>(CONFIGMAPS, namespace, "a");
    assertEquals({ uid: metadata.uid, data }, { uid: created.metadata.uid, data: { key: "value" } });
  },
);

contract("create() of an existing name fails with alreadyExists", async ({ client, namespace }) => {
  await client.create(CONFIGMAPS, namespace, configMap("a"));
  assertEquals(await sortOf(client.create(CONFIGMAPS, namespace, configMap("a"))), "alreadyExists");
});

contract("create() completes a generateName", async ({ client, namespace }) => {
  const made = await client.create<KubeObject>(CONFIGMAPS, namespace, { metadata: { generateName: "made-" } });
  assertMatch(made.metadata.name ?? "", /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

contract("create() as a dry run returns the object and creates nothing", async ({ client, namespace }) => {
  const answer = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("a"), { dryRun: true });
  assertEquals(answer.metadata.name, "a");
  assertEquals(await sortOf(client.get(CONFIGMAPS, namespace, "a")), "notFound");
});

contract("create() rejects an invalid name and names the field", async ({ client, namespace }) => {
  const error = await assertRejects(() => client.create(CONFIGMAPS, namespace, configMap("Bad_Name")), KubeError);
  assertEquals(classifyError(error), "invalid");
  assertEquals(error.details?.causes?.[0]?.field, "metadata.name");
  assertStringIncludes(error.message, `ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name"`);
});

contract("create() rejects a label value that Kubernetes would not store", async ({ client, namespace }) => {
  const labelled = configMap("a", {}, { labels: { node: "steps[0].one" } });
  assertEquals(await sortOf(client.create(CONFIGMAPS, namespace, labelled)), "invalid");
});

contract("create() rejects a pod whose container mounts a missing volume", async ({ client, namespace }) => {
  const containers = [{ name: "main", image: "a", volumeMounts: [{ name: "gone", mountPath: "/a" }] }];
  const error = await assertRejects(() => client.create(PODS, namespace, pod("a", { containers })), KubeError);
  assertEquals(error.details?.causes?.[0]?.field, "spec.containers[0].volumeMounts[0].name");
});

for (
  const [what, spec, says] of [
    ["whose containers are null", { containers: null }, "spec.containers: Required value"],
    [
      "with an active deadline of 0",
      { containers: [{ name: "main", image: "a" }], activeDeadlineSeconds: 0 },
      "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
    ],
  ] as const
) {
  contract(`create() refuses a pod ${what}`, async ({ client, namespace }) => {
    const error = await assertRejects(() => client.create(PODS, namespace, pod("a", spec)), KubeError);
    assertEquals(error.message, `Pod "a" is invalid: ${says}`);
  });
}

contract("create() rejects an object whose namespace differs from the path's", async ({ client, namespace }) => {
  const elsewhere = configMap("a", {}, { namespace: "elsewhere" });
  assertEquals(await sortOf(client.create(CONFIGMAPS, namespace, elsewhere)), "invalid");
});

contract("get() of a missing object fails with notFound and the server's message", async ({ client, namespace }) => {
  const error = await assertRejects(() => client.get(CONFIGMAPS, namespace, "gone"), KubeError);
  assertEquals([classifyError(error), error.message], ["notFound", `configmaps "gone" not found`]);
});

contract("replace() with an older resourceVersion is a conflict", async ({ client, namespace }) => {
  const first = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("a", { n: "1" }));
  await client.replace(CONFIGMAPS, namespace, { ...first, data: { n: "2" } });
  const error = await assertRejects(
    () => client.replace(CONFIGMAPS, namespace, { ...first, data: { n: "3" } }),
    KubeError,
  );
  assertEquals(classifyError(error), "conflict");
  assertStringIncludes(error.message, `Operation cannot be fulfilled on configmaps "a": the object has been modified`);
  assertEquals((await client.get<KubeObject>(CONFIGMAPS, namespace, "a")).data, { n: "2" });
});

contract(
  "a merge patch changes named fields, removes nulls, and keeps the rest",
  async ({ client, namespace }) => {
    await client.create(CONFIGMAPS, namespace, configMap("a", { keep: "1", drop: "2" }));
    const after = await client.patch<KubeObject>(CONFIGMAPS, namespace, "a", { data: { drop: null, add: "3" } });
    assertEquals(after.data, { keep: "1", add: "3" });
  },
);

contract("a merge patch that carries an older resourceVersion is a conflict", async ({ client, namespace }) => {
  const { metadata } = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("a"));
  await client.patch(CONFIGMAPS, namespace, "a", { data: { n: "1" } });
  const late = { metadata: { resourceVersion: metadata.resourceVersion }, data: { n: "2" } };
  assertEquals(await sortOf(client.patch(CONFIGMAPS, namespace, "a", late)), "conflict");
});

contract(
  "a JSON patch whose test fails changes nothing and is invalid",
  async ({ client, namespace }) => {
    await client.create(CONFIGMAPS, namespace, configMap("a", { n: "1" }));
    const patch = [{ op: "test", path: "/data/n", value: "2" }, { op: "replace", path: "/data/n", value: "3" }];
    assertEquals(await sortOf(client.patch(CONFIGMAPS, namespace, "a", patch, "json")), "invalid");
    const held = await client.patch<KubeObject>(CONFIGMAPS, namespace, "a", [
      { op: "test", path: "/data/n", value: "1" },
      { op: "replace", path: "/data/n", value: "3" },
    ], "json");
    assertEquals(held.data, { n: "3" });
  },
);

contract("a strategic merge patch finds the items of a list by their key", async ({ client, namespace }) => {
  await client.create(
    PODS,
    namespace,
    pod("a", {
      containers: [{ name: "wait", image: "one" }, { name: "main", image: "two" }],
    }),
  );
  const patch = { spec: { containers: [{ name: "main", image: "three" }] } };
  const { spec } = await client.patch<KubeObject>(PODS, namespace, "a", patch, "strategic");
  const containers = (spec as { containers: { name: string; image: string }[] }).containers;
  assertEquals(containers.map(({ name, image }) => `${name}=${image}`), ["wait=one", "main=three"]);
});

/** Applies a ConfigMap with this content as one of its managers. */
function applyAs(
  { client, namespace }: Api,
  fieldManager: string,
  data: Record<string, string>,
  options: { force?: boolean } = {},
): Promise<KubeObject> {
  return client.patch(CONFIGMAPS, namespace, "a", configMap("a", data), "apply", { fieldManager, ...options });
}

contract("an apply patch creates the object, and changes it the next time", async (api) => {
  const first = await applyAs(api, "one", { n: "1" });
  const second = await applyAs(api, "one", { n: "2" });
  assertEquals([first.metadata.uid === second.metadata.uid, second.data], [true, { n: "2" }]);
});

contract("an apply patch removes fields that no manager wants any longer", async (api) => {
  await applyAs(api, "one", { n: "1", m: "1", k: "1" });
  await applyAs(api, "two", { m: "1" });
  await api.client.patch(CONFIGMAPS, api.namespace, "a", { data: { patched: "1" } });
  assertEquals((await applyAs(api, "one", { k: "1" })).data, { k: "1", m: "1", patched: "1" });
});

contract("an apply patch that changes nothing keeps the resourceVersion", async (api) => {
  const first = await applyAs(api, "one", { n: "1" });
  assertEquals((await applyAs(api, "one", { n: "1" })).metadata.resourceVersion, first.metadata.resourceVersion);
});

contract("an apply patch of a field that another manager owns is a conflict unless forced", async (api) => {
  await applyAs(api, "one", { n: "1", m: "1" });
  const error = await assertRejects(() => applyAs(api, "two", { n: "2" }), KubeError);
  assertEquals([classifyError(error), error.message], [
    "conflict",
    'Apply failed with 1 conflict: conflict with "one": .data.n',
  ]);
  assertEquals(error.details?.causes, [
    { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.n" },
  ]);
  assertEquals((await applyAs(api, "two", { n: "2" }, { force: true })).data, { n: "2", m: "1" });
});

contract("a write that changes nothing keeps the resourceVersion", async ({ client, namespace }) => {
  const { metadata } = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("a", { n: "1" }));
  const after = await client.patch<KubeObject>(CONFIGMAPS, namespace, "a", { data: { n: "1" } });
  assertEquals(after.metadata.resourceVersion, metadata.resourceVersion);
});

contract("list() selects by labels in every form", async ({ client, namespace }) => {
  await client.create(CONFIGMAPS, namespace, configMap("a", {}, { labels: { app: "x", done: "true" } }));
  await client.create(CONFIGMAPS, namespace, configMap("b", {}, { labels: { app: "y" } }));
  const selected = async (labelSelector: string) =>
    names((await client.list<KubeObject>(CONFIGMAPS, namespace, { labelSelector })).items);
  assertEquals(await selected("app=x"), ["a"]);
  assertEquals(await selected("app in (x,y),done!=true"), ["b"]);
  assertEquals(await selected("app,!done"), ["b"]);
  assertEquals(await selected("app notin (y),done"), ["a"]);
});

contract("list() rejects an invalid label selector", async ({ client, namespace }) => {
  assertEquals(await sortOf(client.list(CONFIGMAPS, namespace, { labelSelector: "a in (b" })), "invalid");
});

contract(
  "list() supports the field selectors of Kubernetes, and refuses others",
  async ({ client, namespace }) => {
    await client.create(PODS, namespace, pod("a"));
    await client.create(PODS, namespace, pod("b", { nodeName: "one" }));
    const selected = async (fieldSelector: string) =>
      names((await client.list<KubeObject>(PODS, namespace, { fieldSelector })).items);
    assertEquals(await selected("metadata.name=a"), ["a"]);
    assertEquals(await selected("spec.nodeName=one,status.phase=Pending"), ["b"]);
    assertEquals(await selected("spec.nodeName!=one"), ["a"]);
    assertEquals(await sortOf(client.list(PODS, namespace, { fieldSelector: "spec.nonsense=1" })), "invalid");
  },
);

contract("list() finds events by their involved object", async ({ client, namespace }) => {
  const about = (name: string) => ({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.1` },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace },
    reason: "Said",
  });
  await client.create(EVENTS, namespace, about("a"));
  await client.create(EVENTS, namespace, about("b"));
  const { items } = await client.list<KubeObject>(EVENTS, namespace, { fieldSelector: "involvedObject.name=b" });
  assertEquals(names(items), ["b.1"]);
});

contract("list() returns pages that together are complete", async ({ client, namespace }) => {
  for (const name of ["a", "b", "c"]) await client.create(CONFIGMAPS, namespace, configMap(name));
  const first = await client.list<KubeObject>(CONFIGMAPS, namespace, { limit: 2 });
  const second = await client.list<KubeObject>(CONFIGMAPS, namespace, { limit: 2, continue: first.metadata.continue });
  assertEquals([names(first.items), names(second.items)], [["a", "b"], ["c"]]);
  assertEquals(second.metadata.continue || undefined, undefined);
});

contract("watch() yields the changes after a resourceVersion in order", async ({ client, namespace }) => {
  const { metadata } = await client.list(CONFIGMAPS, namespace);
  await client.create(CONFIGMAPS, namespace, configMap("a", { n: "1" }));
  await client.patch(CONFIGMAPS, namespace, "a", { data: { n: "2" } });
  await client.delete(CONFIGMAPS, namespace, "a");
  await client.create(CONFIGMAPS, namespace, configMap("last"));
  const seen: string[] = [];
  for await (const event of client.watch<KubeObject>(CONFIGMAPS, namespace, metadata)) {
    if (event.type === "BOOKMARK") continue;
    seen.push(`${event.type} ${event.object.metadata.name}`);
    if (event.object.metadata.name === "last") break;
  }
  assertEquals(seen, ["ADDED a", "MODIFIED a", "DELETED a", "ADDED last"]);
});

contract("watch() by a label yields an object that loses the label as deleted", async ({ client, namespace }) => {
  const { metadata } = await client.create<KubeObject>(
    CONFIGMAPS,
    namespace,
    configMap("a", {}, { labels: { on: "yes" } }),
  );
  await client.patch(CONFIGMAPS, namespace, "a", { metadata: { labels: { on: "no" } } });
  await client.patch(CONFIGMAPS, namespace, "a", { metadata: { labels: { on: "yes" } } });
  const { resourceVersion } = metadata;
  const seen: string[] = [];
  for await (const event of client.watch(CONFIGMAPS, namespace, { resourceVersion, labelSelector: "on=yes" })) {
    if (event.type === "BOOKMARK") continue;
    seen.push(event.type);
    if (seen.length === 2) break;
  }
  assertEquals(seen, ["DELETED", "ADDED"]);
});

contract(
  "watch() with initial events sends the existing objects and a bookmark after them, regardless of the version",
  async ({ client, namespace }) => {
    await client.create(CONFIGMAPS, namespace, configMap("a"));
    const { metadata: { resourceVersion } } = await client.list(CONFIGMAPS, namespace);
    const path = (query: string) =>
      `/api/v1/namespaces/${namespace}/configmaps?watch=true&allowWatchBookmarks=true&${query}`;
    for (const from of ["", resourceVersion]) {
      const query =
        `sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${from}&timeoutSeconds=30`;
      const events = (await client.transport.fetch(path(query))).body!;
      const seen: string[] = [];
      let text = "";
      for await (const piece of events.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const lines = text.split("\n");
        text = lines.pop()!;
        for (const { type, object: { metadata } } of lines.map((line) => JSON.parse(line))) {
          if (metadata.name === undefined || metadata.name === "a") seen.push(`${type} ${metadata.name ?? ""}`);
          if (metadata.annotations?.["k8s.io/initial-events-end"] === "true") seen.push("end");
        }
        if (seen.includes("end")) break;
      }
      assertEquals(seen, ["ADDED a", "BOOKMARK ", "end"], `from ${from}`);
    }
  },
);

contract("watch() ends without an error when its signal is aborted", async ({ client, namespace }) => {
  const stop = new AbortController();
  const seen: string[] = [];
  await client.create(CONFIGMAPS, namespace, configMap("a"));
  for await (const event of client.watch<KubeObject>(CONFIGMAPS, namespace, { resourceVersion: "0" }, stop.signal)) {
    seen.push(event.type);
    stop.abort();
  }
  assertEquals(seen, ["ADDED"]);
});

contract(
  "delete() with another UID is a conflict and deletes nothing",
  async ({ client, namespace }) => {
    await client.create(CONFIGMAPS, namespace, configMap("a"));
    const uid = "00000000-0000-0000-0000-000000000000";
    assertEquals(await sortOf(client.delete(CONFIGMAPS, namespace, "a", { uid })), "conflict");
    await client.delete(CONFIGMAPS, namespace, "a");
    assertEquals(await sortOf(client.get(CONFIGMAPS, namespace, "a")), "notFound");
  },
);

contract("delete() waits for the last finalizer", async ({ client, namespace }) => {
  await client.create(
    CONFIGMAPS,
    namespace,
    configMap("a", {}, { finalizers: ["example.com/one", "example.com/two"] }),
  );
  await client.delete(CONFIGMAPS, namespace, "a");
  const dying = await client.get<KubeObject>(CONFIGMAPS, namespace, "a");
  assert(dying.metadata.deletionTimestamp);
  await client.patch(CONFIGMAPS, namespace, "a", { metadata: { finalizers: ["example.com/two"] } });
  await client.get(CONFIGMAPS, namespace, "a");
  await client.patch(CONFIGMAPS, namespace, "a", { metadata: { finalizers: null } });
  assertEquals(await sortOf(client.get(CONFIGMAPS, namespace, "a")), "notFound");
});

contract(
  "delete() of a pod on a node waits for the kubelet, which deletes without grace period",
  async ({ client, namespace }) => {
    await client.create(PODS, namespace, pod("a", { nodeName: "one", terminationGracePeriodSeconds: 7 }));
    await client.delete(PODS, namespace, "a");
    const { metadata } = await client.get<KubeObject>(PODS, namespace, "a");
    assertEquals([metadata.deletionGracePeriodSeconds, !!metadata.deletionTimestamp], [7, true]);
    await client.delete(PODS, namespace, "a", { gracePeriodSeconds: 0, uid: metadata.uid });
    assertEquals(await sortOf(client.get(PODS, namespace, "a")), "notFound");
  },
);

contract("delete() removes a pod without a node immediately", async ({ client, namespace }) => {
  await client.create(PODS, namespace, pod("a"));
  await client.delete(PODS, namespace, "a");
  assertEquals(await sortOf(client.get(PODS, namespace, "a")), "notFound");
});

contract("deleteCollection() deletes the selected objects", async ({ client, namespace }) => {
  await client.create(CONFIGMAPS, namespace, configMap("a", {}, { labels: { on: "yes" } }));
  await client.create(CONFIGMAPS, namespace, configMap("b"));
  await client.deleteCollection(CONFIGMAPS, namespace, { labelSelector: "on=yes" });
  assertEquals(names((await client.list<KubeObject>(CONFIGMAPS, namespace)).items), ["b"]);
});

contract("a pod's status is written through its subresource and not with its spec", async ({ client, namespace }) => {
  const status = { phase: "Running" };
  const created = await client.create<KubeObject>(PODS, namespace, { ...pod("a"), status });
  assertEquals((created.status as { phase: string }).phase, "Pending");
  const beside = await client.patch<KubeObject>(PODS, namespace, "a", { status });
  assertEquals((beside.status as { phase: string }).phase, "Pending");
  const through = await client.patch<KubeObject>(PODS, namespace, "a", { status }, "strategic", {
    subresource: "status",
  });
  assertEquals((through.status as { phase: string }).phase, "Running");
});

contract("a pod is created with the defaults we rely on", async ({ client, namespace }) => {
  const { spec } = await client.create<KubeObject>(PODS, namespace, pod("a"));
  const { restartPolicy, terminationGracePeriodSeconds, containers } = spec as {
    restartPolicy: string;
    terminationGracePeriodSeconds: number;
    containers: { imagePullPolicy: string; terminationMessagePath: string }[];
  };
  assertEquals([restartPolicy, terminationGracePeriodSeconds], ["Always", 30]);
  assertEquals([containers[0]!.imagePullPolicy, containers[0]!.terminationMessagePath], [
    "IfNotPresent",
    "/dev/termination-log",
  ]);
});

contract("a pod's containers are immutable except for their images", async ({ client, namespace }) => {
  await client.create(PODS, namespace, pod("a"));
  const patch = { spec: { containers: [{ name: "main", command: ["true"] }] } };
  assertEquals(await sortOf(client.patch(PODS, namespace, "a", patch, "strategic")), "invalid");
  await client.patch(PODS, namespace, "a", { spec: { activeDeadlineSeconds: 5 } });
});

contract("a workflow's status is written like its other fields", async ({ client, namespace }) => {
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "a" },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] },
  };
  await client.create(WORKFLOWS, namespace, workflow);
  const patched = await client.patch<KubeObject>(WORKFLOWS, namespace, "a", { status: { phase: "Running" } });
  assertEquals((patched.status as { phase: string }).phase, "Running");
});

contract("strict writing of a workflow names the unknown field", async ({ client, namespace }) => {
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "a" },
    spec: { entrypont: "main", templates: [] },
  };
  const error = await assertRejects(
    () => client.create(WORKFLOWS, namespace, workflow, { fieldValidation: "Strict" }),
    KubeError,
  );
  assertEquals(classifyError(error), "invalid");
  assertStringIncludes(error.message, `strict decoding error: unknown field "spec.entrypont"`);
});

contract("an informer holds the objects, applies changes and finds by index", async ({ client, namespace }) => {
  await client.create(CONFIGMAPS, namespace, configMap("early", {}, { labels: { of: "x" } }));
  const informer = new Informer<KubeObject>(client, CONFIGMAPS, {
    namespace,
    indexers: { of: (object) => object.metadata.labels?.of ? [object.metadata.labels.of] : [] },
  });
  const stop = new AbortController();
  const told: string[] = [];
  let check = () => {};
  const toldIncludes = (line: string) =>
    new Promise<void>((resolve) => {
      check = () => told.includes(line) && resolve();
      check();
    });
  informer.onChange((type, object) => {
    told.push(`${type} ${object.metadata.name}`);
    check();
  });
  await informer.start(stop.signal);
  const late = await client.create<KubeObject>(CONFIGMAPS, namespace, configMap("late", {}, { labels: { of: "x" } }));
  await toldIncludes("added late");
  assertEquals(names(informer.byIndex("of", "x")).sort(), ["early", "late"]);
  assertEquals(informer.resourceVersionOf(`${namespace}/late`), late.metadata.resourceVersion);
  assert(informer.hasSeen(late.metadata.resourceVersion!));
  await client.patch(CONFIGMAPS, namespace, "late", { metadata: { labels: { of: "y" } } });
  await toldIncludes("modified late");
  assertEquals([names(informer.byIndex("of", "x")), names(informer.byIndex("of", "y"))], [["early"], ["late"]]);
  await client.delete(CONFIGMAPS, namespace, "early");
  await toldIncludes("deleted early");
  assertEquals(informer.list().length, 1);
  assertEquals(told, ["added early", "added late", "modified late", "deleted early"]);
  stop.abort();
});
