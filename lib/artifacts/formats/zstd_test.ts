import { assert, assertEquals, assertRejects } from "@std/assert";
import { constants, zstdCompressSync } from "node:zlib";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { needs } from "../../base/testing/needs.ts";
import { Folder, UnpackLimitError } from "@tiphys/base/confined";
import { TrailingBytesError } from "./gunzip.ts";
import { startsWithZstdMark, tarGz, untar } from "./mod.ts";
import { TEST_LIMITS } from "./testing/by_path.ts";
import { rawTar } from "./testing/raw_archives.ts";
import { tarZstOf } from "./tar_zst.ts";
import { unzstd, zstd } from "./zstd.ts";
import { isZstd, ZSTD_MARK } from "@tiphys/base/zstd_mark";

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const packed = (content: Uint8Array, params: Record<number, number> = {}) =>
  new Uint8Array(zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1, ...params } }));
const MIXED = new Uint8Array(400_000).map((_, index) => index % 7 === 0 ? index * 31 >> 3 : index >> 9);

/** Yields the bytes in pieces of a size, in one buffer that each piece overwrites. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size);
  for (let offset = 0; offset < bytes.length; offset += size) {
    const part = bytes.subarray(offset, offset + size);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
    buffer.fill(0xff);
  }
}

async function unpacked(bytes: Uint8Array, size = 1000): Promise<Bytes> {
  const parts: Bytes[] = [];
  for await (const part of unzstd(inPieces(bytes, size))) parts.push(part.slice());
  return joinedBytes(parts);
}

Deno.test("unzstd() unpacks the output of zstd() for every level", async () => {
  for (const level of [undefined, -1, 0, 1, 9]) {
    const stream = ReadableStream.from([MIXED.slice()]).pipeThrough(await zstd(level));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    assert(bytes.length < MIXED.length / 2, `${level}: ${bytes.length}`);
    assertEquals(await unpacked(bytes), MIXED);
  }
});

Deno.test("unzstd() reads several frames, ignores skippable ones, and accepts pieces of any size", async () => {
  const other = bytesOf("and more ".repeat(20_000));
  const bytes = joinedBytes([ZSTD_MARK, packed(MIXED), ZSTD_MARK, packed(new Uint8Array()), packed(other), ZSTD_MARK]);
  for (const size of [1, 3, 4096, bytes.length]) {
    assertEquals(await unpacked(bytes, size), joinedBytes([MIXED, other]), `${size}`);
  }
  assertEquals(await unpacked(ZSTD_MARK).catch((error) => error.message), "the archive is damaged: it ends too early");
});

Deno.test("unzstd() rejects content that is truncated anywhere", async () => {
  const whole = packed(MIXED.subarray(0, 3000));
  for (let length = 0; length < whole.length; length++) {
    await assertRejects(() => unpacked(whole.subarray(0, length)), Error, "ends too early");
  }
});

Deno.test("unzstd() never yields other content when any byte is changed", async () => {
  const content = MIXED.subarray(0, 2000);
  const whole = packed(content);
  let refused = 0;
  for (let offset = 0; offset < whole.length; offset++) {
    const bytes = whole.slice();
    bytes[offset]! ^= 0x10;
    const read = await unpacked(bytes).catch(() => undefined);
    // Some bits have no meaning or only affect the memory, and do not change the content.
    if (read) assertEquals(read, content, `${offset}`);
    else refused++;
  }
  assert(refused > whole.length - 20, `${refused} of ${whole.length}`);
});

Deno.test("unzstd() yields the content before other bytes, then fails", async () => {
  const parts: Bytes[] = [];
  await assertRejects(async () => {
    for await (const part of unzstd(inPieces(joinedBytes([packed(MIXED), bytesOf("other")]), 999))) {
      parts.push(part.slice());
    }
  }, TrailingBytesError);
  assertEquals(joinedBytes(parts), MIXED);
});

Deno.test("unzstd() rejects frames that need more than 8 MiB of memory, or a dictionary", async () => {
  const long = packed(new Uint8Array(32 << 20), { [constants.ZSTD_c_windowLog]: 25 });
  await assertRejects(() => unpacked(long), Error, "requires too much memory");
  const header = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x58, 7, 1, 0, 0);
  await assertRejects(() => unpacked(header), Error, "needs a dictionary");
});

Deno.test("unzstd() throws an error of its source unchanged, and releases the source", async () => {
  let isClosed = false;
  async function* broken(): AsyncGenerator<Uint8Array> {
    try {
      yield packed(MIXED).subarray(0, 5000);
      throw new RangeError("the network is gone");
    } finally {
      isClosed = true;
    }
  }
  await assertRejects(async () => {
    for await (const _ of unzstd(broken()));
  }, RangeError);
  assertEquals(isClosed, true);
  isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield packed(MIXED);
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of unzstd(endless())) break;
  assertEquals(isClosed, true, "the source is closed when the consumer stops early");
});

Deno.test("untar() stops a small zstd archive that expands too much, and names the limit", async () => {
  const path = await Deno.makeTempDir();
  using folder = Folder.open(path);
  const zeros = rawTar([{ name: "zeros", text: "\0".repeat(8 << 20), mode: 0o644 }]);
  const limits = { ...TEST_LIMITS, ratioFrom: 1 << 20 };
  await assertRejects(
    () => untar(inPieces(packed(zeros), 100), folder, { limits }),
    UnpackLimitError,
    "more than 200 times as many",
  );
  await assertRejects(
    () => untar(inPieces(packed(zeros), 100), folder, { limits: { ...TEST_LIMITS, bytes: 1 << 20 } }),
    UnpackLimitError,
  );
  await Deno.remove(path, { recursive: true });
});

Deno.test("zstd archives begin with a mark, unlike a user's zstd file", async () => {
  assertEquals([isZstd(ZSTD_MARK), startsWithZstdMark(ZSTD_MARK), startsWithZstdMark(ZSTD_MARK.subarray(0, 5))], [
    true,
    true,
    true,
  ]);
  assertEquals([isZstd(packed(MIXED)), startsWithZstdMark(packed(MIXED))], [true, false]);
  assertEquals([isZstd(bytesOf("PK")), isZstd(new Uint8Array()), isZstd(bytesOf("(text"))], [false, false, false]);
  const archive = await tarZstOf(inPieces(new Uint8Array(await new Response(await gzippedTar()).arrayBuffer()), 500));
  assertEquals(startsWithZstdMark(new Uint8Array(await new Response(archive).arrayBuffer())), true);
});

async function gzippedTar(): Promise<ReadableStream<Bytes>> {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "content");
  const { Handle } = await import("@tiphys/base/confined");
  using held = Handle.open(path);
  const archive = new Uint8Array(await new Response(await tarGz(held, "f")).arrayBuffer());
  await Deno.remove(path);
  return ReadableStream.from([archive]);
}

const PROGRAM = await new Deno.Command("zstd", { args: ["--version"], stdout: "null", stderr: "null" }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  ...needs("zstd", PROGRAM, "zstd: the zstd program reads our archives, and we read its archives"),
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const run = async (...args: string[]) => {
      const { success, stderr } = await new Deno.Command("zstd", { args: ["-q", ...args], cwd: folder }).output();
      assert(success, new TextDecoder().decode(stderr));
    };
    const stream = ReadableStream.from([MIXED.slice()]).pipeThrough(await zstd());
    const ours = new Uint8Array(await new Response(stream).arrayBuffer());
    await Deno.writeFile(`${folder}/ours.zst`, joinedBytes([ZSTD_MARK, ours]));
    await run("-d", "ours.zst");
    assertEquals(await Deno.readFile(`${folder}/ours`), MIXED);
    for (const level of ["-1", "-19"]) {
      await run(level, "-f", "ours", "-o", "theirs.zst");
      assertEquals(await unpacked(await Deno.readFile(`${folder}/theirs.zst`)), MIXED);
    }
    await Deno.remove(folder, { recursive: true });
  },
});
