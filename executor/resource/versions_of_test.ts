import { assertEquals, assertRejects } from "@std/assert";
import { CONFIGMAPS, KubeClient, KubeError, type KubeObject } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { watchVersions } from "./versions_of.ts";

const TARGET = { resource: CONFIGMAPS, namespace: "ns", name: "cm" };
const { signal } = new AbortController();

/** An API server with one object, and a client without permission to watch. */
async function withoutWatch() {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  await client.create(CONFIGMAPS, "ns", { metadata: { name: "cm" }, data: { n: "0" } });
  const looks: string[] = [];
  const blind = new KubeClient({
    ...client.transport,
    fetch(path, init) {
      looks.push(path);
      if (!path.includes("watch=true")) return client.transport.fetch(path, init);
      const status = { kind: "Status", reason: "Forbidden", message: "you may not watch" };
      return Promise.resolve(new Response(JSON.stringify(status), { status: 403 }));
    },
  });
  return { client, blind, looks };
}

function countOf(object: KubeObject | undefined): unknown {
  return (object?.data as Record<string, string> | undefined)?.n;
}

Deno.test("watchVersions: polls and logs the reason if it may not watch", async () => {
  const { client, blind } = await withoutWatch();
  const logged: string[] = [];
  const versions = watchVersions(blind, TARGET, { signal, interval: 1, log: (message) => logged.push(message) });
  assertEquals(countOf((await versions.next()).value), "0");
  await client.patch(CONFIGMAPS, "ns", "cm", { data: { n: "1" } });
  assertEquals(countOf((await versions.next()).value), "1");
  assertEquals(logged[0], "configmaps/cm cannot be watched, polling: you may not watch");
  await client.delete(CONFIGMAPS, "ns", "cm");
  await assertRejects(() => versions.next(), KubeError, 'configmaps "cm" not found');
});

Deno.test("watchVersions: yields every change of the watch and fails when the object is deleted", async () => {
  const { client } = await withoutWatch();
  const versions = watchVersions(client, TARGET, { signal, interval: 3_600_000 });
  assertEquals(countOf((await versions.next()).value), "0");
  for (const n of ["1", "2"]) await client.patch(CONFIGMAPS, "ns", "cm", { data: { n } });
  assertEquals(countOf((await versions.next()).value), "1");
  assertEquals(countOf((await versions.next()).value), "2");
  await client.delete(CONFIGMAPS, "ns", "cm");
  await assertRejects(() => versions.next(), KubeError, 'configmaps "cm" not found');
});

Deno.test("watchVersions: retries transient errors", async () => {
  const { client } = await withoutWatch();
  let troubles = 2;
  const shaky = new KubeClient({
    ...client.transport,
    fetch: (path, init) =>
      troubles-- > 0 ? Promise.resolve(new Response("busy", { status: 503 })) : client.transport.fetch(path, init),
  });
  const versions = watchVersions(shaky, TARGET, { signal, interval: 1 });
  assertEquals(countOf((await versions.next()).value), "0");
  await versions.return(undefined);
});

Deno.test("watchVersions: throws the reason of its signal", async () => {
  const { blind } = await withoutWatch();
  const ending = new AbortController();
  const versions = watchVersions(blind, TARGET, { signal: ending.signal, interval: 3_600_000 });
  await versions.next();
  const next = versions.next();
  ending.abort(new Error("enough"));
  await assertRejects(() => next, Error, "enough");
});
