import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { checkDeltas, checkRuns, ParquetError, structEnd } from "./bounds.ts";
import type { FileParts } from "./file_parts.ts";
import { parquetTable } from "./parquet_table.ts";

/** Files written by Arrow. */
const filed = (name: string) => Deno.readFile(new URL(`./testdata/${name}.parquet`, import.meta.url));

function whole(bytes: Uint8Array<ArrayBuffer>): FileParts {
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) };
}

const ALL = [
  ["id", "name", "ok", "score", "price", "at", "day", "tags", "place", "raw", "attrs"],
  [
    ...["0", "ann", "true", "0.5", "12345678901234567890.12", "2026-03-28T12:00:00.123456Z", "2026-03-28"],
    ...['["a","b"]', '{"x":1,"y":null}', "0x00ff", '{"k":"v"}'],
  ],
  ["1", "", "false", "1.25", "", "2026-03-28T12:00:00.123456Z", "1969-12-31", "[]", "", "", "{}"],
  ["2", "börn", "", "", "-0.05", "2026-03-28T12:00:00.123456Z", "", "", '{"x":2,"y":"z"}', "", ""],
  [
    ...["3", "ann", "true", "-3", "1.00", "2026-03-28T12:00:00.123456Z", "0001-01-01"],
    ...['["c"]', '{"x":3,"y":""}', "x", '{"a":"1","b":null}'],
  ],
  ["4", "", "true", "1e+300", "0.00", "", "2000-02-29", "[null]", '{"x":null,"y":"q"}', "yy", "{}"],
];

for (const name of ["all-gzip", "all-zstd", "all-v2"]) {
  Deno.test(`parquetTable: reads rows of every type as Arrow wrote them: ${name}`, async () => {
    const { rows, types, count, leftOut } = await parquetTable(whole(await filed(name)));
    assertEquals(rows, ALL);
    assertEquals([count, leftOut], [5, []]);
    assertEquals(types.slice(3, 9), ["double", "decimal", "timestamp", "date", "list", "struct"]);
  });
}

Deno.test("parquetTable: reads plain and delta-encoded values", async () => {
  const plain = await parquetTable(whole(await filed("plain")));
  assertEquals(plain.rows.slice(0, 3), [["id", "name", "score"], ["0", "ann", "0.5"], ["1", "", "1.25"]]);
  assertEquals((await parquetTable(whole(await filed("delta")))).rows.flat(), ["id", "0", "1", "2", "3", "4"]);
});

Deno.test("parquetTable: leaves out a column that cannot be read, with the reason", async () => {
  const { rows, leftOut } = await parquetTable(whole(await filed("brotli")));
  assertEquals(rows[0], ["id"]);
  assertEquals(leftOut, [{ name: "name", reason: "the page does not support its compression BROTLI" }]);
});

Deno.test("parquetTable: reads the first thousand rows, and no later page", async () => {
  const { rows, count } = await parquetTable(whole(await filed("pages")));
  assertEquals([rows.length, count], [1001, 3000]);
  for (const [index, row] of rows.slice(1).entries()) {
    assertEquals(row, [String(index % 7), `word ${index % 11}`, index % 3 === 0 ? "" : `[${index},${index + 1}]`]);
  }
});

Deno.test("parquetTable: of a file of a gigabyte, reads only its end and the shown pages", async () => {
  const bytes = await filed("pages");
  const size = 2 ** 30;
  const asked: [from: number, to: number][] = [];
  const { rows } = await parquetTable({
    size,
    read: (from, to) => {
      asked.push([from, to]);
      const part = new Uint8Array(to - from);
      // The beginning of the file, a gigabyte of zeros, and its end.
      const half = bytes.length - 3_000;
      if (from < half) part.set(bytes.subarray(from, Math.min(to, half)));
      const end = size - 3_000;
      if (to > end) part.set(bytes.subarray(half + Math.max(0, from - end)), Math.max(0, end - from));
      return Promise.resolve(part);
    },
  });
  assertEquals(rows.length, 1001);
  assert(asked.length <= 4 && asked.reduce((sum, [from, to]) => sum + to - from, 0) < 1_000_000, asked.join(" "));
});

Deno.test("parquetTable: a failed request is not an error of the file", async () => {
  const failed = new TypeError("the network is away");
  const error = await assertRejects(() => parquetTable({ size: 5_000, read: () => Promise.reject(failed) }));
  assert(error === failed);
});

Deno.test("parquetTable: refuses a few bytes that demand a million values, before allocating a list", () => {
  const long = [0xff, 0xff, 0xff, 0xff, 0x0f];
  const refused = (check: () => void) => {
    try {
      check();
    } catch (error) {
      return error instanceof ParquetError;
    }
    return false;
  };
  const runs = (...bytes: number[]) => refused(() => checkRuns(Uint8Array.from(bytes), 0, 10, 1));
  assert(runs(0xfe, 0xff, 0xff, 0x07, 1), "one value, sixteen million times");
  assert(runs(...long), "packed values");
  assert(!runs(20, 1), "ten times");
  assert(refused(() => checkRuns(Uint8Array.of(20, 1), 0, 10, 255)), "values of 255 bits");
  assert(refused(() => checkDeltas(Uint8Array.of(0x80, 0x01, 0, 5), 0)), "no parts of a block");
  assert(refused(() => checkDeltas(Uint8Array.of(...long, 4, 5), 0)), "a block of four billion");
  const struct = (...bytes: number[]) => refused(() => structEnd(Uint8Array.from(bytes), 0, 1000));
  assert(struct(0x19, 0xf1, ...long, 0), "a list of four billion");
  assert(struct(0x18, ...long, 0), "a text of four billion bytes");
  assert(struct(0x16, ...Array<number>(11).fill(0x80), 1, 0), "a number without an end");
  assert(struct(...Array<number>(40).fill(0x1c)), "structures in one another");
  assert(struct(...Array<number>(1001).fill(0x11), 0), "too many fields");
  assert(!struct(0x15, 2, 0), "a number");
});

Deno.test("parquetTable: a file with any changed bytes is read or refused as damaged", async () => {
  const files = await Promise.all(["all-v2", "all-gzip", "pages", "delta", "plain"].map(filed));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
      async (file, changes) => {
        const bytes = file.slice();
        for (const [offset, byte] of changes) bytes[offset % bytes.length] = byte;
        try {
          const { rows } = await parquetTable(whole(bytes));
          assert(rows.length <= 1001);
        } catch (error) {
          assert(error instanceof ParquetError, String(error));
        }
      },
    ),
    { numRuns: 400 },
  );
});
