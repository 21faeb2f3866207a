/** Cases of the contract: network faults. Drivers do not retry; their errors show what may be retried. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { systemClock } from "@tiphys/base/clock";
import { Folder } from "@tiphys/base/confined";
import { type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { load, retryPolicyOf } from "../../transfer/mod.ts";
import { NodeCache } from "../../transfer/node_cache.ts";
import {
  assertKind,
  assertSame,
  blockingContent,
  bytesOf,
  type Case,
  pseudoRandomBytes,
  SkippedCaseError,
  sourceOf,
  uploadsInMemory,
} from "./bench.ts";

const SIZE = 200_000;

/** All cases of network faults. */
export const FAULTS: readonly Case[] = [
  {
    id: "AR-50",
    title: "an interrupted download is transient, and resumes from any byte of the same content",
    needs: ["save"],
    async keep(bench) {
      const content = pseudoRandomBytes(SIZE);
      await bench.write("file", content);
      const { driver, faults, at } = await bench.createFaultyDriver();
      const { etag } = await driver.find(at("file"), bench.stop);
      for (const after of [0, 1, SIZE - 1]) {
        faults.planFaults([{ kind: "cut answer", after }], /^GET .*file/);
        const parts: Uint8Array[] = [];
        const error = await assertKind("transient", async () => {
          for await (const part of await driver.read(at("file"), {}, bench.stop)) parts.push(part);
        });
        assert(!/etag|Authorization/i.test(error.message), error.message);
        const from = parts.reduce((sum, part) => sum + part.length, 0);
        assert(from <= after, `${from} of ${after} bytes were received`);
        const rest = await bytesOf(await driver.read(at("file"), { from, ...(etag ? { etag } : {}) }, bench.stop));
        assertSame(rest, content.slice(from));
      }
      faults.planFaults([{ kind: "reset" }], /^GET .*file/);
      await assertKind("transient", async () => await bytesOf(await driver.read(at("file"), {}, bench.stop)));
    },
  },
  {
    id: "AR-50b",
    title: "an interrupted upload is transient, leaves the previous content, and can be repeated",
    needs: ["save"],
    async keep(bench) {
      await bench.write("file", "before");
      const { driver, faults, at } = await bench.createFaultyDriver();
      const content = pseudoRandomBytes(SIZE);
      for (const after of [0, 1, SIZE - 1]) {
        faults.planFaults([{ kind: "cut request", after }], /^(PUT|POST) /);
        await assertKind("transient", () => driver.write(at("file"), sourceOf(content), bench.stop));
        assertEquals(await bench.readText("file"), "before");
      }
      await driver.write(at("file"), sourceOf(content), bench.stop);
      assertSame(await bench.read("file"), content);
    },
  },
  {
    id: "AN-04",
    title: "an upload in parts of a killed process is resumed by the next one, or aborted",
    needs: ["save"],
    async keep(bench) {
      const { underTest: { partBytes, remembering, unfinished }, stop } = bench;
      if (!remembering || partBytes === undefined) throw new SkippedCaseError("it stores no uploads");
      const begun = uploadsInMemory();
      const content = pseudoRandomBytes(2 * partBytes + 1000);
      const begin = async (key: string) => {
        const driver = await remembering(begun);
        const stuck = blockingContent(content, 2 * partBytes);
        const writing = driver.write(bench.at(key), stuck.source, stop).catch(() => {});
        await stuck.reached;
        return async () => {
          stuck.end();
          await writing;
          await driver.close?.();
        };
      };
      const next = await remembering(begun);
      for (const other of [content, pseudoRandomBytes(2 * partBytes + 1000, 2), pseudoRandomBytes(partBytes + 1)]) {
        const bury = await begin("file");
        assertEquals(begun.said.size, 1);
        const opened: number[] = [];
        const whole = sourceOf(other);
        const counted = {
          size: other.length,
          open(from: number, to: number) {
            opened.push(from);
            return whole.open(from, to);
          },
        };
        await next.write(bench.at("file"), counted, stop);
        assertSame(await bench.read("file"), other);
        assertEquals(begun.said.size, 0);
        // Content is read once for its checksum and once for sending, or more often if parts are sent again.
        const isSent = (from: number) => opened.filter((offset) => offset === from).length > 2;
        if (other === content) assertEquals([isSent(0), isSent(partBytes)], [false, false]);
        await bury();
      }
      const bury = await begin("stream");
      await next.write(bench.at("stream"), sourceOf(content).open(0, content.length), stop);
      assertSame(await bench.read("stream"), content);
      await bury();
      await next.close?.();
      const mine = bench.at("").key;
      assertEquals((await unfinished?.() ?? []).filter((key) => key.startsWith(mine)), []);
    },
  },
  {
    id: "AN-10",
    title:
      "content in the cache of a node is not read again, and only readers that the store reports its etag to receive it",
    needs: ["save"],
    async keep(bench) {
      const { driver, stop, underTest: { wrongSecret } } = bench;
      const place = bench.at("cached");
      if (place.store !== "s3") throw new SkippedCaseError("only objects of S3 are cached");
      const path = await Deno.makeTempDir();
      try {
        Deno.mkdirSync(`${path}/cache`);
        let reads = 0;
        const { can } = driver;
        const counted: Driver = {
          can,
          find: (...args) => driver.find(...args),
          read(...args) {
            reads++;
            return driver.read(...args);
          },
          list: (...args) => driver.list(...args),
          write: (...args) => driver.write(...args),
          remove: (...args) => driver.remove(...args),
        };
        const log = () => {};
        const cache = new NodeCache({ path: `${path}/cache`, max: 100 << 20, now: Date.now, log });
        const how = {
          policy: retryPolicyOf(() => undefined),
          clock: systemClock,
          stop,
          log,
          objects: 1,
          env: () => undefined,
          cache,
        };
        const loaded = async (by: Driver, from: Place) => {
          using folder = Folder.open(path);
          folder.remove("in");
          await load(by, from, { target: { folder, name: "in" }, packing: "none", transfer: how });
          return Deno.readFileSync(`${path}/in`);
        };
        for (const [seed, expected] of [[1, 1], [1, 1], [2, 2]] as const) {
          await bench.write("cached", pseudoRandomBytes(2 << 20, seed));
          assertSame(await loaded(counted, place), pseudoRandomBytes(2 << 20, seed));
          assertEquals(reads, expected);
        }
        const stranger = await wrongSecret?.();
        if (!stranger) return;
        await assertKind("forbidden", () => loaded(stranger.driver, { ...place, settings: stranger.place.settings }));
        await stranger.driver.close?.();
      } finally {
        await Deno.remove(path, { recursive: true });
      }
    },
  },
  {
    id: "AR-53",
    title: "an overloaded server is transient, for every operation",
    needs: ["save"],
    async keep(bench) {
      const { driver, faults, at } = await bench.createFaultyDriver();
      for (const status of [429, 500, 502, 503, 504]) {
        faults.decide = () => ({ kind: "answer", status, body: "<html>busy</html>" });
        await assertKind("transient", () => driver.find(at("file"), bench.stop));
        await assertKind("transient", async () => await bytesOf(await driver.read(at("file"), {}, bench.stop)));
        await assertKind("transient", () => driver.write(at("file"), sourceOf("x"), bench.stop));
        if (driver.can.list) {
          await assertKind("transient", () => Array.fromAsync(driver.list(at("file"), bench.stop)));
        }
        if (driver.can.remove) await assertKind("transient", () => driver.remove(at("file"), bench.stop));
      }
    },
  },
  {
    id: "AR-53b",
    title: "a removal that is refused or gets no response fails, and can be repeated",
    needs: ["save", "remove"],
    async keep(bench) {
      await bench.write("file", "x");
      const { driver, faults, at } = await bench.createFaultyDriver();
      const changes = /^(DELETE|POST) /;
      const refusal = (line: string) => changes.test(line) ? { kind: "answer", status: 403 } as const : undefined;
      faults.decide = refusal;
      await assertKind("forbidden", () => driver.remove(at("file"), bench.stop));
      assertEquals(faults.requests.filter((line) => changes.test(line)).length, 1);
      assertEquals(await bench.readText("file"), "x");
      faults.planFaults([{ kind: "lost answer" }], changes);
      await assertKind("transient", () => driver.remove(at("file"), bench.stop));
      // The object is gone already, and removing it again is not an error.
      await driver.remove(at("file"), bench.stop);
      await assertKind("missing", () => bench.driver.find(bench.at("file"), bench.stop));
    },
  },
  {
    id: "AR-54",
    title: "the retry delay of a server is returned, as seconds and as a date",
    needs: ["save"],
    async keep(bench) {
      const { driver, faults, at } = await bench.createFaultyDriver();
      for (
        const [text, least, most] of [
          ["2", 2000, 2000],
          [new Date(Date.now() + 30_000).toUTCString(), 5_000, 31_000],
        ] as const
      ) {
        faults.decide = () => ({ kind: "answer", status: 503, headers: { "Retry-After": text } });
        const error = await assertKind("transient", () => driver.write(at("file"), sourceOf("x"), bench.stop));
        const millis = error.retryAfterMillis ?? -1;
        assert(millis >= least && millis <= most, `${text}: ${millis} ms`);
      }
    },
  },
  {
    id: "AR-55",
    title: "a permanent refusal is not retried",
    needs: ["save"],
    async keep(bench) {
      const { driver, faults, at } = await bench.createFaultyDriver();
      for (const status of [400, 409, 412, 413]) {
        faults.decide = () => ({ kind: "answer", status });
        const before = faults.requests.length;
        const error = await driver.write(at("file"), sourceOf("x"), bench.stop).then(() => undefined, (error) => error);
        assert(error instanceof StoreError && error.kind !== "transient", `${status}: ${error}`);
        assertEquals(faults.requests.slice(before).filter((line) => /^(PUT|POST) /.test(line)).length, 1, `${status}`);
      }
    },
  },
  {
    id: "AR-56",
    title: "a byte changed during an upload is detected, and the previous content stays",
    needs: ["save"],
    async keep(bench) {
      if (!bench.underTest.sums?.up) throw new SkippedCaseError("it receives no checksum for uploads");
      await bench.write("file", "before");
      const { driver, faults, at } = await bench.createFaultyDriver();
      faults.planFaults([{ kind: "flip request", at: SIZE / 2 }], /^(PUT|POST) /);
      await assertKind("transient", () => driver.write(at("file"), sourceOf(pseudoRandomBytes(SIZE)), bench.stop));
      assertEquals(await bench.readText("file"), "before");
    },
  },
  {
    id: "AR-56b",
    title: "a byte changed during a download is detected",
    needs: ["save"],
    async keep(bench) {
      if (!bench.underTest.sums?.down) throw new SkippedCaseError("it sends no checksum for downloads");
      await bench.write("file", pseudoRandomBytes(SIZE));
      const { driver, faults, at } = await bench.createFaultyDriver();
      faults.planFaults([{ kind: "flip answer", at: SIZE / 2 }], /^GET .*file/);
      await assertKind("transient", async () => await bytesOf(await driver.read(at("file"), {}, bench.stop)));
    },
  },
  {
    id: "AR-58",
    title: "an upload that fails permanently or is cancelled is aborted, and those of other clients are kept",
    needs: ["save"],
    async keep(bench) {
      const { unfinished, partBytes } = bench.underTest;
      if (!unfinished || partBytes === undefined) throw new SkippedCaseError("it does not list unfinished uploads");
      const content = pseudoRandomBytes(partBytes * 2 + 1);
      const { driver, faults, at } = await bench.createFaultyDriver();
      const second = /^PUT .*partNumber=2/;
      faults.decide = (line) => second.test(line) ? { kind: "cut request", after: 1000 } : undefined;
      await assertKind("transient", () => driver.write(at("failed"), sourceOf(content), bench.stop));
      const cut = new AbortController();
      faults.decide = (line) => void (second.test(line) && cut.abort(new Error("no longer needed")));
      await assertRejects(() => driver.write(at("cut"), sourceOf(content), cut.signal), Error, "no longer needed");
      assert(faults.requests.some((line) => second.test(line)), "nothing went up in parts");
      assertEquals(await unfinished(), []);
      for (const key of ["failed", "cut"]) assertEquals(await bench.kind(key), "missing");
    },
  },
  {
    id: "AR-59",
    title: "a lost response leaves the object complete, and writing it again succeeds",
    needs: ["save"],
    async keep(bench) {
      const { driver, faults, at } = await bench.createFaultyDriver();
      const content = pseudoRandomBytes(1000);
      faults.planFaults([{ kind: "lost answer" }], /^(PUT|POST) /);
      await assertKind("transient", () => driver.write(at("file"), sourceOf(content), bench.stop));
      await driver.write(at("file"), sourceOf(content), bench.stop);
      assertSame(await bench.read("file"), content);
    },
  },
];
