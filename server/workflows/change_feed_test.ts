import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { httpTransport, KubeClient, type Transport, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { objectOf } from "../gate/testing/matrix.ts";
import { benchOver, NAMESPACE } from "../testing/server_bench.ts";
import { ChangeFeed, type CopiedChange } from "./change_feed.ts";

function workflow(name: string, version: number, labels: Record<string, string> = {}): Workflow {
  const metadata = { name, namespace: NAMESPACE, uid: name, resourceVersion: String(version), labels };
  return { ...objectOf("Workflow", name), metadata } as unknown as Workflow;
}

const ALL = { matches: () => true };

/** The next changes, one line each. */
async function next(changes: AsyncGenerator<CopiedChange>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const { value, done } = await changes.next();
    if (done) break;
    lines.push(`${value.type} ${value.object.metadata.name} ${value.object.metadata.resourceVersion}`);
  }
  return lines;
}

Deno.test("change feed: current objects come first, and an object that starts or stops matching is added or deleted", async () => {
  const held = [workflow("a", 1, { team: "x" }), workflow("b", 2)];
  const feed = new ChangeFeed(() => held);
  feed.begin("2");
  const stop = new AbortController();
  const all = feed.watch(ALL, stop.signal);
  const some = feed.watch({ matches: ({ metadata }) => metadata.labels?.team === "x" }, stop.signal);
  assertEquals(await next(all, 2), ["ADDED a 1", "ADDED b 2"]);
  assertEquals(await next(some, 1), ["ADDED a 1"]);
  const [a, b] = held as [Workflow, Workflow];
  const without = workflow("a", 3);
  feed.record("modified", without, a);
  feed.record("modified", workflow("b", 4, { team: "x" }), b);
  feed.record("deleted", workflow("a", 5), without);
  assertEquals(await next(all, 3), ["MODIFIED a 3", "MODIFIED b 4", "DELETED a 5"]);
  assertEquals(await next(some, 2), ["DELETED a 3", "ADDED b 4"]);
  stop.abort();
  assertEquals([(await all.next()).done, (await some.next()).done], [true, true]);
});

Deno.test("change feed: the first workflow is sent before the others are tested, and large ones are sent last", async () => {
  const packed = { ...workflow("packed", 1), status: { compressedNodes: "..." } } as Workflow;
  const elsewhere = { ...workflow("elsewhere", 2), status: { offloadNodeStatusVersion: "fnv:1" } } as Workflow;
  const small = Array.from({ length: 10_000 }, (_, index) => workflow(`w${index}`, index + 10));
  const feed = new ChangeFeed(() => [packed, elsewhere, large(3, 501), ...small]);
  feed.begin("20000");
  let looks = 0;
  const stop = new AbortController();
  const changes = feed.watch({ matches: () => ++looks > 0 }, stop.signal);
  assertEquals(await next(changes, 1), ["ADDED w0 10"]);
  assertEquals(looks, 4);
  // Changes in the meantime follow after all current workflows.
  feed.record("deleted", workflow("w5", 20_001), small[5]);
  assertEquals((await next(changes, 9_999)).at(-1), "ADDED w9999 10009");
  assertEquals(await next(changes, 4), ["ADDED packed 1", "ADDED elsewhere 2", "ADDED large 3", "DELETED w5 20001"]);
  stop.abort();
  assertEquals((await changes.next()).done, true);
});

Deno.test("change feed: a watcher that falls behind while it receives the current workflows is disconnected", async () => {
  const held = Array.from({ length: 100 }, (_, index) => workflow(`w${index}`, index + 1));
  const feed = new ChangeFeed(() => held);
  feed.begin("100");
  const slow = feed.watch(ALL, new AbortController().signal);
  assertEquals(await next(slow, 1), ["ADDED w0 1"]);
  for (let version = 101; version < 6_000; version++) feed.record("modified", workflow("a", version), undefined);
  await assertRejects(() => slow.next(), Error, "too slowly");
});

Deno.test("change feed: a watcher with a version receives each later change once, including deletions", async () => {
  const feed = new ChangeFeed(() => []);
  feed.begin("10");
  const [a, b, c] = [workflow("a", 11), workflow("b", 12), workflow("c", 9)];
  feed.record("added", a, undefined);
  feed.record("added", b, undefined);
  feed.record("deleted", workflow("a", 13), a);
  // A deletion that was detected by a new list has no version.
  feed.record("deleted", c, c);
  const stop = new AbortController();
  assertEquals([feed.hasVersion(9n), feed.hasVersion(10n)], [false, true]);
  assertEquals(await next(feed.watch({ ...ALL, after: 12n }, stop.signal), 2), ["DELETED a 13", "DELETED c 9"]);
  const ahead = feed.watch({ ...ALL, after: 15n }, stop.signal);
  assertEquals(await next(ahead, 1), ["DELETED c 9"]);
  const awaited = next(ahead, 1);
  feed.record("modified", workflow("b", 14), b);
  feed.record("modified", workflow("b", 16), b);
  assertEquals(await awaited, ["MODIFIED b 16"]);
  stop.abort();
});

Deno.test("change feed: does not know versions whose changes have been discarded", () => {
  const feed = new ChangeFeed(() => []);
  feed.begin("1");
  for (let version = 2; version < 20_000; version++) feed.record("modified", workflow("a", version), undefined);
  assertEquals([feed.hasVersion(1n), feed.hasVersion(5_000n), feed.hasVersion(15_000n)], [false, false, true]);
});

/** A workflow with `count` nodes, as the cluster has it. */
function large(version: number, count: number): Workflow {
  const nodes = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`n${index}`, { id: `n${index}`, name: "n" }]),
  );
  return { ...workflow("large", version), status: { nodes } } as unknown as Workflow;
}

Deno.test("change feed: the kept changes are limited by the sum of their nodes", () => {
  const feed = new ChangeFeed(() => []);
  feed.begin("1");
  for (let version = 2; version <= 400; version++) feed.record("modified", large(version, 1_000), undefined);
  assertEquals([feed.hasVersion(250n), feed.hasVersion(390n)], [false, true]);
  feed.record("modified", large(401, 200_000), undefined);
  assertEquals([feed.hasVersion(400n), feed.hasVersion(401n)], [false, true]);
});

Deno.test("change feed: a watcher that falls too many nodes behind is disconnected, and one that keeps up is not", async () => {
  const feed = new ChangeFeed(() => [large(1, 200_000)]);
  feed.begin("1");
  const stop = new AbortController();
  const [slow, quick] = [feed.watch(ALL, stop.signal), feed.watch(ALL, stop.signal)];
  assertEquals(await next(slow, 1), ["ADDED large 1"]);
  assertEquals(await next(quick, 1), ["ADDED large 1"]);
  for (let version = 2; version <= 150; version++) {
    const taken = next(quick, 1);
    feed.record("modified", large(version, 1_000), large(version - 1, 0));
    assertEquals(await taken, [`MODIFIED large ${version}`]);
  }
  const largest = next(quick, 1);
  feed.record("modified", large(151, 200_000), large(150, 0));
  assertEquals(await largest, ["MODIFIED large 151"]);
  await assertRejects(() => slow.next(), Error, "read too slowly");
  stop.abort();
});

Deno.test("change feed: a watcher that does not read is disconnected, and its queue is discarded", async () => {
  const feed = new ChangeFeed(() => []);
  feed.begin("1");
  const stop = new AbortController();
  const slow = feed.watch(ALL, stop.signal);
  const first = slow.next();
  for (let version = 2; version < 6_000; version++) feed.record("modified", workflow("a", version), undefined);
  await assertRejects(() => first, Error, "too slowly");
  assertEquals((await slow.next()).done, true);
});

Deno.test("change feed: a watcher that stops reading is no longer tested against changes after its queue is full", async () => {
  const feed = new ChangeFeed(() => [workflow("a", 1)]);
  feed.begin("1");
  const stop = new AbortController();
  let asked = 0;
  const stuck = feed.watch({ matches: () => ++asked > 0 }, stop.signal);
  assertEquals(await next(stuck, 1), ["ADDED a 1"]);
  const before = asked;
  for (let version = 2; version < 20_000; version++) feed.record("modified", workflow("a", version), undefined);
  assertEquals(asked - before, 5_001);
  await assertRejects(() => stuck.next(), Error, "too slowly");
});

Deno.test("change feed: any number of watchers share one watch of the cluster", async () => {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const authorization = `Bearer ${served.token}`;
  const watches: string[] = [];
  const counted = (transport: Transport): Transport => ({
    fetch(path, init) {
      if (path.includes("watch=")) watches.push(path);
      return transport.fetch(path, init);
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  });
  const own = httpTransport({
    server: served.url,
    credentials: () => Promise.resolve({ headers: { authorization } }),
  });
  const anonymous = httpTransport({ server: served.url, retriesUnauthorized: false });
  const admin = new KubeClient(own);
  const bench = await benchOver({ own: counted(own), anonymous: counted(anonymous), admin }, ["client"]);
  try {
    const rights = ["watch", "get", "list"].map((verb) => ({ verb, group: "argoproj.io", resource: "workflows" }));
    const { token } = await bench.account(rights);
    await admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "seen"));
    const left = new AbortController();
    const path = `/api/v1/workflow-events/${NAMESPACE}?listOptions.fieldSelector=metadata.name%3Dseen`;
    const readers = await Promise.all(Array.from({ length: 200 }, async () => {
      const response = await bench.ask("GET", path, { token, signal: left.signal });
      assertEquals(response.status, 200);
      return response.body!.pipeThrough(new TextDecoderStream()).getReader();
    }));
    const heard = async (type: string) =>
      await Promise.all(readers.map(async (reader) => {
        const { result } = JSON.parse((await reader.read()).value ?? "");
        assertEquals([result.type, result.object.metadata.name], [type, "seen"]);
      }));
    await heard("ADDED");
    await admin.patch(WORKFLOWS, NAMESPACE, "seen", { metadata: { labels: { touched: "yes" } } });
    await heard("MODIFIED");
    await Promise.all(readers.map((reader) => reader.cancel()));
    left.abort();
    assert(watches.length <= 1, watches.join("\n"));
  } finally {
    await bench[Symbol.asyncDispose]();
    await served.close();
    api.close();
  }
});
