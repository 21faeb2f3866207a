import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Folder, UnpackLimitError } from "@tiphys/base/confined";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { ENV } from "@tiphys/base/constants";
import { type ContentInfo, type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { MemoryDriver } from "../testing/memory_driver.ts";
import { gzip } from "../formats/gzip.ts";
import { tarHeaders } from "../formats/tar.ts";
import { load, type Packing, retryPolicyOf, type Transfer } from "./mod.ts";
import { NodeCache } from "./node_cache.ts";

const MIB = 1 << 20;
const never = new AbortController().signal;

function place(key: string, settings: Record<string, unknown> = {}): Place {
  return { store: "s3", key, settings: { endpoint: "store", bucket: "b", ...settings } };
}

/** A cache in a separate folder, a store, and pods that load from it. */
class Bench implements AsyncDisposable {
  readonly store = new MemoryDriver();
  readonly clock = fakeClock();
  readonly lines: string[] = [];
  readonly reads: string[] = [];
  #loads = 0;

  private constructor(readonly path: string) {}

  static async open(): Promise<Bench> {
    const bench = new Bench(await Deno.makeTempDir());
    Deno.mkdirSync(bench.cachePath);
    return bench;
  }

  get cachePath(): string {
    return `${this.path}/cache`;
  }

  get entries(): string[] {
    return [...Deno.readDirSync(this.cachePath)].map(({ name }) => name).sort();
  }

  cache(max = 10 * MIB): NodeCache {
    const log = (line: string) => void this.lines.push(line);
    return new NodeCache({ path: this.cachePath, max, now: () => this.clock.now(), log });
  }

  put(key: string, fill: number, size = MIB): void {
    const content = new Uint8Array(size).fill(fill);
    this.store.objects.set(key, { content, etag: `${fill}-${size}` });
  }

  /** Returns the driver of a pod, with changes. */
  driver(change: Partial<Driver> = {}): Driver {
    const { store, reads } = this;
    return {
      can: store.can,
      find: (...args) => store.find(...args),
      read: (...args) => {
        reads.push(args[0].key);
        return store.read(...args);
      },
      list: (...args) => store.list(...args),
      write: (location, content, stop) => store.write(location, content, stop),
      remove: (...args) => store.remove(...args),
      ...change,
    };
  }

  /** Loads like a pod. Resolves to the content. */
  async load(
    key: string,
    { at = place(key), max, driver = this.driver(), packing = "none", change = {} }: {
      at?: Place;
      max?: number;
      driver?: Driver;
      packing?: Packing;
      change?: Partial<Transfer>;
    } = {},
  ): Promise<Uint8Array> {
    this.clock.advance(1000);
    using folder = Folder.open(this.path);
    const how: Transfer = {
      policy: retryPolicyOf(() => undefined),
      clock: this.clock,
      stop: never,
      log: (line) => this.lines.push(line),
      random: () => 0,
      objects: 1,
      env: () => undefined,
      cache: this.cache(max),
      ...change,
    };
    const name = `in-${this.#loads++}`;
    await this.clock.runUntil(load(driver, at, { target: { folder, name }, packing, transfer: how }));
    return Deno.readFileSync(`${this.path}/${name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

Deno.test("NodeCache: a file is loaded from its store once, and then from the cache while its etag is the same (AN-10)", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  const contents = [await bench.load("k"), await bench.load("k")];
  assertEquals(contents.map((content) => [content.length, content[0]]), [[MIB, 1], [MIB, 1]]);
  assertEquals(bench.reads, ["k"]);
  bench.put("k", 2);
  assertEquals((await bench.load("k"))[0], 2);
  assertEquals([bench.reads, bench.entries.length], [["k", "k"], 2]);
  assertEquals((await bench.load("k", { packing: "unknown" }))[0], 2);
  assertEquals(bench.reads.length, 2);
});

Deno.test("NodeCache: a reader without access to the store gets nothing from the cache", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  await bench.load("k");
  const driver = bench.driver({ find: () => Promise.reject(new StoreError("403", "forbidden")) });
  const answer = await bench.load("k", { driver }).then(() => "loaded", (error: Error) => error.message);
  assertEquals(answer, "403");
});

Deno.test("NodeCache: another key, bucket, endpoint or size is another entry", async () => {
  await using bench = await Bench.open();
  const etag = "the same";
  const content = new Uint8Array(MIB);
  for (const key of ["k", "other"]) bench.store.objects.set(key, { content, etag });
  await bench.load("k");
  await bench.load("other");
  for (const change of [{ bucket: "c" }, { endpoint: "elsewhere" }, { insecure: true }]) {
    await bench.load("k", { at: place("k", change) });
  }
  bench.store.objects.set("k", { content: new Uint8Array(MIB + 1), etag });
  await bench.load("k");
  assertEquals([bench.reads.length, bench.entries.length], [6, 6]);
});

Deno.test("NodeCache: small files, and those without etag, of other stores or with a customer's key are not cached", async () => {
  await using bench = await Bench.open();
  bench.put("small", 1, MIB - 1);
  bench.put("k", 1);
  const find = async (...args: Parameters<Driver["find"]>): Promise<ContentInfo> => {
    const { etag: _, ...found } = await bench.store.find(...args);
    return found;
  };
  await bench.load("small");
  await bench.load("k", { driver: bench.driver({ find }) });
  await bench.load("k", { at: { ...place("k"), store: "http" } });
  const encryptionOptions = { enableEncryption: true, serverSideCustomerKeySecret: { name: "s", key: "k" } };
  await bench.load("k", { at: place("k", { encryptionOptions }) });
  assertEquals([bench.reads.length, bench.entries], [4, []]);
});

Deno.test("NodeCache: the least recently used entries are evicted when the limit is exceeded", async () => {
  await using bench = await Bench.open();
  for (const fill of [1, 2, 3, 4]) bench.put(`k${fill}`, fill);
  const max = 3 * MIB;
  for (const key of ["k1", "k2", "k3", "k1", "k4"]) await bench.load(key, { max });
  assertEquals([bench.reads, bench.entries.length], [["k1", "k2", "k3", "k4"], 3]);
  bench.reads.length = 0;
  for (const key of ["k4", "k3", "k1", "k2"]) await bench.load(key, { max });
  assertEquals(bench.reads, ["k2"]);
  bench.put("large", 5, 4 * MIB);
  await bench.load("large", { max });
  assertEquals(bench.entries.length, 3);
});

Deno.test("NodeCache: incomplete entries of others count, and those without writes for an hour are removed", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  const unfinished = `${bench.cachePath}/.${crypto.randomUUID()}.tmp`;
  Deno.writeFileSync(unfinished, new Uint8Array(2 * MIB));
  const touch = (millis: number) => Deno.utimeSync(unfinished, new Date(millis), new Date(millis));
  touch(bench.clock.now());
  await bench.load("k", { max: 2 * MIB });
  assertEquals(bench.entries.length, 1);
  assertStringIncludes(bench.lines.join(), `the node cache has no space for ${MIB} bytes`);
  touch(bench.clock.now() - 3_700_000);
  await bench.load("k", { max: 2 * MIB });
  assertEquals(bench.entries.map((name) => name.endsWith(".tmp")), [false]);
});

Deno.test("NodeCache: a damaged entry is removed, and its content loaded from the store", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  await bench.load("k");
  const [entry] = bench.entries;
  Deno.writeFileSync(`${bench.cachePath}/${entry}`, new Uint8Array(MIB).fill(9));
  assertEquals((await bench.load("k"))[0], 1);
  assertStringIncludes(bench.lines.join(), "in the cache is damaged");
  assertEquals([bench.reads, bench.entries], [["k", "k"], []]);
  await bench.load("k");
  Deno.truncateSync(`${bench.cachePath}/${bench.entries[0]}`, 5);
  assertEquals((await bench.load("k"))[0], 1);
  assertEquals(bench.entries.length, 1);
});

Deno.test("NodeCache: a load that is stopped or exceeds a limit ends, and the entry is kept", async () => {
  await using bench = await Bench.open();
  const tar = [...tarHeaders("f", "0", 2 * MIB, { mode: 0o644, mtime: null }), new Uint8Array(2 * MIB + 1024)];
  const packed = await new Response(ReadableStream.from(tar).pipeThrough(await gzip(0))).bytes();
  bench.store.objects.set("k", { content: packed, etag: "e" });
  await bench.load("k");
  const stopping = new AbortController();
  const log = (line: string) => line.includes("in the cache") && stopping.abort(new Error("the pod ends"));
  const stopped = bench.load("k", { change: { stop: stopping.signal, log } });
  await assertRejects(() => stopped, Error, "the pod ends");
  const env = (name: string) => name === ENV.maxUnpackedBytes ? "1000" : undefined;
  await assertRejects(() => bench.load("k", { packing: "tar", change: { env } }), UnpackLimitError);
  assertEquals([bench.reads, bench.entries.length], [["k"], 1]);
});

Deno.test("NodeCache: a link in place of an entry is not followed, and a missing cache does not prevent loading", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  await bench.load("k");
  const [entry] = bench.entries;
  Deno.writeFileSync(`${bench.path}/secret`, new Uint8Array(MIB).fill(7));
  Deno.removeSync(`${bench.cachePath}/${entry}`);
  Deno.symlinkSync(`${bench.path}/secret`, `${bench.cachePath}/${entry}`);
  assertEquals((await bench.load("k"))[0], 1);
  Deno.removeSync(bench.cachePath, { recursive: true });
  assertEquals((await bench.load("k"))[0], 1);
  assertStringIncludes(bench.lines.at(-1)!, "the cache of this node is not used");
});

Deno.test("NodeCache: a failed download leaves no entry, and an interrupted one that resumes leaves a complete entry", async () => {
  await using bench = await Bench.open();
  bench.put("k", 1);
  const failing = bench.driver({ read: () => Promise.reject(new StoreError("gone", "final")) });
  await bench.load("k", { driver: failing }).catch(() => {});
  assertEquals(bench.entries, []);
  let isBroken = false;
  const breaking = bench.driver({
    async read(location, part, stop) {
      if (isBroken) return await bench.store.read(location, part, stop);
      isBroken = true;
      const first = (await new Response(await bench.store.read(location, part, stop)).bytes()).slice(0, 1000);
      return new ReadableStream({
        start: (stream) => stream.enqueue(first),
        pull: () => Promise.reject(new StoreError("reset", "transient")),
      }, { highWaterMark: 0 });
    },
  });
  await bench.load("k", { driver: breaking });
  assertEquals([bench.entries.length, (await bench.load("k"))[0], bench.reads], [1, 1, []]);
});
