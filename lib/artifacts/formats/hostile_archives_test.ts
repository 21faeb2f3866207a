/**
 * Hostile archives, unpacked next to unrelated files, by tar and by zip. Nothing outside of the target folder may be
 * created, changed or removed.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Folder } from "@tiphys/base/confined";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { untar } from "./mod.ts";
import { packZipAt, TEST_LIMITS, untarAt, unzipAt } from "./testing/by_path.ts";
import { listingOf, paxHeader, type RawEntry, rawTar, rawZip, tarBody, tarHeader } from "./testing/raw_archives.ts";

const FORMATS = { tar: { write: rawTar, unpack: untarAt }, zip: { write: rawZip, unpack: unzipAt } } as const;

const file = (name: string, text = "x", mode = 0o644): RawEntry => ({ name, text, mode });
const folder = (name: string, mode = 0o755): RawEntry => ({ name, type: "folder", mode });
const link = (name: string, target: string): RawEntry => ({ name, type: "link", target });
const hard = (name: string, target: string): RawEntry => ({ name, type: "hard link", target });

const PATH = /illegal file path in archive/;
const TARGET = /illegal symlink target in archive/;
const HARD = /illegal hard link target in archive/;

interface Case {
  readonly title: string;
  readonly entries: readonly RawEntry[];
  /** The expected error. If undefined, the archive is valid and `left` lists the result. */
  readonly refused?: RegExp;
  readonly left?: readonly string[];
  readonly only?: keyof typeof FORMATS;
}

const deep = (depth: number) => Array(depth).fill("d").join("/");

const CASES: readonly Case[] = [
  { title: "a name that goes up", entries: [file("../escaped")], refused: PATH },
  { title: "a name that goes up later", entries: [file("a/../../escaped")], refused: PATH },
  { title: "a name that goes up and comes back", entries: [file("a/../b")], refused: PATH },
  { title: "a name that is only a way up", entries: [folder("..", 0o777)], refused: PATH },
  { title: "an absolute name", entries: [file("/escaped"), file("other")], refused: PATH },
  { title: "an absolute name alone", entries: [file("/escaped")], refused: PATH, only: "tar" },
  { title: "an absolute name alone, which is read as a name", entries: [file("/a/b")], left: ["b"], only: "zip" },
  { title: "an absolute name alone that goes up", entries: [file("/a/../../escaped")], refused: PATH },
  { title: "an absolute name with more slashes", entries: [file("///escaped"), file("other")], refused: PATH },
  { title: "a folder with an absolute name", entries: [folder("/tmp", 0o777)], refused: PATH },
  { title: "a name with a zero byte", entries: [file("good\0/../../escaped")], refused: PATH },
  { title: "a name longer than any path", entries: [file(`${"n".repeat(200)}/`.repeat(21) + "x")], refused: PATH },
  { title: "folders deeper than the limit", entries: [file(`${deep(600)}/x`)], refused: PATH },
  { title: "ten thousand nested folders", entries: [file(`${deep(10_000)}/x`)], refused: PATH },
  { title: "folders as deep as the limit", entries: [file(`${deep(511)}/x`)] },
  { title: "a name longer than a file's may be", entries: [file("n".repeat(300))], refused: /./ },
  { title: "the folder itself, with a mode", entries: [folder("./", 0o777), file("a")], left: ["a"] },
  { title: "a link to the parent folder", entries: [link("l", "..")], refused: TARGET },
  { title: "a link to a file outside", entries: [link("l", "../outside")], refused: TARGET },
  { title: "an absolute link", entries: [link("l", "/etc/passwd")], refused: TARGET },
  { title: "an empty link", entries: [link("l", "")], refused: /symlink target|zip file|damaged/ },
  { title: "a link longer than any path", entries: [link("l", "x/".repeat(3000))], refused: /symlink target|too long/ },
  { title: "a link up from a folder", entries: [link("a/l", "../../outside")], refused: TARGET },
  { title: "a link that goes up behind a name", entries: [link("l", "x/../..")], refused: TARGET },
  { title: "a file through a link inside", entries: [folder("d"), link("l", "d"), file("l/f")], refused: PATH },
  { title: "a file in the place of a link", entries: [file("t"), link("l", "t"), file("l", "new")], left: ["l", "t"] },
  {
    title: "a folder in the place of a link",
    entries: [folder("d"), link("l", "d"), folder("l", 0o777)],
    refused: PATH,
  },
  {
    title: "a folder, slash at its end, for a link",
    entries: [folder("d"), link("l", "d"), folder("l/", 0)],
    refused: PATH,
  },
  { title: "a folder below a link", entries: [folder("d"), link("l", "d"), folder("l/e")], refused: PATH },
  { title: "a link in the place of a folder", entries: [folder("d"), link("d", "e")], refused: PATH },
  {
    title: "a link for a folder that holds something",
    entries: [file("d/f"), link("d", "e"), file("d/g")],
    refused: PATH,
  },
  {
    title: "a link that replaces a link, and an entry through it",
    entries: [folder("d"), link("l", "d"), link("l", "e"), file("l/f")],
    refused: PATH,
  },
  { title: "a file that replaces a folder", entries: [folder("d"), file("d")], refused: PATH },
  { title: "a folder that replaces a file", entries: [file("f"), folder("f")], refused: PATH },
  { title: "an entry below a file", entries: [file("f"), file("f/g")], refused: PATH },
  {
    title: "two links that lead outside together",
    entries: [link("a/b/up", "../.."), link("a/b/out", "up/../..")],
    refused: TARGET,
  },
  {
    title: "two links that lead outside together, in reverse order",
    entries: [link("a/b/out", "up/../.."), link("a/b/up", "../..")],
    refused: TARGET,
  },
  {
    title: "a way out that a later link opens",
    entries: [link("a/out", "b/c/../../.."), link("a/b", "../d"), folder("d"), link("d/c", "..")],
    refused: TARGET,
  },
  { title: "links in a circle", entries: [link("a", "b"), link("b", "a"), file("a/f")], refused: PATH },
  { title: "links in a circle that go up", entries: [link("a", "b/../b"), link("b", "a/../a")], left: ["a", "b"] },
  { title: "a link to itself", entries: [link("a", "a")], left: ["a"] },
  { title: "a link that leads nowhere", entries: [link("a", "not/there")], left: ["a"] },
  {
    title: "a folder's mode by the way of two links",
    entries: [link("a/b/up", "../.."), folder("a/b/up/x", 0o777)],
    refused: PATH,
  },
  { title: "a hard link to a file outside", entries: [hard("h", "../outside")], refused: PATH, only: "tar" },
  { title: "a hard link to an absolute name", entries: [hard("h", "/etc/passwd")], refused: PATH, only: "tar" },
  { title: "a hard link to a link", entries: [link("l", "t"), hard("h", "l")], refused: HARD, only: "tar" },
  {
    title: "a hard link through a link",
    entries: [file("d/f"), link("l", "d"), hard("h", "l/f")],
    refused: /link/,
    only: "tar",
  },
  { title: "a hard link to a folder", entries: [folder("d"), hard("h", "d")], refused: HARD, only: "tar" },
  { title: "a hard link to nothing", entries: [hard("h", "f")], refused: HARD, only: "tar" },
  { title: "a hard link to itself", entries: [file("f"), hard("f", "f")], left: ["f"], only: "tar" },
  {
    title: "a file for one name of two",
    entries: [file("a"), hard("b", "a"), file("b", "new")],
    left: ["a", "b"],
    only: "tar",
  },
  {
    title: "set-uid, set-gid and sticky bits",
    entries: [file("s", "x", 0o6755), folder("d", 0o3777)],
    left: ["d", "s"],
  },
  { title: "a folder that nobody may enter, and its content", entries: [folder("d", 0), file("d/f")], left: ["d"] },
  { title: "a device", entries: [{ name: "null", type: "device" }, file("a")], left: ["a"] },
  { title: "a pipe", entries: [{ name: "pipe", type: "pipe" }, file("a")], left: ["a"] },
  {
    title: "a file below a link whose name differs only in case",
    entries: [link("A", "t"), file("a/f")],
    left: ["A", "a"],
  },
  { title: "names that look alike", entries: [file("e\u0301"), file("\u00e9")], left: ["e\u0301", "\u00e9"] },
  { title: "names with line ends and quotes", entries: [file('a"b\n$(id)')], left: ['a"b\n$(id)'] },
  { title: "the same name a hundred times", entries: Array(100).fill(file("f")), left: ["f"] },
  { title: "more bytes than declared", entries: [{ name: "f", text: "x".repeat(600), size: 3 }], refused: /damaged/ },
  { title: "fewer bytes than declared", entries: [{ name: "f", text: "x", size: 9999 }], refused: /damaged/ },
  {
    title: "a declared size of 4 GiB without content",
    entries: [{ name: "f", size: 2 ** 32 - 1 }],
    refused: /damaged/,
  },
];

interface SiblingFolder extends Disposable {
  readonly base: string;
  readonly target: string;
}

/** Creates a folder to unpack into, and files next to it that must not change. */
function createSiblings(): SiblingFolder {
  const base = Deno.makeTempDirSync();
  Deno.mkdirSync(`${base}/a/b/target`, { recursive: true });
  for (const path of ["", "a/", "a/b/"]) {
    Deno.writeTextFileSync(`${base}/${path}outside`, "untouched");
    Deno.mkdirSync(`${base}/${path}x`, { mode: 0o700 });
    Deno.chmodSync(`${base}/${path}`, 0o711);
  }
  return {
    base,
    target: `${base}/a/b/target`,
    [Symbol.dispose]() {
      Deno.removeSync(base, { recursive: true });
    },
  };
}

/** Lists everything except the unpacked files. The mode of the target folder is ignored, too. */
function listOutside({ base }: SiblingFolder): string[] {
  return listingOf(base).filter((line) => !line.startsWith("/a/b/target/"));
}

for (const [format, { write, unpack }] of Object.entries(FORMATS)) {
  for (const { title, entries, refused, left, only } of CASES) {
    if (only && only !== format) continue;
    Deno.test(`${format}: nothing outside changes, and it is ${refused ? "rejected" : "unpacked"}: ${title}`, async () => {
      using scratch = createSiblings();
      const archive = await Deno.makeTempFile();
      await Deno.writeFile(archive, write(entries));
      const before = listOutside(scratch);
      const error = await unpack(archive, scratch.target).then(() => undefined, (error: Error) => error);
      await Deno.remove(archive);
      assertEquals(listOutside(scratch), before);
      if (refused) assertMatch(error?.message ?? "it was unpacked", refused);
      else assertEquals(error, undefined);
      if (left) assertEquals([...Deno.readDirSync(scratch.target)].map(({ name }) => name).sort(), [...left].sort());
      const unusual = listingOf(scratch.target).filter((line) => / [1-7]\d\d\d \d+:\d+/.test(line));
      assertEquals(unusual.filter((line) => !line.includes(" -> ")), [], "a set-uid, set-gid or sticky bit");
    });
  }
}

/** Hostile archives that only raw bytes of a tar can express. */
/** The header of a sparse file in GNU's old format. Its map has no pieces and continues. */
function mapWithoutEnd(): Uint8Array {
  const header = tarHeader({ name: "s", type: "S" });
  header[482] = 1;
  // The last digit of the mode keeps the checksum.
  header[106]! -= 1;
  return header;
}

function mapBlockWithoutPieces(): Uint8Array {
  const block = new Uint8Array(512);
  block[504] = 1;
  return block;
}

const TARS: readonly { title: string; bytes: readonly Uint8Array[]; refused: RegExp }[] = [
  {
    title: "a name in an extended header that goes up",
    bytes: [...paxHeader({ path: "../escaped" }), tarHeader({ name: "good" })],
    refused: PATH,
  },
  {
    title: "a target in an extended header that leads out",
    bytes: [...paxHeader({ linkpath: "/etc" }), tarHeader({ name: "l", type: "2", link: "good" })],
    refused: TARGET,
  },
  {
    title: "a GNU long name that goes up",
    bytes: [tarHeader({ name: "n", type: "L", size: 10 }), tarBody("../escaped"), tarHeader({ name: "good" })],
    refused: PATH,
  },
  { title: "a prefix that goes up", bytes: [tarHeader({ name: "escaped", prefix: ".." })], refused: PATH },
  {
    title: "an extended size that is not a number",
    bytes: [...paxHeader({ size: "abc" }), tarHeader({ name: "f" })],
    refused: /no size/,
  },
  {
    title: "a negative extended size",
    bytes: [...paxHeader({ size: "-512" }), tarHeader({ name: "f" })],
    refused: /no size/,
  },
  { title: "a size of all bits", bytes: [tarHeader({ name: "f", size: "\x7f".repeat(12) })], refused: /no size/ },
  {
    title: "an extended header of four gigabytes",
    bytes: [tarHeader({ name: "pax", type: "x", size: 2 ** 32 })],
    refused: /extended header has 4294967296 bytes/,
  },
  {
    title: "more extended headers for one file than memory can hold",
    bytes: Array.from({ length: 40 }, (_, number) => paxHeader({ [`key${number}`]: "x".repeat(30_000) })).flat(),
    refused: /extended header has \d+ bytes, more than 1048576/,
  },
  {
    title: "a map of holes that is one number without an end",
    bytes: [
      ...paxHeader({ "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1" }),
      tarHeader({ name: "s", size: 1 << 20 }),
      new TextEncoder().encode("1".repeat(4096)),
    ],
    refused: /is not a list of numbers/,
  },
  {
    title: "an extended header that runs over its end",
    bytes: [tarHeader({ name: "pax", type: "x", size: 12 }), tarBody("99999 path=a\n")],
    refused: /no length/,
  },
  {
    title: "an extended header without lengths",
    bytes: [tarHeader({ name: "pax", type: "x", size: 5 }), tarBody("-1 a=")],
    refused: /no length/,
  },
  {
    title: "a global header that is larger than its limit",
    bytes: [tarHeader({ name: "pax", type: "g", size: 2 << 20 }), new Uint8Array(2 << 20)],
    refused: /extended header has \d+ bytes, more than 1048576/,
  },
  {
    title: "global headers without end",
    bytes: Array.from({ length: 3000 }, () => tarHeader({ name: "pax", type: "g", size: 0 })),
    refused: /extended header has \d+ bytes, more than 1048576/,
  },
  {
    title: "a sparse file in GNU format whose map has no end",
    bytes: [mapWithoutEnd(), ...Array.from({ length: 50_000 }, () => mapBlockWithoutPieces())],
    refused: /more than 1000000 segments/,
  },
  {
    title: "a sparse file in GNU format without content",
    bytes: [tarHeader({ name: "s", type: "S", size: 512 }), tarBody("x")],
    refused: /do not match its size/,
  },
  {
    title: "a sparse file with holes at unknown positions",
    bytes: [...paxHeader({ "GNU.sparse.realsize": "99999999999" }), tarHeader({ name: "s" })],
    refused: /has no map of its holes/,
  },
  {
    title: "a sparse file with overlapping segments",
    bytes: [
      ...paxHeader({ "GNU.sparse.size": "20", "GNU.sparse.map": "0,10,5,10" }),
      tarHeader({ name: "s", size: 20 }),
      tarBody("x".repeat(20)),
    ],
    refused: /overlap/,
  },
  {
    title: "a sparse file with segments after its end",
    bytes: [
      ...paxHeader({ "GNU.sparse.size": "20", "GNU.sparse.map": "15,10" }),
      tarHeader({ name: "s", size: 10 }),
      tarBody("x".repeat(10)),
    ],
    refused: /do not match its size/,
  },
  {
    title: "a sparse file with a segment of negative size",
    bytes: [...paxHeader({ "GNU.sparse.size": "20", "GNU.sparse.map": "0,-5" }), tarHeader({ name: "s" })],
    refused: /no size/,
  },
  {
    title: "a sparse file with more segments than memory",
    bytes: [
      ...paxHeader({ "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1" }),
      tarHeader({ name: "s", size: 512 }),
      tarBody("4000000000\n"),
    ],
    refused: /more than 1000000 segments/,
  },
  {
    title: "a file whose map extends beyond its content",
    bytes: [
      ...paxHeader({ "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1" }),
      tarHeader({ name: "s", size: 0 }),
    ],
    refused: /map of a sparse file ends too early/,
  },
  { title: "a truncated header", bytes: [tarHeader({ name: "f" }).subarray(0, 200)], refused: /ends too early/ },
  {
    title: "a header whose sum is wrong",
    bytes: [tarHeader({ name: "f" }).map((byte, index) => index === 0 ? byte + 1 : byte)],
    refused: /checksum/,
  },
];

for (const { title, bytes, refused } of TARS) {
  Deno.test(`tar: nothing outside changes, and it is rejected: ${title}`, async () => {
    using scratch = createSiblings();
    const archive = await Deno.makeTempFile();
    await Deno.writeFile(archive, joinedBytes([...bytes]));
    const before = listOutside(scratch);
    const error = await untarAt(archive, scratch.target).then(() => undefined, (error: Error) => error);
    await Deno.remove(archive);
    assertEquals(listOutside(scratch), before);
    assertMatch(error?.message ?? "it was unpacked", refused);
  });
}

async function refusal(bytes: Uint8Array, limits: Partial<typeof TEST_LIMITS>, unpack = untarAt): Promise<string> {
  using scratch = createSiblings();
  const archive = await Deno.makeTempFile();
  await Deno.writeFile(archive, bytes);
  const error = await unpack(archive, scratch.target, { ...TEST_LIMITS, ...limits }).then(
    () => undefined,
    (error: Error) => error,
  );
  await Deno.remove(archive);
  return error?.message ?? "it was unpacked";
}

Deno.test("untar: rejects an archive with more entries than the limit, and the error names the limit", async () => {
  const entries = Array.from({ length: 11 }, (_, index) => file(`f${index}`));
  for (const { write, unpack } of Object.values(FORMATS)) {
    assertEquals(await refusal(write(entries), { entries: 11 }, unpack), "it was unpacked");
    const message = await refusal(write(entries), { entries: 10 }, unpack);
    assertEquals(message, "the archive has more than 10 entries, the limit of TIPHYS_MAX_ARCHIVE_ENTRIES");
  }
});

Deno.test("untar: rejects an archive with more bytes than the limit before they are written", async () => {
  const entries = [file("a", "x".repeat(600)), file("b", "x".repeat(600))];
  for (const { write, unpack } of Object.values(FORMATS)) {
    assertEquals(await refusal(write(entries), { bytes: 1200 }, unpack), "it was unpacked");
    assertMatch(
      await refusal(write(entries), { bytes: 1199 }, unpack),
      /more than 1199 bytes, the limit of ARGO_MAX_UNPACKED_BYTES/,
    );
  }
});

Deno.test("untar: rejects holes of more than a tebibyte, in one file or several", async () => {
  const sparse = (name: string, size: number) => [
    ...paxHeader({ "GNU.sparse.size": String(size), "GNU.sparse.map": "0,0" }),
    tarHeader({ name }),
  ];
  const tar = (...sizes: readonly number[]) =>
    joinedBytes([...sizes.flatMap((size, index) => sparse(`f${index}`, size)), new Uint8Array(1024)]);
  const message = "the holes of the archive's files have more than 1099511627776 bytes, the limit";
  assertEquals(await refusal(tar(2 ** 30, 2 ** 30), {}), "it was unpacked");
  assertEquals(await refusal(tar(2 ** 40 + 1), {}), message);
  assertEquals(await refusal(tar(2 ** 30, 2 ** 40), {}), message);
});

Deno.test("untar: stops a gzip bomb when its ratio exceeds the limit, before the disk is full", async () => {
  const zeros = new Uint8Array(1 << 20);
  const pieces = 40;
  const tar = ReadableStream.from((function* () {
    yield tarHeader({ name: "zeros", size: pieces * zeros.length });
    for (let piece = 0; piece < pieces; piece++) yield zeros;
    yield new Uint8Array(1024);
  })());
  using scratch = createSiblings();
  const archive = await Deno.makeTempFile();
  await Deno.writeFile(archive, tar.pipeThrough(new CompressionStream("gzip")));
  const { size } = await Deno.stat(archive);
  assert(size < 200_000);
  const error = await untarAt(archive, scratch.target, { ...TEST_LIMITS, bytes: Infinity, ratioFrom: 16 << 20 }).then(
    () => undefined,
    (error: Error) => error,
  );
  await Deno.remove(archive);
  assertMatch(
    error?.message ?? "",
    /the archive unpacks \d+ bytes to \d+, more than 200 times as many, the limit of TIPHYS_MAX_UNPACKED_RATIO/,
  );
});

Deno.test("untar: skipped content counts as content, so that it cannot take longer to read than the limits allow", async () => {
  const size = 40 << 20;
  const parts = [tarHeader({ name: "skipped", type: "V", size }), new Uint8Array(size + 1024)];
  const stream = new Blob(parts).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const bomb = { bytes: Infinity, ratioFrom: 16 << 20 };
  assertMatch(await refusal(packed, bomb), /more than 200 times as many, the limit of TIPHYS_MAX_UNPACKED_RATIO/);
  assertMatch(await refusal(packed, { bytes: 1 << 20 }), /more than 1048576 bytes/);
  assertEquals(await refusal(packed, {}), "it was unpacked");
});

Deno.test("unzip: stops a zip bomb when its ratio exceeds the limit, even if it is spread over many entries", async () => {
  using scratch = createSiblings();
  const archive = await Deno.makeTempFile();
  const source = await Deno.makeTempDir();
  for (let part = 0; part < 10; part++) await Deno.writeFile(`${source}/${part}`, new Uint8Array(4 << 20));
  await packZipAt(source, "zeros", archive, 9);
  const { size } = await Deno.stat(archive);
  const error = await unzipAt(archive, scratch.target, { ...TEST_LIMITS, bytes: Infinity, ratioFrom: 16 << 20 }).then(
    () => undefined,
    (error: Error) => error,
  );
  await Deno.remove(archive);
  await Deno.remove(source, { recursive: true });
  assert(size < 200_000);
  assertMatch(error?.message ?? "", /more than 200 times as many, the limit of TIPHYS_MAX_UNPACKED_RATIO/);
});

Deno.test("unzip: an entry that is listed many times counts each time, and a wrong number of entries is rejected", async () => {
  const archive = rawZip([file("a", "content")]);
  const view = new DataView(archive.buffer);
  const end = archive.length - 22;
  const [listed, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const entry = archive.slice(start, start + listed);
  const claim = (bytes: Uint8Array<ArrayBuffer>, count: number) => {
    new DataView(bytes.buffer).setUint16(bytes.length - 22 + 10, count, true);
    return bytes;
  };
  const repeated = claim(joinedBytes([archive.slice(0, start), ...Array(1000).fill(entry), archive.slice(end)]), 1000);
  assertMatch(await refusal(repeated, { entries: 999 }, unzipAt), /more than 999 entries/);
  assertMatch(await refusal(repeated, { bytes: 7 * 999 }, unzipAt), /more than 6993 bytes/);
  assertMatch(await refusal(claim(archive.slice(), 65_535), {}, unzipAt), /damaged/);
});

Deno.test("gunzip: rejects an endless name in the header of a gzip file after a limit", async () => {
  using scratch = createSiblings();
  using target = Folder.open(scratch.target);
  const page = new Uint8Array(65_536).fill(0x61);
  let given = 0;
  const archive = (async function* () {
    yield new Uint8Array([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    for (; given < 64 << 20; given += page.length) yield page;
  })();
  const error = await untar(archive, target, { limits: TEST_LIMITS }).then(() => undefined, (error: Error) => error);
  assertEquals(error?.message, "the archive is damaged: its header has a text of more than 65536 bytes");
  assert(given < 1 << 20, `${given} bytes were read`);
});

Deno.test("gunzip: stops reading endless zeros after a compressed archive after a limit, and the archive is unpacked", async () => {
  using scratch = createSiblings();
  const [mebibyte, page] = [1 << 20, new Uint8Array(65_536)];
  const stream = new Blob([rawTar([file("a")])]).stream().pipeThrough(new CompressionStream("gzip"));
  let given = 0;
  const warnings: string[] = [];
  const unpack = async (pages: number) => {
    using target = Folder.open(scratch.target);
    const archive = (async function* () {
      yield* packed;
      for (given = 0; given < pages * page.length; given += page.length) yield page;
    })();
    await untar(archive, target, { limits: TEST_LIMITS, warn: (line) => warnings.push(line) });
  };
  const packed = await Array.fromAsync(stream);
  await unpack(16);
  assertEquals([given, warnings], [mebibyte, []]);
  await unpack(Infinity);
  assertEquals(Deno.readTextFileSync(`${scratch.target}/a`), "x");
  assertMatch(warnings.join(), /^ignored the bytes after the end of the compressed archive$/);
  assert(given < 66 * mebibyte, `${given} bytes were read`);
});
