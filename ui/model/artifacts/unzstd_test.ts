import { assert, assertEquals } from "@std/assert";
import { constants, zstdCompressSync } from "node:zlib";
import { ZSTD_MARK } from "@tiphys/base/zstd_mark";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { previewOf } from "./preview.ts";
import { unzstd } from "./unzstd.ts";

const MAX_ITEMS = 1024 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const packed = (content: Uint8Array, params: Record<number, number> = {}) =>
  new Uint8Array(zstdCompressSync(content, { params }));
const MIXED = new Uint8Array(400_000).map((_, index) => index % 7 === 0 ? index * 31 >> 3 : index >> 9);

Deno.test("unzstd: decompresses consecutive frames and skips skippable ones", () => {
  const bytes = joinedBytes([ZSTD_MARK, packed(MIXED), ZSTD_MARK, packed(bytesOf("more"))]);
  assertEquals(unzstd(bytes, MAX_ITEMS), { content: joinedBytes([MIXED, bytesOf("more")]), isAll: true });
});

Deno.test("unzstd: decompresses a truncated file and reports that it is incomplete", () => {
  const whole = packed(MIXED, { [constants.ZSTD_c_windowLog]: 15 });
  const { content, isAll } = unzstd(whole.subarray(0, whole.length - 40), MAX_ITEMS);
  assertEquals(isAll, false);
  assert(content.length > 100_000);
  assertEquals(content, MIXED.subarray(0, content.length));
  for (const length of [0, 3, 4, 5, 6, 9]) assertEquals(unzstd(whole.subarray(0, length), MAX_ITEMS).content.length, 0);
  assertEquals(unzstd(bytesOf("no file of zstd at all"), MAX_ITEMS), { content: new Uint8Array(), isAll: false });
});

Deno.test("unzstd: stops at a file that expands to a very large one, or requires much memory or work", () => {
  const bomb = packed(new Uint8Array(64 * 1024 * 1024));
  assert(bomb.length < 10_000);
  const { content, isAll } = unzstd(bomb, MAX_ITEMS);
  assertEquals([content.length <= MAX_ITEMS + 128 * 1024, isAll], [true, false]);
  // A frame with a window of 2 GiB and one block of four bytes.
  const window = (log: number) => (log - 10) << 3;
  const header = (log: number) => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, window(log));
  const block = (isLast: boolean) => Uint8Array.of((isLast ? 1 : 0) | 2 | 1 << 3, 0, 0, 0x61);
  assertEquals(unzstd(joinedBytes([header(31), block(true)]), MAX_ITEMS), { content: new Uint8Array(), isAll: false });
  assertEquals(unzstd(joinedBytes([header(20), block(true)]), MAX_ITEMS), { content: bytesOf("a"), isAll: true });
  const blocks = joinedBytes([header(23), ...Array.from({ length: 10_000 }, () => block(false)), block(true)]);
  const stopped = unzstd(blocks, MAX_ITEMS);
  assertEquals([stopped.content.length < 1000, stopped.isAll], [true, false]);
  // Chunks of one file share the budget.
  const left = { moved: 8 * 2 ** 23 };
  const piece = joinedBytes([header(23), block(true)]);
  const all = Array.from({ length: 10 }, () => unzstd(piece, MAX_ITEMS, left).isAll);
  assertEquals([all.at(0), all.at(-1)], [true, false]);
});

Deno.test("previewOf: lists the files of a zstd archive, and shows a single zstd text", async () => {
  const header = new Uint8Array(1024);
  const put = (offset: number, text: string) => header.set(bytesOf(text), offset);
  put(0, "a.txt");
  put(124, "00000000005");
  put(148, "        ");
  put(156, "0");
  put(148, header.subarray(0, 512).reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0"));
  header[154] = 0;
  put(512, "words");
  const tar = joinedBytes([header, new Uint8Array(1024)]);
  const file = { name: "a.tar.zst", type: "application/zstd", isWhole: true };
  const preview = await previewOf({ ...file, bytes: joinedBytes([ZSTD_MARK, packed(tar)]) });
  assert(preview.kind === "packed");
  assertEquals(preview.files.map(({ name, size }) => [name, size]), [["a.txt", 5]]);
  assertEquals(preview.isWhole, true);
  assertEquals(await previewOf({ ...file, name: "a.json.zst", bytes: packed(bytesOf('{"a":1}')) }), {
    kind: "text",
    text: '{\n  "a": 1\n}',
  });
});
