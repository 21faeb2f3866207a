import { assertEquals, assertRejects } from "@std/assert";
import { CONFIGMAPS, KubeError, type KubeObject, NAMESPACES, PODS } from "@tiphys/kube";
import type { OwnerReference } from "@tiphys/kube/object";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import { createApiServer } from "../mod.ts";
import { ServedResources } from "../served_resource.ts";
import { collectionName, JournalError, Store } from "../store.ts";
import { startGarbageCollector } from "./garbage.ts";

const server = () => createApiServer({ storePath: ":memory:" });

function configMap(name: string, metadata: Record<string, unknown> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata } };
}

function ownedBy(owner: KubeObject, blockOwnerDeletion = false): { ownerReferences: OwnerReference[] } {
  const { name = "", uid = "" } = owner.metadata;
  return { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion }] };
}

/** The names in a namespace after the garbage collector has finished. */
async function namesLeft(api: ReturnType<typeof server>): Promise<(string | undefined)[]> {
  const { items } = await api.client().list<KubeObject>(CONFIGMAPS, "n");
  return items.map((item) => item.metadata.name);
}

Deno.test("garbage collector: deletes dependents of a deleted object, and their dependents", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  const child = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("child", ownedBy(owner)));
  await client.create(CONFIGMAPS, "n", configMap("grandchild", ownedBy(child)));
  await client.create(CONFIGMAPS, "n", configMap("stranger"));
  await client.delete(CONFIGMAPS, "n", "owner");
  assertEquals(await namesLeft(api), ["stranger"]);
  api.close();
});

Deno.test("garbage collector: an object with another living owner only loses the reference", async () => {
  const api = server();
  const client = api.client();
  const object = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("one"));
  const two = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("two"));
  const both = { ownerReferences: [...ownedBy(object).ownerReferences, ...ownedBy(two).ownerReferences] };
  await client.create(CONFIGMAPS, "n", configMap("child", both));
  await client.delete(CONFIGMAPS, "n", "one");
  const child = await client.get<KubeObject>(CONFIGMAPS, "n", "child");
  assertEquals(child.metadata.ownerReferences?.map((owner) => owner.name), ["two"]);
  api.close();
});

Deno.test("garbage collector: deletes an object whose owner does not exist", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  await client.delete(CONFIGMAPS, "n", "owner");
  await client.create(CONFIGMAPS, "n", configMap("late", ownedBy(owner)));
  assertEquals(await namesLeft(api), []);
  api.close();
});

Deno.test("garbage collector: with foreground deletion, an owner waits for dependents that block it", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  const blocking = { ...ownedBy(owner, true), finalizers: ["example.com/wait"] };
  await client.create(CONFIGMAPS, "n", configMap("child", blocking));
  await client.delete(CONFIGMAPS, "n", "owner", { propagationPolicy: "Foreground" });
  assertEquals(await namesLeft(api), ["child", "owner"]);
  await client.patch(CONFIGMAPS, "n", "child", { metadata: { finalizers: null } });
  assertEquals(await namesLeft(api), []);
  api.close();
});

Deno.test("garbage collector: with orphan deletion, dependents only lose the reference", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  await client.create(CONFIGMAPS, "n", configMap("child", ownedBy(owner)));
  await client.delete(CONFIGMAPS, "n", "owner", { propagationPolicy: "Orphan" });
  assertEquals(await namesLeft(api), ["child"]);
  assertEquals((await client.get<KubeObject>(CONFIGMAPS, "n", "child")).metadata.ownerReferences, undefined);
  api.close();
});

Deno.test("garbage collector: a running pod of a deleted owner ends gracefully, and is removed when the kubelet confirms it", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  const spec = { nodeName: "one", containers: [{ name: "main", image: "a" }] };
  const metadata = { name: "p", ...ownedBy(owner) };
  await client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata, spec });
  await client.delete(CONFIGMAPS, "n", "owner");
  const pod = await client.get<KubeObject>(PODS, "n", "p");
  assertEquals(pod.metadata.deletionGracePeriodSeconds, 30);
  await client.delete(PODS, "n", "p", { gracePeriodSeconds: 0 });
  await assertRejects(() => client.get(PODS, "n", "p"), KubeError, "not found");
  api.close();
});

Deno.test("garbage collector: a deleted namespace accepts no new objects, and is removed when it is empty", async () => {
  const api = server();
  const client = api.client();
  await client.create(CONFIGMAPS, "n", configMap("a"));
  await client.create(CONFIGMAPS, "n", configMap("waiting", { finalizers: ["example.com/wait"] }));
  await client.delete(NAMESPACES, undefined, "n");
  assertEquals(await namesLeft(api), ["waiting"]);
  await assertRejects(() => client.create(CONFIGMAPS, "n", configMap("b")), KubeError, "is being terminated");
  await client.patch(CONFIGMAPS, "n", "waiting", { metadata: { finalizers: [] } });
  await assertRejects(() => client.get(NAMESPACES, undefined, "n"), KubeError, "not found");
  api.close();
});

Deno.test("delete: initial namespaces cannot be deleted", async () => {
  const api = server();
  await assertRejects(() => api.client().delete(NAMESPACES, undefined, "default"), KubeError, "may not be deleted");
  api.close();
});

Deno.test("garbage collector: a namespace that cannot be deleted stays without its owner, and other dependents are deleted", async () => {
  const api = server();
  const client = api.client();
  const owner = await client.create<KubeObject>(CONFIGMAPS, "n", configMap("owner"));
  await client.patch(NAMESPACES, undefined, "default", { metadata: ownedBy(owner) }, "merge");
  await client.create(CONFIGMAPS, "n", configMap("child", ownedBy(owner)));
  await client.delete(CONFIGMAPS, "n", "owner");
  assertEquals(await namesLeft(api), []);
  assertEquals((await client.get<KubeObject>(NAMESPACES, undefined, "default")).metadata.deletionTimestamp, undefined);
  api.close();
});

Deno.test("garbage collector: deletions that fail on a full disk are retried", async () => {
  let isFull = false;
  const write = () => {
    if (isFull) throw new JournalError("the disk is full");
  };
  const store = new Store({ load: () => ({ version: 1, objects: [] }), put: write, remove: write, close() {} });
  const resources = new ServedResources();
  const clock = fakeClock();
  const maps = collectionName(CONFIGMAPS);
  const find = (collection: string) => resources.all().find((resource) => collectionName(resource) === collection);
  const stop = startGarbageCollector({ store, resources, now: () => new Date() }, find, clock);
  for (const name of ["a", "b"]) {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "gone" };
    store.put(maps, configMap(name, { namespace: "n", uid: name, ownerReferences: [owner] }));
  }
  isFull = true;
  await Promise.resolve();
  assertEquals(store.list(maps).length, 2);
  isFull = false;
  clock.advance(60_000);
  await Promise.resolve();
  assertEquals(store.list(maps), []);
  stop();
});
