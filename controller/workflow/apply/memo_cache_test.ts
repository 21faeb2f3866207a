import { assertEquals, assertRejects } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, KubeClient, type KubeObject, type Transport } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { createApiServer } from "../../../local/api/mod.ts";
import { lineLog } from "@tiphys/base/log";
import { machineClock } from "../../loop/clock.ts";
import { collectMemos } from "./memo_gc.ts";
import { MemoStore } from "./memo_store.ts";

type Map = KubeObject & { data?: Record<string, string> };

/** Caches with a test API server; `requests` contains its requests, and `refuse` makes it refuse some of them. */
class World implements Disposable {
  readonly #api = createApiServer({ storePath: ":memory:" });
  readonly client = this.#api.client();
  readonly requests: string[] = [];
  refuse: (method: string, path: string) => number | undefined = () => undefined;

  store(namespace = "argo"): MemoStore {
    const next = this.#api.client().transport;
    const transport: Transport = {
      ...next,
      webSocket: (path, protocols) => next.webSocket(path, protocols),
      close: () => next.close(),
      fetch: (path, init = {}) => {
        const { pathname } = new URL(path, "http://api");
        const method = init.method ?? "GET";
        this.requests.push(`${method} ${pathname}`);
        const status = this.refuse(method, pathname);
        return status === undefined
          ? next.fetch(path, init)
          : Promise.resolve(Response.json({ kind: "Status", code: status, message: "not for you" }, { status }));
      },
    };
    const client = new KubeClient(transport);
    return new MemoStore({
      client,
      clock: machineClock(),
      signal: new AbortController().signal,
      namespace: () => namespace,
    });
  }

  async map(namespace = "argo"): Promise<Map> {
    return await this.client.get<Map>(CONFIGMAPS, namespace, "cache");
  }

  async create(data: Record<string, string>, labels?: Record<string, string>, namespace = "argo"): Promise<void> {
    await this.client.create(CONFIGMAPS, namespace, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "cache", ...(labels && { labels }) },
      data,
    });
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }
}

const CACHE = { [LABEL.configMapType]: "Cache" };
const AT = "2026-11-22T09:49:46Z";
const LATER = "2026-11-22T09:50:00Z";

function memo(key: string, value = "x", time = AT) {
  return { key, nodeId: `node-${key}`, outputs: { parameters: [{ name: "p", value }] }, at: time };
}

function entry(key: string, time: string, size = 0): string {
  const outputs = { result: "x".repeat(size) };
  return JSON.stringify({ nodeID: key, outputs, creationTimestamp: time, lastHitTimestamp: time });
}

Deno.test("cache: an entry is saved in a ConfigMap of the controller's namespace with its label, in Argo's format (ME-1, ME-11)", async () => {
  using world = new World();
  await world.store().cache("team", "cache").save(memo("k"));
  const { metadata: { labels }, data } = await world.map();
  assertEquals(labels?.[LABEL.configMapType], "Cache");
  assertEquals(data, {
    k: '{"nodeID":"node-k","outputs":{"parameters":[{"name":"p","value":"x"}]},' +
      `"creationTimestamp":"${AT}","lastHitTimestamp":"${AT}"}`,
  });
  assertEquals(world.requests.filter((request) => !request.startsWith("GET")).length, 1);
});

Deno.test("cache: missing outputs are saved as null, and read as missing", async () => {
  using world = new World();
  const cache = world.store().cache("team", "cache");
  await cache.save({ key: "k", nodeId: "n", outputs: undefined, at: AT });
  assertEquals(JSON.parse((await world.map()).data!.k!).outputs, null);
  const found = await cache.lookUp("k");
  assertEquals("entry" in found && found.entry?.outputs, undefined);
});

Deno.test("cache: a cache in the workflow's namespace takes precedence over the controller's if it may be read (ME-2)", async () => {
  using world = new World();
  await world.create({ k: entry("theirs", AT) }, CACHE, "team");
  await world.create({ k: entry("ours", AT) }, CACHE);
  const found = await world.store().cache("team", "cache").lookUp("k");
  assertEquals("entry" in found && found.entry?.nodeID, "theirs");
  await world.store().cache("team", "cache").save(memo("new"));
  assertEquals(Object.keys((await world.map("team")).data!), ["k", "new"]);
  world.refuse = (_method, path) => path.includes("/team/") ? 403 : undefined;
  const other = await world.store().cache("team", "cache").lookUp("k");
  assertEquals("entry" in other && other.entry?.nodeID, "ours");
});

Deno.test("cache: concurrent requests cost one read and one write, and a lookup finds an entry that is saved concurrently", async () => {
  using world = new World();
  const cache = world.store().cache("argo", "cache");
  const lookUps = Array.from({ length: 50 }, () => cache.lookUp("k"));
  const saved = cache.save(memo("k"));
  const all = await Promise.all(lookUps);
  await saved;
  assertEquals(all.every((result) => "entry" in result && result.entry?.nodeID === "node-k"), true);
  assertEquals(world.requests.length, 2);
});

Deno.test("cache: a hit updates only the time of the last hit, once per second (ME-9)", async () => {
  using world = new World();
  await world.create({ k: entry("k", AT), other: entry("other", AT) }, CACHE);
  const cache = world.store().cache("argo", "cache");
  await Promise.all([cache.refresh("k", LATER), cache.refresh("k", LATER)]);
  await cache.refresh("k", LATER);
  const { data } = await world.map();
  assertEquals(JSON.parse(data!.k!), { ...JSON.parse(entry("k", AT)), lastHitTimestamp: LATER });
  assertEquals(data!.other, entry("other", AT));
  assertEquals(world.requests.filter((request) => request.startsWith("PATCH")).length, 1);
});

Deno.test("cache: two controllers that save different keys concurrently both find theirs (T-ME-11)", async () => {
  using world = new World();
  await Promise.all([
    world.store().cache("a", "cache").save(memo("one")),
    world.store().cache("b", "cache").save(memo("two")),
  ]);
  assertEquals(Object.keys((await world.map()).data!).sort(), ["one", "two"]);
});

Deno.test("cache: a full cache evicts the entries that were hit least recently (ME-12)", async () => {
  using world = new World();
  const third = Math.floor(LIMITS.configMapBytes / 3);
  const full = {
    old: entry("old", "2026-01-01T00:00:00Z", third),
    older: entry("older", "2025-01-01T00:00:00Z", third),
    young: entry("young", "2026-02-01T00:00:00Z", third - 4096),
  };
  await world.create(full, CACHE);
  const cache = world.store().cache("argo", "cache");
  await cache.save(memo("new", "y".repeat(5000)));
  assertEquals(Object.keys((await world.map()).data!).sort(), ["new", "old", "young"]);
});

Deno.test("cache: outputs that do not fit into a ConfigMap are refused, and others are saved", async () => {
  using world = new World();
  const cache = world.store().cache("argo", "cache");
  const [large, small] = await Promise.allSettled([
    cache.save(memo("large", "y".repeat(LIMITS.configMapBytes))),
    cache.save(memo("small")),
  ]);
  assertEquals([large?.status, small?.status], ["rejected", "fulfilled"]);
  assertEquals(Object.keys((await world.map()).data!), ["small"]);
});

Deno.test("cache: a key that is invalid in a ConfigMap is refused, and others are saved", async () => {
  using world = new World();
  const cache = world.store().cache("argo", "cache");
  const long = cache.save(memo("k".repeat(254)));
  const longest = "l".repeat(253);
  await Promise.all([cache.save(memo("a")), cache.save(memo(longest)), assertRejects(() => long, Error, "253")]);
  assertEquals(Object.keys((await world.map()).data ?? {}).sort(), ["a", longest]);
});

Deno.test("cache: entries with any key that is valid in a ConfigMap can be evicted", async () => {
  using world = new World();
  const half = "x".repeat(LIMITS.configMapBytes / 2);
  await world.create(JSON.parse(`{"__proto__": "${half}", "constructor": "small"}`), CACHE);
  await world.store().cache("argo", "cache").save(memo("a", half));
  assertEquals(Object.keys((await world.map()).data ?? {}).sort(), ["a", "constructor"]);
});

Deno.test("cache: bytes that other clients add to the ConfigMap count toward the limit, and stay", async () => {
  using world = new World();
  const third = LIMITS.configMapBytes / 3;
  await world.create({ old: entry("old", AT, third) }, CACHE);
  const binaryData = { other: btoa("x".repeat(third)) };
  await world.client.patch(CONFIGMAPS, "argo", "cache", { binaryData });
  await world.store().cache("argo", "cache").save(memo("a", "x".repeat(third)));
  const map = await world.map();
  assertEquals([Object.keys(map.data ?? {}), map.binaryData], [["a"], binaryData]);
});

Deno.test("cache: a ConfigMap that is not a cache is not written to, and labels of its owner stay (ME-4, ME-11)", async () => {
  using world = new World();
  await world.create({}, { mine: "yes" });
  await assertRejects(() => world.store().cache("argo", "cache").save(memo("k")), Error, "refusing to use it");
  await world.create({}, { ...CACHE, mine: "yes" }, "team");
  await world.store().cache("team", "cache").save(memo("k"));
  assertEquals((await world.map("team")).metadata.labels, { ...CACHE, mine: "yes" });
  assertEquals((await world.map()).data, {});
});

Deno.test("cache: a refused write does not affect concurrent lookups", async () => {
  using world = new World();
  await world.create({ k: entry("k", AT) }, CACHE);
  world.refuse = (method) => method === "PATCH" || method === "PUT" ? 403 : undefined;
  const cache = world.store().cache("argo", "cache");
  const [saved, found] = await Promise.allSettled([cache.save(memo("new")), cache.lookUp("k")]);
  assertEquals([saved?.status, found?.status], ["rejected", "fulfilled"]);
});

Deno.test("cache: a ConfigMap that may not be patched is updated, and patching is tried only once", async () => {
  using world = new World();
  await world.create({ k: entry("k", AT) }, { ...CACHE, mine: "yes" });
  world.refuse = (method) => method === "PATCH" ? 403 : undefined;
  const store = world.store();
  await store.cache("argo", "cache").save(memo("new"));
  await store.cache("argo", "cache").refresh("k", LATER);
  const { metadata, data = {} } = await world.map();
  assertEquals([Object.keys(data).sort(), metadata.labels], [["k", "new"], { ...CACHE, mine: "yes" }]);
  assertEquals(JSON.parse(data.k!).lastHitTimestamp, LATER);
  const methods = world.requests.map((request) => request.split(" ")[0]);
  assertEquals(methods.filter((method) => method !== "GET"), ["PATCH", "PUT", "PUT"]);
});

Deno.test("cache: an update that conflicts with another write is retried", async () => {
  using world = new World();
  await world.create({}, CACHE);
  let isFirst = true;
  world.refuse = (method) => {
    if (method !== "PUT" || !isFirst) return method === "PATCH" ? 403 : undefined;
    isFirst = false;
    return 409;
  };
  await world.store().cache("argo", "cache").save(memo("new"));
  assertEquals(Object.keys((await world.map()).data!), ["new"]);
});

Deno.test("cache: cleanup removes old entries, keeps those that it cannot parse, and deletes only ConfigMaps of the controller (ME-14)", async () => {
  using world = new World();
  await world.create({ old: entry("old", AT), young: entry("young", LATER), bad: "{" }, CACHE);
  await world.create({ old: entry("old", AT) }, CACHE, "theirs");
  await world.store("ours").cache("ours", "cache").save(memo("old"));
  const { items } = await world.client.list<Map>(CONFIGMAPS, undefined);
  await collectMemos({
    client: world.client,
    clock: { ...machineClock(), now: () => Date.parse(LATER) },
    log: lineLog({ level: "error", format: "text", write: () => {} }),
    configMaps: () => items,
    everyMillis: 1000,
    afterNotHitMillis: 10_000,
  });
  assertEquals(Object.keys((await world.map()).data!).sort(), ["bad", "young"]);
  assertEquals((await world.map("theirs")).data, {});
  const left = await world.client.list<Map>(CONFIGMAPS, "ours");
  assertEquals(left.items.length, 0);
});
