import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { Folder, Handle } from "@tiphys/base/confined";
import { type Bytes, byteStream, partsOf } from "@tiphys/base/net";
import { type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { MemoryDriver } from "../testing/memory_driver.ts";
import { needs } from "../../base/testing/needs.ts";
import { listItemsBelow } from "./folder_names.ts";
import { load, type Packing, retryPolicyOf, save, type SaveFormat, type Transfer } from "./mod.ts";
import { sourceOf } from "./save.ts";
import { sourceOf as sourceOfBytes } from "../testing/contract/bench.ts";

/** Changes of a save in a test. */
type BenchChange = Partial<Transfer> & { readonly driver?: Driver };
import { startsWithZstdMark, ZSTD_MARK } from "../formats/mod.ts";

/** A folder of a test, a store in memory, and transfers between them. */
class Bench implements AsyncDisposable {
  readonly store = new MemoryDriver();
  readonly lines: string[] = [];
  readonly clock = fakeClock();
  readonly transfer: Transfer = {
    policy: retryPolicyOf(() => undefined),
    clock: this.clock,
    stop: new AbortController().signal,
    log: (line) => this.lines.push(line),
    random: () => 0,
    objects: 4,
    env: () => undefined,
  };

  private constructor(readonly path: string) {}

  static async open(files: Readonly<Record<string, string>> = {}): Promise<Bench> {
    const bench = new Bench(await Deno.makeTempDir());
    for (const [name, text] of Object.entries(files)) {
      const path = `${bench.path}/${name}`;
      if (name.endsWith("/")) await Deno.mkdir(path, { recursive: true });
      else {
        await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
        await Deno.writeTextFile(path, text);
      }
    }
    return bench;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }

  async save(name: string, packed: SaveFormat = { kind: "none" }, key = "out", change: BenchChange = {}) {
    using held = Handle.open(`${this.path}/${name}`);
    const { driver = this.store, ...how } = change;
    return await this.clock.runUntil(save(driver, at(key), { held, packed, how: { ...this.transfer, ...how } }));
  }

  async load(key: string, packing: Packing = "none", driver: Driver = this.store, name = "in") {
    using folder = Folder.open(this.path);
    return await this.clock.runUntil(
      load(driver, at(key), { target: { folder, name }, packing, transfer: this.transfer }),
    );
  }

  put(key: string, text = "x"): void {
    this.store.objects.set(key, { content: new TextEncoder().encode(text), etag: `etag of ${text}` });
  }

  get keys(): string[] {
    return [...this.store.objects.keys()].sort();
  }

  /** The names in the folder of the test. */
  get names(): string[] {
    return [...Deno.readDirSync(this.path)].map(({ name }) => name).sort();
  }

  text(name: string): string {
    return Deno.readTextFileSync(`${this.path}/${name}`);
  }
}

const at = (key: string): Place => ({ store: "memory", key, settings: {} });

/** A store with changed methods. */
function withMethods(store: Driver, change: Partial<Driver>): Driver {
  return {
    can: store.can,
    find: (...args) => store.find(...args),
    read: (...args) => store.read(...args),
    list: (...args) => store.list(...args),
    write: (...args) => store.write(...args),
    remove: (...args) => store.remove(...args),
    ...change,
  };
}

/** A store whose reads are interrupted after these numbers of bytes, once each, in order. */
function breaking(store: Driver, after: number[], error = () => new StoreError("reset", "transient")): Driver {
  return withMethods(store, {
    async read(location: Place, part: object, stop: AbortSignal) {
      const stream = await store.read(location, part, stop);
      const limit = after.shift();
      if (limit === undefined) return stream;
      const whole = await new Response(stream).bytes();
      return new ReadableStream<Bytes>({
        start(controller) {
          if (limit > 0) controller.enqueue(whole.slice(0, limit));
        },
        pull: (controller) => controller.error(error()),
      }, { highWaterMark: 0 });
    },
  });
}

Deno.test("transfer: a folder is restored with all its files and empty folders (AR-03)", async () => {
  await using bench = await Bench.open({ "tree/a": "1", "tree/b/c": "2", "tree/b/none/": "", "tree/void/deep/": "" });
  assertEquals((await bench.save("tree")).objects, 4);
  assertEquals(bench.keys, ["out/a", "out/b/c", "out/b/none/", "out/void/deep/"]);
  await bench.load("out");
  assertEquals([bench.text("in/a"), bench.text("in/b/c")], ["1", "2"]);
  for (const empty of ["in/b/none", "in/void/deep"]) assertEquals([...Deno.readDirSync(`${bench.path}/${empty}`)], []);
});

Deno.test("save: the reported size of a folder is the sum of its files, however many are saved concurrently", async () => {
  const files = Array.from({ length: 20 }, (_, number) => [`tree/${number}`, "x".repeat(number)]);
  await using bench = await Bench.open(Object.fromEntries(files));
  assertEquals(await bench.save("tree"), { kind: "folder", objects: 20, bytes: 190 });
});

Deno.test("save: a file is saved in its state when it is sent, whether read at once or in pieces", async () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    const text = Array.from({ length: size }, (_, index) => String.fromCharCode(97 + index % 23)).join("");
    await using bench = await Bench.open({ file: text });
    using held = Handle.open(`${bench.path}/file`);
    using file = Deno.openSync(held.path);
    const source = sourceOf(held, size, "file", file);
    assertEquals(source.whole !== undefined, size <= 65_536);
    const parts = await Array.fromAsync(partsOf(source), (part) => new TextDecoder().decode(part));
    assertEquals(parts.join(""), text);
    assertEquals(await new Response(source.open(0, size)).text(), text);
  }
});

Deno.test("save: a file that became shorter is not saved", async () => {
  for (const size of [10, 100_000]) {
    await using bench = await Bench.open({ file: "x".repeat(size) });
    using held = Handle.open(`${bench.path}/file`);
    using file = Deno.openSync(held.path);
    const source = sourceOf(held, size + 1, "the key", file);
    await assertRejects(() => Array.fromAsync(partsOf(source)), Error, "the key became shorter while it was read");
  }
});

Deno.test("load: a marker next to files is not a file, and alone it is an empty folder (AR-11)", async () => {
  await using bench = await Bench.open();
  for (const key of ["both/", "both/a", "alone/"]) bench.put(key, key.endsWith("/") ? "" : "x");
  await bench.load("both");
  assertEquals([...Deno.readDirSync(`${bench.path}/in`)].map(({ name }) => name), ["a"]);
  await bench.load("alone/", "none", bench.store, "other");
  assertEquals([...Deno.readDirSync(`${bench.path}/other`)], []);
});

Deno.test("transfer: names with a line feed, a leading hyphen, and 255 bytes are preserved (AR-12)", async () => {
  const names = ["two\nlines", "-rf", "ü".repeat(127) + "x"];
  await using bench = await Bench.open(Object.fromEntries(names.map((name) => [`tree/${name}`, name])));
  await bench.save("tree");
  await bench.load("out");
  for (const name of names) assertEquals(bench.text(`in/${name}`), name);
});

Deno.test("load: a file and a folder with the same name are an error that names both (AR-13)", async () => {
  await using bench = await Bench.open();
  for (const key of ["out/x", "out/x/y"]) bench.put(key);
  const error = await assertRejects(() => bench.load("out"), StoreError);
  assertStringIncludes(error.message, 'both "x" and "x/y"');
  assertEquals(bench.names, []);
});

Deno.test("save: existing objects of a folder are kept, and their number is logged (AR-15)", async () => {
  await using bench = await Bench.open({ "tree/a": "new" });
  for (const key of ["out/a", "out/b", "out/c"]) bench.put(key, "old");
  await bench.save("tree");
  assertEquals(bench.keys, ["out/a", "out/b", "out/c"]);
  assert(bench.lines.some((line) => line.startsWith("2 other objects that already existed below")), bench.lines.join());
});

Deno.test("save: a link to a file of the folder is saved as that file (AR-16)", async () => {
  await using bench = await Bench.open({ "tree/a/file": "content" });
  await Deno.symlink("a/file", `${bench.path}/tree/one`);
  await Deno.symlink("one", `${bench.path}/tree/two`);
  await bench.save("tree");
  await bench.load("out");
  for (const name of ["one", "two"]) assertEquals(bench.text(`in/${name}`), "content");
});

for (
  const [title, target] of [
    ["leads nowhere", "none"],
    ["leads out of the folder", "../secret"],
    ["is absolute", "/etc/passwd"],
    ["leads to a folder", "folder"],
    ["leads in a circle", "link"],
  ] as const
) {
  Deno.test(`save: a link that ${title} is rejected by name, and not omitted silently (AR-16)`, async () => {
    await using bench = await Bench.open({ "tree/folder/a": "x", "secret": "the secret" });
    await Deno.symlink(target, `${bench.path}/tree/link`);
    const error = await assertRejects(() => bench.save("tree"), Error);
    assertStringIncludes(error.message, "link is a link");
    for (const { content } of bench.store.objects.values()) assertEquals(new TextDecoder().decode(content), "x");
  });
}

Deno.test("save: a pipe in a folder is an error that names it (AR-17)", async () => {
  await using bench = await Bench.open({ "tree/a": "x" });
  assertEquals((await new Deno.Command("mkfifo", { args: [`${bench.path}/tree/pipe`] }).output()).success, true);
  const error = await assertRejects(() => bench.save("tree"), Error);
  assertStringIncludes(error.message, "pipe is a pipe, socket or device");
});

Deno.test({
  name: "a folder that may not be read is an error, and no part of it a success (AR-17)",
  ignore: Deno.uid() === 0,
  async fn() {
    await using bench = await Bench.open({ "tree/a": "x", "tree/closed/b": "x" });
    await Deno.chmod(`${bench.path}/tree/closed`, 0);
    await assertRejects(() => bench.save("tree"), Error, "closed").finally(() =>
      Deno.chmod(`${bench.path}/tree/closed`, 0o700)
    );
  },
});

Deno.test("save: a file that is deleted while its folder is saved is an error that names it (AR-17)", async () => {
  const names = ["a", "b", "c", "d", "e", "last"];
  await using bench = await Bench.open(Object.fromEntries(names.map((name) => [`tree/${name}`, name])));
  let isThere = true;
  const taking = withMethods(bench.store, {
    write(location, content, stop) {
      if (isThere) Deno.removeSync(`${bench.path}/tree/last`);
      isThere = false;
      return bench.store.write(location, content, stop);
    },
  });
  using held = Handle.open(`${bench.path}/tree`);
  const saving = () =>
    bench.clock.runUntil(save(taking, at("out"), { held, packed: { kind: "none" }, how: bench.transfer }));
  assertStringIncludes((await assertRejects(saving, Error)).message, "last");
});

Deno.test("load: a folder with too many objects is rejected, even if they are repeated", async () => {
  await using bench = await Bench.open();
  const driver = withMethods(bench.store, {
    async *list() {
      for (;;) yield await Promise.resolve({ name: "a", size: 1 });
    },
  });
  const error = await assertRejects(
    () => Array.fromAsync(listItemsBelow(driver, at("out"), bench.transfer, 1000)),
    StoreError,
  );
  assertEquals([error.kind, error.message], ["final", "memory out lists more than 1000 objects"]);
});

Deno.test("transfer: a folder that is packed on the way is restored (AR-26)", async () => {
  await using bench = await Bench.open({ "tree/a": "1", "tree/b/c": "2" });
  await bench.save("tree", { kind: "tar", name: "tree" });
  assertEquals(bench.keys, ["out"]);
  await bench.load("out", "unknown");
  assertEquals([bench.text("in/a"), bench.text("in/b/c")], ["1", "2"]);
});

Deno.test("load: a missing key leaves nothing at the target (AR-30)", async () => {
  await using bench = await Bench.open();
  assertEquals((await assertRejects(() => bench.load("out"), StoreError)).kind, "missing");
  assertEquals(bench.names, []);
});

Deno.test("load: an interrupted download resumes with increasing delays (AR-50)", async () => {
  await using bench = await Bench.open();
  const text = "0123456789";
  bench.put("out", text);
  const asked: number[] = [];
  const driver = breaking(bench.store, [0, 1, 8]);
  const noting = withMethods(driver, {
    read(location, part, stop) {
      asked.push(part.from ?? 0);
      return driver.read(location, part, stop);
    },
  });
  await bench.load("out", "none", noting);
  assertEquals(bench.text("in"), text);
  assertEquals(asked, [0, 0, 1, 9]);
  assertEquals(Math.round(bench.clock.elapsed), 1000 + 1600 + 2560);
});

Deno.test("load: a download that is always interrupted is abandoned, and leaves nothing (AR-51)", async () => {
  await using bench = await Bench.open();
  bench.put("out", "0123456789");
  const driver = breaking(bench.store, Array.from({ length: 99 }, () => 0));
  const error = await assertRejects(() => bench.load("out", "none", driver), Error);
  assertStringIncludes(error.message, "reset (gave up after 5 tries in 9 s)");
  assertEquals(bench.names, []);
});

Deno.test("load: content that changes while it is read is read from its beginning, and never mixed (AR-22)", async () => {
  await using bench = await Bench.open();
  bench.put("out", "old old old");
  const driver = breaking(bench.store, [3], () => {
    bench.put("out", "new new new new");
    return new StoreError("reset", "transient");
  });
  await bench.load("out", "none", driver);
  assertEquals(bench.text("in"), "new new new new");
});

Deno.test("load: content in a reused buffer is complete, even if its first bytes are inspected before", async () => {
  await using bench = await Bench.open({ "tree/a": "a".repeat(5_000), "tree/b": "b" });
  // The store's own connection does so: each read overwrites the previous one.
  const filling = withMethods(bench.store, {
    async read(...args) {
      const content = new Uint8Array(await new Response(await bench.store.read(...args)).arrayBuffer());
      let offset = 0;
      return byteStream((into) => {
        const part = content.subarray(offset, offset += 7);
        if (part.length === 0) return Promise.resolve(undefined);
        if (!into) return Promise.resolve(part.slice());
        into.fill(0);
        into.set(part);
        return Promise.resolve(into.subarray(0, part.length));
      }, () => {});
    },
  });
  const onlyLooksSo = "\u001f\u008b but it is no archive: ".padEnd(3_000, "0123456789");
  bench.store.objects.set("odd", { content: Uint8Array.from(onlyLooksSo, (sign) => sign.charCodeAt(0)), etag: "odd" });
  await bench.load("odd", "unknown", filling, "odd");
  assertEquals(Deno.readFileSync(`${bench.path}/odd`), bench.store.objects.get("odd")!.content);
  const tar = { kind: "tar", name: "tree" } as const;
  const zst = { ...tar, with: "zstd" } as const;
  const ways: readonly (readonly [SaveFormat, Packing])[] = [
    [tar, "unknown"],
    [tar, "tar"],
    [zst, "unknown"],
    [zst, "tar"],
    [{ kind: "zip", name: "tree" }, "zip"],
  ];
  for (const [index, [packed, packing]] of ways.entries()) {
    await bench.save("tree", packed, `${index}`);
    await bench.load(`${index}`, packing, filling, `of-${index}`);
    assertEquals(["a", "b"].map((name) => bench.text(`of-${index}/${name}`)), ["a".repeat(5_000), "b"], packing);
  }
});

Deno.test("save: a tar.gz that is compressed again with zstd has the same content, and a mark", async () => {
  await using bench = await Bench.open({ "tree/a": "1", "tree/b/c": "2" });
  await bench.save("tree", { kind: "tar", name: "tree" }, "gz");
  await Deno.writeFile(`${bench.path}/copy`, bench.store.objects.get("gz")!.content);
  const moved = await bench.save("copy", { kind: "repacked", level: 9 }, "zst");
  assertEquals(moved.bytes, bench.store.objects.get("zst")!.content.length);
  assertEquals(startsWithZstdMark(bench.store.objects.get("zst")!.content), true);
  await bench.load("zst", "unknown");
  assertEquals([bench.text("in/a"), bench.text("in/b/c")], ["1", "2"]);
  await Deno.writeTextFile(`${bench.path}/copy`, "no archive");
  await assertRejects(() => bench.save("copy", { kind: "repacked" }, "none"), Error, "it is not a gzip file");
});

Deno.test("load: a tar compressed with zstd by others is a file, unless the artifact declares it as tar", async () => {
  await using bench = await Bench.open({ "tree/a": "1" });
  await bench.save("tree", { kind: "tar", name: "tree", with: "zstd" }, "marked");
  const content = bench.store.objects.get("marked")!.content.subarray(ZSTD_MARK.length);
  bench.store.objects.set("foreign", { content, etag: "foreign" });
  bench.store.objects.set("short", { content: ZSTD_MARK.slice(0, 7), etag: "short" });
  for (const name of ["foreign", "short"]) {
    await bench.load(name, "unknown", bench.store, name);
    assertEquals(Deno.readFileSync(`${bench.path}/${name}`), bench.store.objects.get(name)!.content);
  }
  await bench.load("foreign", "tar", bench.store, "unpacked");
  assertEquals(bench.text("unpacked/a"), "1");
});

Deno.test("load: content with another checksum than the store's is damaged, and leaves nothing (AR-56)", async () => {
  await using bench = await Bench.open();
  bench.put("out", "content");
  const driver = withMethods(bench.store, {
    find: async (location: Place, stop: AbortSignal) => ({
      ...await bench.store.find(location, stop),
      sha256: "0".repeat(64),
    }),
  });
  const error = await assertRejects(() => bench.load("out", "none", driver), Error);
  assertStringIncludes(error.message, `${"0".repeat(64)} was expected`);
  assertEquals(bench.names, []);
});

Deno.test("load: content is verified with its CRC-32 if the store has it together with its digest", async () => {
  await using bench = await Bench.open();
  bench.put("out", "0123456789");
  const sha256 = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";
  const keeping = (crc32: string) =>
    withMethods(bench.store, {
      find: async (location: Place, stop: AbortSignal) => ({
        ...await bench.store.find(location, stop),
        sha256,
        crc32,
      }),
    });
  const moved = await bench.load("out", "none", keeping("poTHxg=="));
  assertEquals([moved.sha256, bench.text("in")], [sha256, "0123456789"]);
  const error = await assertRejects(() => bench.load("out", "none", keeping("AAAAAA=="), "other"), Error);
  assertStringIncludes(error.message, "its crc32 is poTHxg==, and AAAAAA== was expected");
  assertEquals(bench.names, ["in"]);
});

Deno.test("list: a failed page is requested again, and no object is repeated (AR-60)", async () => {
  await using bench = await Bench.open();
  for (const key of ["out/a", "out/b", "out/c"]) bench.put(key, key);
  let failed = false;
  const driver = withMethods(bench.store, {
    async *list(location: Place, stop: AbortSignal) {
      for await (const item of bench.store.list(location, stop)) {
        if (item.name === "c" && !failed) {
          failed = true;
          throw new StoreError("503", "transient");
        }
        yield item;
      }
    },
  });
  assertEquals((await bench.load("out", "none", driver)).objects, 3);
  assertEquals(failed, true);
});

Deno.test("load: one entry of an archive gets the artifact's name; several entries, or none, become a folder (AR-87)", async () => {
  await using bench = await Bench.open({ "one/file": "1", "two/a": "1", "two/b": "2", "none/": "" });
  for (const name of ["one", "two", "none"]) await bench.save(name, { kind: "tar", name: "." }, name);
  for (const name of ["one", "two", "none"]) await bench.load(name, "tar", bench.store, `in-${name}`);
  assertEquals(bench.text("in-one"), "1");
  assertEquals([bench.text("in-two/a"), bench.text("in-two/b")], ["1", "2"]);
  assertEquals([...Deno.readDirSync(`${bench.path}/in-none`)], []);
});

/** A store that reports existing objects, and records the requested keys. */
function recordingStore(store: MemoryDriver) {
  const asked: string[] = [];
  const driver = withMethods(store, {
    can: { ...store.can, skipsExisting: true },
    async write(location, content, stop, writing) {
      if (!writing?.skipsExisting) return await store.write(location, content, stop);
      asked.push(location.key);
      const before = store.objects.get(location.key)?.etag;
      const written = await store.write(location, content, stop);
      return { ...written, sha256: written.etag!, ...(before === written.etag ? { hasExisted: true } : {}) };
    },
  });
  return { asked, driver };
}

Deno.test("save: existing content is checked only if it may exist (AN-03)", async () => {
  await using bench = await Bench.open({ file: "content" });
  const { asked, driver } = recordingStore(bench.store);
  assertEquals((await bench.save("file", { kind: "none" }, "own", { driver })).unsent, undefined);
  assertEquals(asked, []);
  const first = await bench.save("file", { kind: "none" }, "given", { driver, mayExist: true });
  const { unsent, ...again } = await bench.save("file", { kind: "none" }, "given", { driver, mayExist: true });
  assertEquals([unsent, again, asked], [1, first, ["given", "given"]]);
  await bench.save("file", { kind: "tar", name: "file" }, "packed", { driver, mayExist: true });
  assertEquals(asked.at(-1), "packed");
  await bench.save("file", { kind: "none" }, "given", { mayExist: true });
  assertEquals(asked.length, 3, "no request is sent to a store that does not report it");
});

Deno.test("save: in a folder, existing content is checked only for files with the same size", async () => {
  await using bench = await Bench.open({ "tree/same": "1", "tree/other": "2", "tree/longer": "34", "tree/new": "5" });
  const { asked, driver } = recordingStore(bench.store);
  for (const [name, text] of [["same", "1"], ["other", "x"], ["longer", "3"]] as const) {
    const content = new TextEncoder().encode(text);
    await bench.store.write(at(`out/${name}`), sourceOfBytes(content), bench.transfer.stop);
  }
  const moved = await bench.save("tree", { kind: "none" }, "out", { driver, mayExist: true });
  assertEquals(moved, { kind: "folder", bytes: 5, objects: 4, unsent: 1 });
  assertEquals(asked.sort(), ["out/other", "out/same"]);
  const texts = ["same", "other", "longer", "new"].map((name) =>
    new TextDecoder().decode(bench.store.objects.get(`out/${name}`)!.content)
  );
  assertEquals(texts, ["1", "2", "34", "5"]);
});

const LARGE = "0123456789abcdef".repeat(1 << 20) + "and a rest";

/** A store whose read blocks after a number of bytes, as for a process that is killed then. */
function stuckAfter(store: MemoryDriver, bytes: number) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const driver = withMethods(store, {
    async read(location, part, stop) {
      const content = new Uint8Array(await new Response(await store.read(location, part, stop)).arrayBuffer());
      let isFirst = true;
      return new ReadableStream({
        pull(stream) {
          if (isFirst) stream.enqueue(content.slice(0, bytes));
          else resolve();
          if (!isFirst) return new Promise(() => {});
          isFirst = false;
        },
      }, { highWaterMark: 0 });
    },
  });
  return { driver, reached };
}

/** Starts to load, and is killed after a number of bytes. */
async function killDuringLoad(bench: Bench, bytes: number, packing: Packing = "none"): Promise<void> {
  const { driver, reached } = stuckAfter(bench.store, bytes);
  const folder = Folder.open(bench.path);
  const how = { ...bench.transfer, resumes: true };
  load(driver, at("out"), { target: { folder, name: "in" }, packing, transfer: how }).catch(() => {});
  await reached;
}

/** Loads, and returns the requested offsets. */
async function loadedAgain(bench: Bench, packing: Packing = "none", resumes = true, key = "out") {
  const asked: (number | undefined)[] = [];
  const driver = withMethods(bench.store, {
    read(location, part, stop) {
      asked.push(part.from ?? 0);
      return bench.store.read(location, part, stop);
    },
  });
  using folder = Folder.open(bench.path);
  const how = { ...bench.transfer, resumes };
  const moved = await bench.clock.runUntil(
    load(driver, at(key), { target: { folder, name: "in" }, packing, transfer: how }),
  );
  return { asked, moved };
}

for (const packing of ["none", "unknown"] as const) {
  Deno.test({
    ...needs(
      "Linux",
      Deno.build.os === "linux",
      `a download (${packing}) resumes where a killed process left it (AN-04)`,
    ),
    fn: async () => {
      await using bench = await Bench.open();
      bench.put("out", LARGE);
      await killDuringLoad(bench, 1_000_000, packing);
      assertEquals(bench.names, ["in.part", "in.tmp"]);
      const { asked, moved } = await loadedAgain(bench, packing);
      assertEquals([asked, moved.bytes, bench.text("in") === LARGE], [[1_000_000], LARGE.length, true]);
      assertEquals(bench.names, ["in"]);
      assertStringIncludes(bench.lines.join(), `resuming after 1000000 of ${LARGE.length} bytes`);
    },
  });
}

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "a resumed download ends when it is stopped, and sends no further request",
  ),
  fn: async () => {
    await using bench = await Bench.open();
    bench.put("out", LARGE);
    await killDuringLoad(bench, 1_000_000);
    const stopping = new AbortController();
    let asked = 0;
    const driver = withMethods(bench.store, {
      read(location, part, stop) {
        asked++;
        return bench.store.read(location, part, stop);
      },
    });
    const log = (line: string) => line.startsWith("resuming") && stopping.abort(new Error("the pod ends"));
    using folder = Folder.open(bench.path);
    const how = { ...bench.transfer, resumes: true, stop: stopping.signal, log };
    const loading = load(driver, at("out"), { target: { folder, name: "in" }, packing: "none", transfer: how });
    await assertRejects(() => bench.clock.runUntil(loading), Error, "the pod ends");
    assertEquals(asked, 0);
  },
});

Deno.test("load: a download does not resume content that has changed, by others, or of another place", async () => {
  for (const what of ["changed", "by others", "elsewhere", "small"] as const) {
    await using bench = await Bench.open();
    const before = what === "small" ? LARGE.slice(0, 5_000_000) : LARGE;
    bench.put("out", before);
    await killDuringLoad(bench, 1_000_000);
    const now = what === "changed" ? LARGE.toUpperCase() : before;
    if (what === "changed") bench.put("out", now);
    if (what === "elsewhere") bench.put("other", now);
    const { asked } = await loadedAgain(bench, "none", what !== "by others", what === "elsewhere" ? "other" : "out");
    assertEquals([asked, bench.text("in") === now], [[0], true], what);
    assertEquals(bench.names.filter((name) => name !== "in.part"), ["in"], what);
  }
});

Deno.test("load: a resumed download is verified with its digest, and starts again if that differs", async () => {
  await using bench = await Bench.open();
  bench.put("out", LARGE);
  await killDuringLoad(bench, 1_000_000);
  Deno.writeTextFileSync(`${bench.path}/in.tmp`, "x".repeat(1_000_000));
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(LARGE));
  const sha256 = new Uint8Array(sum).toHex();
  const find = bench.store.find.bind(bench.store);
  bench.store.find = async (...args) => ({ ...await find(...args), sha256 });
  const { asked, moved } = await loadedAgain(bench);
  if (Deno.build.os === "linux") assertEquals(asked, [1_000_000, 0]);
  assertEquals([moved.sha256, bench.text("in") === LARGE, bench.names], [sha256, true, ["in"]]);
});
