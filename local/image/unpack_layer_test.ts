import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { listingOf, type RawEntry, rawTar, tarHeader } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { Folder, OutsideError, UnpackCounter, UnpackLimitError } from "@tiphys/base/confined";
import { removeTree } from "./remove_tree.ts";
import { type MadeEntry as Entry, tarOf } from "./testing/made_image.ts";
import { beginUnpacking, finishUnpacking, type Unpacking, unpackLayer } from "./unpack_layer.ts";

/** Unpacks layers into a folder next to a file outside of the image. */
async function unpacked(
  layers: readonly (readonly Entry[])[],
  look: (root: string, base: string) => Promise<void> | void,
): Promise<void> {
  const base = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${base}/outside`, "untouched");
    await Deno.mkdir(`${base}/beside`, { mode: 0o700 });
    const unpacking = await beginUnpacking(`${base}/root`);
    for (const layer of layers) await unpackLayer(unpacking, new Blob([await tarOf(layer)]).stream());
    finishUnpacking(unpacking);
    unpacking.tree[Symbol.dispose]();
    await look(`${base}/root`, base);
    assertEquals(Deno.readTextFileSync(`${base}/outside`), "untouched");
    assertEquals([base, `${base}/beside`].map((path) => Deno.statSync(path).mode! & 0o777), [0o700, 0o700]);
    assertEquals([...Deno.readDirSync(base)].length, 3);
  } finally {
    await removeTree(base);
  }
}

const file = (name: string, text: string, mode = 0o644): Entry => ({ name, text, mode });
const link = (name: string, linkname: string): Entry => ({ name, type: "symlink", linkname });
const folder = (name: string, mode = 0o755): Entry => ({ name, type: "directory", mode });

function names(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

Deno.test("unpackLayer: preserves contents, modes, links and hard links", () =>
  unpacked([[
    folder("bin/"),
    file("bin/tool", "#!", 0o4755),
    link("bin/sh", "tool"),
    { name: "bin/same", type: "link", linkname: "bin/tool" },
  ]], (root) => {
    assertEquals(Deno.readTextFileSync(`${root}/bin/tool`), "#!");
    assertEquals(Deno.statSync(`${root}/bin/tool`).mode! & 0o7777, 0o4755);
    assertEquals(Deno.readLinkSync(`${root}/bin/sh`), "tool");
    assertEquals(Deno.statSync(`${root}/bin/same`).ino, Deno.statSync(`${root}/bin/tool`).ino);
  }));

Deno.test("unpackLayer: a whiteout removes an entry of a lower layer", () =>
  unpacked([[file("a/one", "1"), file("a/two", "2")], [file("a/.wh.one", "")]], (root) => {
    assertEquals(names(`${root}/a`), ["two"]);
  }));

Deno.test("unpackLayer: an opaque folder hides entries of lower layers, not those of the same layer", () =>
  unpacked([
    [file("a/old", "1"), file("a/deep/old", "1")],
    [file("a/new", "2"), file("a/deep/new", "2"), file("a/.wh..wh..opq", "")],
  ], (root) => {
    assertEquals(names(`${root}/a`), ["deep", "new"]);
    assertEquals(names(`${root}/a/deep`), ["new"]);
  }));

Deno.test("unpackLayer: marks of an opaque folder after the first one do not read its entries again", async () => {
  const read: string[] = [];
  const { names } = Folder.prototype;
  Folder.prototype.names = function () {
    read.push(this.path);
    return names.call(this);
  };
  try {
    const marks = Array.from({ length: 20 }, () => [file("a/.wh..wh..opq", ""), file("a/deep/.wh..wh..opq", "")])
      .flat();
    const entries = [file("a/new", "2"), file("a/deep/new", "2")];
    await unpacked([[file("a/old", "1"), file("a/deep/old", "1")], [...entries, ...marks, ...entries]], () => {});
    await unpacked([[file("a/old", "1")], [file("a/deep/new", "2"), ...marks.toReversed()]], (root) => {
      assertEquals([...Deno.readDirSync(`${root}/a`)].map(({ name }) => name), ["deep"]);
    });
  } finally {
    Folder.prototype.names = names;
  }
  assertEquals(read.length, 4);
});

Deno.test("unpackLayer: rejects a hard link that replaces the folder of its target", async () => {
  const link: Entry = { name: "a", type: "link", linkname: "a/one" };
  await assertRejects(() => unpacked([[file("a/one", "1"), link]], () => {}), OutsideError, "a -> a/one");
});

Deno.test("unpackLayer: later layers can write to a read-only folder", () =>
  unpacked([[folder("a/", 0o500), file("a/one", "1")], [file("a/two", "2")]], (root) => {
    assertEquals(names(`${root}/a`), ["one", "two"]);
    assertEquals(Deno.statSync(`${root}/a`).mode! & 0o777, 0o500);
  }));

Deno.test("unpackLayer: a file replaces a folder, and a folder replaces a file or link", () =>
  unpacked(
    [[file("a/one", "1"), file("b", "2"), link("c", "/a")], [file("a", "3"), folder("b"), folder("c")]],
    (root) => {
      assertEquals(Deno.readTextFileSync(`${root}/a`), "3");
      assertEquals([Deno.lstatSync(`${root}/b`).isDirectory, Deno.lstatSync(`${root}/c`).isDirectory], [true, true]);
    },
  ));

const escapes: readonly (readonly [string, readonly Entry[]])[] = [
  ["by going up", [file("../outside", "x"), file("a/../../outside", "x")]],
  ["by an absolute name", [file("/outside", "x")]],
  ["through a link that goes up", [link("l", ".."), file("l/outside", "x")]],
  ["through an absolute link", [link("l", "/"), file("l/outside", "x")]],
  ["by the mode of a folder whose place a link takes", [folder("d", 0o777), link("d", "..")]],
  ["by the mode of a folder below a link", [
    folder("d/"),
    folder("d/beside", 0o777),
    { name: ".wh.d" },
    link("d", ".."),
  ]],
  ["through a chain of links", [link("k", "../../.."), link("l", "k/k"), file("l/outside", "x")]],
  ["by a hard link", [file("outside", "x"), { name: "h", type: "link", linkname: "../outside" }, file("h", "x")]],
  ["by a whiteout", [file("../.wh.outside", ""), file("a/.wh...", ""), file(".wh...", ""), file(".wh..", "")]],
  ["by an opaque folder behind a link", [link("l", ".."), file("l/.wh..wh..opq", "")]],
];

for (const [how, entries] of escapes) {
  Deno.test(`unpackLayer: does not write or remove anything outside of its folder: ${how}`, () =>
    unpacked([entries], () => {}));
}

Deno.test("unpackLayer: rejects a layer that unpacks to too many bytes, even if it stores none", async () => {
  await unpacked([], async (root) => {
    const limits = { entries: 10, bytes: Infinity, ratio: 10, ratioFrom: 5_000 };
    const unpacking = { ...await beginUnpacking(root), counter: new UnpackCounter(limits) };
    const zeros = new Blob([new Uint8Array(100_000)]).stream();
    await assertRejects(() => unpackLayer(unpacking, zeros, () => 100), UnpackLimitError);
    unpacking.tree[Symbol.dispose]();
  });
});

Deno.test("unpackLayer: rejects global records that are copied for each entry", async () => {
  const pax = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, "v"]));
  await unpacked([], async (root) => {
    const unpacking = await beginUnpacking(root);
    const layer = await tarOf([{ name: "g", type: "pax-global-header" as "file", pax }, {
      ...file("a", "1"),
      pax: { comment: "c" },
    }]);
    await assertRejects(
      () => unpackLayer(unpacking, new Blob([layer]).stream()),
      Error,
      "2001 extended header records",
    );
    unpacking.tree[Symbol.dispose]();
  });
});

Deno.test("unpackLayer: rejects a large extended header before it is decoded, and names it", async () => {
  await unpacked([], async (root) => {
    const unpacking = await beginUnpacking(root);
    const layerWith = (bytes: number) => tarOf([{ ...file("a", "1"), pax: { comment: "c".repeat(bytes) } }]);
    await unpackLayer(unpacking, new Blob([await layerWith(100_000)]).stream());
    await assertRejects(
      async () => unpackLayer(unpacking, new Blob([await layerWith(200_000)]).stream()),
      Error,
      "The extended header PaxHeader has 200025 bytes, more than the maximum of 131072",
    );
    unpacking.tree[Symbol.dispose]();
  });
});

Deno.test("unpackLayer: rejects an invalid tar", async () => {
  await unpacked([], async (root) => {
    const unpacking = await beginUnpacking(root);
    await assertRejects(() => unpackLayer(unpacking, new Blob(["x".repeat(2000)]).stream()));
  });
});

const word = fc.constantFrom("a", "b", "beside", "..", ".", ".wh.a", ".wh..wh..opq");
const path = fc.tuple(fc.constantFrom("", "/"), fc.array(word, { minLength: 1, maxLength: 4 }))
  .map(([start, words]) => start + words.join("/"));
const anyEntry: fc.Arbitrary<RawEntry> = fc.record({
  name: path,
  type: fc.constantFrom("file", "folder", "link", "hard link", "device"),
  target: path,
  mode: fc.constantFrom(0, 0o755, 0o777, 0o6755),
});

Deno.test("unpackLayer: changes nothing outside of its folder for arbitrary layers", async () => {
  const base = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${base}/a`, "untouched");
    await Deno.mkdir(`${base}/beside`, { mode: 0o700 });
    await Deno.writeTextFile(`${base}/beside/b`, "untouched");
    const outside = () => listingOf(base).filter((line) => !line.startsWith("/root"));
    const before = outside();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEntry, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        async (layers) => {
          const { tree } = await unpackAll(`${base}/root`, layers);
          tree[Symbol.dispose]();
          assertEquals(outside(), before);
          await removeTree(`${base}/root`);
        },
      ),
      { numRuns: 200 },
    );
  } finally {
    await removeTree(base);
  }
});

/** Unpacks layers, and ignores errors. */
async function unpackAll(root: string, layers: readonly (readonly RawEntry[])[]): Promise<Unpacking> {
  const unpacking = await beginUnpacking(root);
  try {
    for (const layer of layers) await unpackLayer(unpacking, new Blob([rawTar(layer)]).stream());
    finishUnpacking(unpacking);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
  }
  return unpacking;
}

/** An owner field of a tar header that is read as `-value`. */
function negative(value: number): Uint8Array<ArrayBuffer> {
  const field = new Uint8Array(8);
  new DataView(field.buffer).setBigInt64(0, ~BigInt(value));
  return field;
}

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
Deno.test({
  name: "unpackLayer: files and implicit folders belong to mapped IDs, not to users of the machine",
  ignore: !isRoot,
  async fn() {
    const base = await Deno.makeTempDir();
    try {
      const unpacking = await beginUnpacking(`${base}/root`, { first: 2_000_000_000, count: 131_072 });
      const owned = (name: string, uid: number, mode: number): Entry => ({ ...file(name, "x", mode), uid, gid: uid });
      const layers = [
        [owned("usr/bin/su", 0, 0o4755), owned("srv/app/own", 1000, 0o644), owned("srv/huge", 3_000_000, 0o644)],
        [file("usr/.wh.bin", ""), owned("usr/bin/again", 0, 0o644), link("usr/link", "bin")],
      ];
      for (const layer of layers) await unpackLayer(unpacking, new Blob([await tarOf(layer)]).stream());
      finishUnpacking(unpacking);
      const owner = (path: string) => Deno.lstatSync(`${base}/root${path}`).uid! - 2_000_000_000;
      const paths = [
        "",
        "/usr",
        "/usr/bin",
        "/usr/bin/again",
        "/usr/link",
        "/srv",
        "/srv/app",
        "/srv/app/own",
        "/srv/huge",
      ];
      assertEquals(paths.map(owner), [0, 0, 0, 0, 0, 0, 0, 1000, 65_534]);
      unpacking.tree[Symbol.dispose]();
    } finally {
      await removeTree(base);
    }
  },
});

Deno.test({
  name: "unpackLayer: an entry whose owner is negative or not a number does not belong to a user of the machine",
  ignore: !isRoot,
  async fn() {
    const first = 2_000_000_000;
    for (const owner of [negative(first), negative(first - 1000), new TextEncoder().encode("root")]) {
      for (const type of ["0", "5"]) {
        await unpacked([], async (root) => {
          const unpacking = await beginUnpacking(root, { first, count: 131_072 });
          const header = tarHeader({ name: "a", type, mode: 0o4755, owner });
          await unpackLayer(unpacking, new Blob([header, new Uint8Array(1024)]).stream());
          const { uid, gid } = Deno.lstatSync(`${root}/a`);
          assertEquals([uid, gid], [first + 65_534, first + 65_534]);
          finishUnpacking(unpacking);
          unpacking.tree[Symbol.dispose]();
        });
      }
    }
  },
});
