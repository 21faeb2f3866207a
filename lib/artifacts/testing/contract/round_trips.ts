/** Cases of the contract: written objects can be read, found, listed and removed. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Bytes } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { assertKind, assertSame, bytesOf, type Case, pseudoRandomBytes, SkippedCaseError, sourceOf } from "./bench.ts";

const ODD_KEY = "ü/中文 +&?#%25;=@:,'()[]{}|^~$!*\"<>\\";

/** Returns the number of open descriptors of this process; constant on systems that do not provide it. */
function openDescriptors(): number {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return 0;
  }
}

/** All cases without faults. */
export const ROUND_TRIPS: readonly Case[] = [
  {
    id: "AR-01",
    title: "a file of 1 KiB is restored unchanged, and found as a file of its size",
    needs: ["save"],
    async keep(bench) {
      const content = pseudoRandomBytes(1024);
      await bench.write("a/file", content);
      assertSame(await bench.read("a/file"), content);
      const found = await bench.find("a/file");
      assertEquals([found.kind, found.size ?? 1024], ["file", 1024]);
    },
  },
  {
    id: "AR-01b",
    title: "content of unknown length is restored unchanged",
    needs: ["save"],
    async keep(bench) {
      const content = pseudoRandomBytes(300_001);
      await bench.driver.write(bench.at("stream"), sourceOf(content).open(0, content.length), bench.stop);
      assertSame(await bench.read("stream"), content);
    },
  },
  {
    id: "AN-03",
    title: "content that exists at its key with the same digest is not sent again, and other content is",
    needs: ["save", "skipsExisting"],
    async keep(bench) {
      const { driver, stop, underTest: { partBytes, reference } } = bench;
      const write = (key: string, content: Bytes) =>
        driver.write(bench.at(key), sourceOf(content), stop, { skipsExisting: true });
      for (const size of [1024, ...partBytes === undefined ? [] : [partBytes + 1]]) {
        const key = `of-${size}.txt`;
        const first = await write(key, pseudoRandomBytes(size));
        const again = await write(key, pseudoRandomBytes(size));
        assertEquals([first.hasExisted, again.hasExisted], [undefined, true], `${size} bytes`);
        assertEquals([again.sha256, again.size, again.etag], [first.sha256, first.size, first.etag ?? again.etag]);
        assertEquals((await bench.find(key)).sha256, first.sha256);
        assertSame(await bench.read(key), pseudoRandomBytes(size));
        assertEquals(
          (await write(key, pseudoRandomBytes(size, 2))).hasExisted,
          undefined,
          "other content of the same size",
        );
        assertSame(await bench.read(key), pseudoRandomBytes(size, 2));
        await bench.remove(key);
        assertEquals((await write(key, pseudoRandomBytes(size, 2))).hasExisted, undefined, "what was removed");
      }
      if (!reference) return;
      const { key } = bench.at("of-1024.txt");
      await reference.put(key, pseudoRandomBytes(1024));
      assertEquals(
        (await write("of-1024.txt", pseudoRandomBytes(1024))).hasExisted,
        undefined,
        "an object of another client",
      );
    },
  },
  {
    id: "AN-09",
    title: "appending to a file keeps it complete at every time, and fails if the file has changed",
    needs: ["save"],
    async keep(bench) {
      const { driver, stop } = bench;
      if (!driver.append) throw new SkippedCaseError("it cannot append to files");
      const content = pseudoRandomBytes(22 * 1024 * 1024);
      const first = content.subarray(0, 5 * 1024 * 1024);
      const { etag = "" } = await driver.write(bench.at("log"), sourceOf(first), stop);
      const there = { size: first.length, etag: etag || (await bench.find("log")).etag! };
      const part = async (from: number, to = content.length) => ({
        content: sourceOf(content.subarray(from, to)),
        sha256: new Uint8Array(await crypto.subtle.digest("SHA-256", content.subarray(0, to))).toHex(),
      });
      const once = await driver.append(bench.at("log"), there, await part(there.size, there.size + 7), stop);
      assertEquals(once.size, there.size + 7);
      assertSame(await bench.read("log"), content.subarray(0, once.size));
      const twice = await driver.append(bench.at("log"), once, await part(once.size), stop);
      assertSame(await bench.read("log"), content);
      assertEquals((await bench.find("log")).etag, twice.etag);
      const other = await part(0, 9);
      await assertKind("changed", () => driver.append!(bench.at("log"), once, other, stop));
      await assertRejects(() => driver.append!(bench.at("log"), twice, other, AbortSignal.abort()));
      assertSame(await bench.read("log"), content);
      assertEquals((await bench.underTest.unfinished?.() ?? []).filter((key) => key.endsWith("/log")), []);
    },
  },
  {
    id: "AR-02",
    title: "an empty file is a file, not a folder",
    needs: ["save"],
    async keep(bench) {
      await bench.write("empty", "");
      assertEquals((await bench.find("empty")).kind, "file");
      assertEquals((await bench.read("empty")).length, 0);
    },
  },
  {
    id: "AR-03",
    title: "empty folders are kept, alone and below others",
    needs: ["save", "folders", "list"],
    async keep(bench) {
      await bench.write("alone/", "");
      assertEquals(await bench.kind("alone"), "folder");
      assertEquals(await bench.kind("alone/"), "folder");
      assertEquals(await bench.names("alone"), []);
      await bench.write("tree/one/", "");
      await bench.write("tree/two/file", "x");
      assertEquals(await bench.names("tree"), ["one/", "two/file"]);
    },
  },
  {
    id: "AR-04",
    title: "a folder of 2,500 objects is listed and removed completely, and one with a similar name stays",
    needs: ["save", "folders", "list", "remove"],
    async keep(bench) {
      const names = Array.from({ length: 2500 }, (_, number) => `${number}`.padStart(4, "0"));
      await bench.writeAll([...names.map((name) => `many/${name}`), "manyx"]);
      assertEquals(await bench.names("many"), names);
      assertEquals(await bench.remove("many"), 2500);
      assertEquals(await bench.kind("many"), "missing");
      assertEquals(await bench.kind("manyx"), "file");
    },
  },
  {
    id: "AR-05",
    title: "a file and a folder with the same name are distinguished by the slash",
    needs: ["save", "folders", "list", "remove"],
    async keep(bench) {
      for (const [removed, left] of [["a", ["a/b", "ab/c"]], ["a/", ["a", "ab/c"]]] as const) {
        await bench.write("a", "file");
        await bench.write("a/b", "below").catch((error: unknown) => {
          if (error instanceof StoreError) {
            throw new SkippedCaseError(`it cannot store both a and a/b: ${error.message}`);
          }
          throw error;
        });
        await bench.write("ab/c", "beside");
        assertEquals([await bench.kind("a"), await bench.kind("a/")], ["file", "folder"]);
        assertEquals(await bench.names("a/"), ["b"]);
        assertEquals(await bench.remove(removed), 1);
        for (const key of ["a", "a/b", "ab/c"]) {
          const there = (await bench.kind(key)) === "file";
          assertEquals(there, (left as readonly string[]).includes(key), `${key} after ${removed} was removed`);
        }
        await Promise.all(["a", "a/b", "ab/c"].map((key) => bench.remove(key)));
      }
    },
  },
  {
    id: "AR-06",
    title: "removing a folder keeps those whose names begin with its name",
    needs: ["save", "folders", "list", "remove"],
    async keep(bench) {
      await bench.writeAll(["out/1", "out2", "outer/x"]);
      assertEquals(await bench.remove("out"), 1);
      assertEquals([await bench.kind("out"), await bench.kind("out2"), await bench.kind("outer/x")], [
        "missing",
        "file",
        "file",
      ]);
      assertEquals(await bench.remove("out"), 0);
    },
  },
  {
    id: "AR-07",
    title: "a folder is the same with and without a slash at its end",
    needs: ["save", "folders", "list", "remove"],
    async keep(bench) {
      for (const key of ["one", "two/"]) {
        const folder = key.replace(/\/$/, "");
        await bench.writeAll([`${folder}/x`, `${folder}/y/z`]);
        assertEquals(await bench.kind(key), "folder");
        assertEquals(await bench.names(key), ["x", "y/z"]);
        assertEquals(await bench.remove(key), 2);
        assertEquals(await bench.kind(folder), "missing");
      }
    },
  },
  {
    id: "AR-141",
    title:
      "a folder is removed with and without a slash, removing a missing key succeeds, and an empty key removes nothing",
    needs: ["save", "remove", "folders"],
    async keep(bench) {
      for (const removed of ["out", "out/"]) {
        await bench.writeAll(["out/a", "out/b/c", "outer/d"]);
        assertEquals(await bench.remove(removed), 2);
        assertEquals(await bench.remove(removed), 0);
        assertEquals([await bench.kind("out/"), await bench.kind("outer/d")], ["missing", "file"]);
      }
      const { place } = bench.underTest;
      await assertRejects(() => bench.driver.remove(place(""), bench.stop), Error);
      assertEquals(await bench.kind("outer/d"), "file");
    },
  },
  {
    id: "AR-76",
    title: "with versioning, a removed object is missing, and its earlier versions stay",
    needs: ["save", "remove"],
    async keep(bench) {
      const { versions } = bench.underTest;
      if (!versions) throw new SkippedCaseError("it has no versioning");
      const { key } = bench.at("kept");
      await bench.write("kept", "first");
      await bench.write("kept", "second");
      assertEquals([await bench.readText("kept"), (await versions(key)).contents], ["second", 2]);
      assertEquals(await bench.remove("kept"), 1);
      assertEquals([await bench.kind("kept"), await versions(key)], ["missing", { contents: 2, markers: 1 }]);
      assertEquals([await bench.remove("kept"), await versions(key)], [0, { contents: 2, markers: 1 }]);
    },
  },
  {
    id: "AR-08",
    title: "a key with all kinds of characters is preserved",
    needs: ["save"],
    async keep(bench) {
      const key = `odd/${ODD_KEY}`;
      await bench.write(key, "odd");
      assertEquals(await bench.readText(key), "odd");
      if (bench.driver.can.list) assertEquals(await bench.names("odd"), [ODD_KEY]);
      if (bench.driver.can.remove) assertEquals(await bench.remove(key), 1);
    },
  },
  {
    id: "AR-09",
    title: "keys that paths would normalize are preserved, or refused by the store",
    needs: ["save"],
    async keep(bench) {
      for (const key of ["a//b", "./a", "b/.", "b/../c", " d ", "e/", `f${"x".repeat(900)}`]) {
        const content = key.endsWith("/") ? "" : key;
        const refused = await bench.write(`odd/${key}`, content).then(() => undefined, (error: unknown) => error);
        if (refused !== undefined) {
          assert(refused instanceof StoreError && refused.kind === "final", `${key}: ${refused}`);
          continue;
        }
        assertEquals(await bench.readText(`odd/${key}`), content, key);
      }
    },
  },
  {
    id: "AR-10",
    title: "an object whose name leads out of its folder is rejected by name",
    needs: ["save", "folders", "list"],
    async keep(bench) {
      for (const name of ["dir/../../evil", "dir/./x", "dir//x"]) {
        const planted = await bench.write(name, "evil").then(() => true, (error: unknown) => {
          if (error instanceof StoreError) return false;
          throw error;
        });
        if (!planted) continue;
        const answer = await bench.names("dir").catch((error: unknown) => error);
        if (answer instanceof StoreError) {
          assertEquals(answer.kind, "final");
          assert(answer.message.includes(name.slice("dir/".length)), answer.message);
        } else {
          // A store that normalizes keys has nothing to reject.
          assert(Array.isArray(answer), String(answer));
          for (const told of answer) assert(!/(^|\/)(\.{0,2})(\/|$)/.test(told), `${name} is told as ${told}`);
        }
        await bench.remove(name);
      }
    },
  },
  {
    id: "AR-11",
    title: "the marker of a folder is not a file in it",
    needs: ["save", "folders", "list", "remove"],
    async keep(bench) {
      await bench.write("marked/", "");
      await bench.write("marked/file", "x");
      assertEquals(await bench.names("marked"), ["file"]);
      await bench.remove("marked");
      assertEquals(await bench.kind("marked"), "missing");
      assertEquals(await bench.kind("marked/"), "missing");
    },
  },
  {
    id: "AR-14",
    title: "smaller content replaces larger content exactly",
    needs: ["save"],
    async keep(bench) {
      await bench.write("file", pseudoRandomBytes(100_000));
      const before = (await bench.find("file")).etag;
      await bench.write("file", "small");
      assertEquals(await bench.readText("file"), "small");
      const after = (await bench.find("file")).etag;
      if (before !== undefined) assert(before !== after, "the etag stayed");
    },
  },
  {
    id: "AR-19",
    title: "files of about one part, and of several whole parts, are restored unchanged",
    needs: ["save"],
    async keep(bench) {
      const part = bench.underTest.partBytes;
      if (part === undefined) throw new SkippedCaseError("it does not upload in parts");
      for (const size of [part - 1, part, part + 1, 2 * part, 2 * part + 5]) {
        const content = pseudoRandomBytes(size, size);
        await bench.write(`sized/${size}`, content);
        assertSame(await bench.read(`sized/${size}`), content);
      }
    },
  },
  {
    id: "AR-20",
    title: "content of another client can be read, and the other client can read ours",
    needs: ["save"],
    async keep(bench) {
      const { reference, partBytes = 100_000 } = bench.underTest;
      if (!reference) throw new SkippedCaseError("it has no other client");
      for (const [name, size] of [["ü &+%.txt", 1000], ["parts", partBytes * 2 + 7], ["empty", 0]] as const) {
        const content = pseudoRandomBytes(size);
        await reference.put(bench.at(`theirs/${name}`).key, content);
        assertSame(await bench.read(`theirs/${name}`), content);
        assertEquals((await bench.find(`theirs/${name}`)).size, size);
        await bench.write(`ours/${name}`, content);
        assertSame(await reference.get(bench.at(`ours/${name}`).key), content);
      }
    },
  },
  {
    id: "AR-22",
    title: "readers receive the old content or the new one, never a mixture",
    needs: ["save"],
    async keep(bench) {
      const [first, second] = [pseudoRandomBytes(200_000, 1), pseudoRandomBytes(150_000, 2)];
      await bench.write("shared", first);
      let writing = true;
      const reader = async () => {
        do {
          // A store in memory would otherwise block the writer.
          await new Promise((resolve) => setTimeout(resolve));
          const seen = await bench.read("shared").catch((error: unknown) => {
            if (error instanceof StoreError && /changed|transient/.test(error.kind)) return undefined;
            throw error;
          });
          if (seen) assertSame(seen, seen.length === second.length ? second : first);
        } while (writing);
      };
      const writer = async () => {
        try {
          for (let round = 1; round <= 10; round++) await bench.write("shared", round % 2 === 0 ? first : second);
        } finally {
          writing = false;
        }
      };
      await Promise.all([writer(), ...Array.from({ length: 8 }, reader)]);
    },
  },
  {
    id: "AR-24",
    title: "concurrent writers of one folder leave each object as one of them wrote it",
    needs: ["save", "folders", "list"],
    async keep(bench) {
      const names = Array.from({ length: 12 }, (_, index) => `${index % 3}/${index}`).toSorted();
      const contents = [pseudoRandomBytes(200_000, 1), pseudoRandomBytes(150_000, 2)];
      // Retries a save when a server reports a temporary conflict, as some emulators do for concurrent writers.
      const write = async (name: string, content: Bytes) => {
        for (let tries = 1;; tries++) {
          try {
            return await bench.write(name, content);
          } catch (error) {
            if (tries === 3 || !(error instanceof StoreError && error.kind === "transient")) throw error;
          }
        }
      };
      const save = (content: Bytes) => Promise.all(names.map((name) => write(`both/${name}`, content)));
      await Promise.all(contents.map(save));
      assertEquals((await bench.names("both")).toSorted(), names);
      for (const name of names) {
        const seen = await bench.read(`both/${name}`);
        assertSame(seen, contents.find(({ length }) => length === seen.length) ?? contents[0]!);
      }
    },
  },
  {
    id: "AR-25",
    title: "byte ranges of a file can be read, and ranges beyond its end are refused",
    needs: ["save"],
    async keep(bench) {
      await bench.write("digits", "0123456789");
      assertEquals(await bench.readText("digits", { from: 5 }), "56789");
      assertEquals(await bench.readText("digits", { from: 2, to: 5 }), "234");
      assertEquals(await bench.readText("digits", { to: 3 }), "012");
      assertEquals(await bench.readText("digits", { from: 8, to: 99 }), "89");
      await assertKind("final", async () => await bench.readText("digits", { from: 10 }));
    },
  },
  {
    id: "AR-25b",
    title: "reading with an ETag fails if the content has changed since",
    needs: ["save"],
    async keep(bench) {
      await bench.write("file", "old");
      const { etag } = await bench.find("file");
      if (etag === undefined) throw new SkippedCaseError("the store returns no ETag");
      assertEquals(await bench.readText("file", { etag }), "old");
      await bench.write("file", "newer");
      await assertKind("changed", async () => await bench.readText("file", { etag }));
      await assertKind("changed", async () => await bench.readText("file", { from: 1, etag }));
    },
  },
  {
    id: "AR-27",
    title: "abandoning a stream ends it at once, and a thousand abandoned streams leak no memory or descriptors",
    needs: ["save"],
    async keep(bench) {
      await bench.write("large", pseudoRandomBytes(400_000));
      const giveUp = async (times: number) => {
        for (let round = 0; round < times; round++) {
          const reader = (await bench.driver.read(bench.at("large"), {}, bench.stop)).getReader();
          await reader.read();
          await reader.cancel();
        }
      };
      // Warms up, so that cached objects exist.
      await giveUp(200);
      const [memory, descriptors] = [Deno.memoryUsage().rss, openDescriptors()];
      await giveUp(800);
      const grown = Deno.memoryUsage().rss - memory;
      const { isAlone = false } = bench.underTest;
      // Leaked content would take 320 MB.
      assert(!isAlone || grown < 128 << 20, `800 abandoned streams took ${grown} bytes`);
      assert(
        !isAlone || openDescriptors() <= descriptors + 8,
        `${openDescriptors()} descriptors are open, ${descriptors} before`,
      );
      assertEquals((await bytesOf(await bench.driver.read(bench.at("large"), {}, bench.stop))).length, 400_000);
    },
  },
  {
    id: "AR-27b",
    title: "a cancelled operation ends with the reason, and leaves nothing behind",
    needs: ["save"],
    async keep(bench) {
      const cut = new AbortController();
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(stream) {
          stream.enqueue(new Uint8Array(65_536));
          cut.abort(new Error("no longer needed"));
        },
      });
      const writing = bench.driver.write(bench.at("cut"), endless, cut.signal);
      await assertRejects(() => writing, Error, "no longer needed");
      assertEquals(await bench.kind("cut"), "missing");
      await assertRejects(() => bench.driver.find(bench.at("cut"), cut.signal), Error, "no longer needed");
    },
  },
];
