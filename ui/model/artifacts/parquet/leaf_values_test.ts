/** Malicious pages that demand more than they contain. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ColumnMetaData, SchemaElement } from "hyparquet";
import { ParquetError } from "./bounds.ts";
import { CachedFileParts } from "./file_parts.ts";
import { leafValues, type ReadBudget } from "./leaf_values.ts";

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))];

/** A structure of the compact protocol: numbers and nested structures by field. */
function thriftStruct(fields: Readonly<Record<number, number | Readonly<Record<number, number>>>>): number[] {
  let last = 0;
  const bytes = Object.entries(fields).flatMap(([key, value]) => {
    const step = Number(key) - last;
    last = Number(key);
    if (typeof value !== "number") return [step << 4 | 12, ...thriftStruct(value)];
    return [step << 4 | 5, ...varint(value < 0 ? -2 * value - 1 : 2 * value)];
  });
  return [...bytes, 0];
}

const PLAIN = 0, RLE = 3, SPLIT = 9, PLACES = 8;

const page = (type: number, field: number, head: Readonly<Record<number, number>>, bytes: readonly number[]) => [
  ...thriftStruct({ 1: type, 2: bytes.length, 3: bytes.length, [field]: head }),
  ...bytes,
];
/** A dictionary with one number. */
const DICTIONARY = page(2, 7, { 1: 1, 2: PLAIN }, [7, 0, 0, 0, 0, 0, 0, 0]);
const first = (count: number, encoding: number, bytes: readonly number[]) =>
  page(0, 5, { 1: count, 2: encoding, 3: RLE, 4: RLE }, bytes);
const second = (count: number, nulls: number, levels: number, bytes: readonly number[]) =>
  page(3, 8, { 1: count, 2: nulls, 3: count, 4: PLACES, 5: levels, 6: 0 }, bytes);

/** A run that repeats a number `count` times. */
const run = (count: number, value: number) => [...varint(count * 2), value];
/** Levels of a version 1 page, with their length. */
const levels = (bytes: readonly number[]) => [bytes.length, 0, 0, 0, ...bytes];
const MANY = 5_000_000;

async function read(
  pages: readonly (readonly number[])[],
  { left = { unpacked: 2 ** 26, moved: 2 ** 32, values: 4_000_000 }, ...element }: Partial<SchemaElement> & {
    left?: ReadBudget;
  } = {},
): Promise<unknown[]> {
  const bytes = Uint8Array.from([..."PAR1", ...pages].flatMap((page) => typeof page === "string" ? [0] : page));
  const file = new CachedFileParts(
    { size: bytes.length, read: (from, to) => Promise.resolve(bytes.slice(from, to)) },
    2 ** 24,
  );
  const { type = "INT32" } = element;
  const column = {
    type,
    path_in_schema: ["a"],
    codec: "UNCOMPRESSED",
    data_page_offset: 4n,
    total_compressed_size: BigInt(bytes.length - 4),
  } as unknown as ColumnMetaData;
  const way = [{
    children: [],
    count: 1,
    element: { name: "a", type, repetition_type: "REQUIRED", ...element } as SchemaElement,
    path: ["a"],
  }];
  return await leafValues(file, column, way, 1_000, left);
}

Deno.test("leafValues: reads pages of both versions", async () => {
  const values = [1, ...run(2, 0)];
  assertEquals(await read([DICTIONARY, first(2, PLACES, values)]), [7, 7]);
  assertEquals(await read([DICTIONARY, second(2, 0, 0, values)]), [7, 7]);
  const optional = { repetition_type: "OPTIONAL" } as const;
  assertEquals(await read([DICTIONARY, first(2, PLACES, [...levels(run(2, 1)), ...values])], optional), [7, 7]);
  assertEquals(await read([DICTIONARY, second(2, 1, 4, [2, 1, 2, 0, 1, ...run(1, 0)])], optional), [7, null]);
});

const REFUSED: Readonly<Record<string, () => Promise<unknown>>> = {
  "a negative number of absent values": () =>
    read([DICTIONARY, second(1, 1 - MANY, 0, [1, ...run(1, 0), ...run(MANY, 0)])]),
  "levels of more values than it has": () =>
    read([DICTIONARY, first(1, PLACES, [...levels(run(1_000_000, 1)), 1, ...run(1, 0), ...run(MANY, 0)])], {
      repetition_type: "OPTIONAL",
    }),
  "levels that the schema does not have": () => read([DICTIONARY, second(1, 0, 6, [1, ...run(MANY, 0)])]),
  "numbers in the encoding of truths": () => read([DICTIONARY, first(1, RLE, [1, ...run(MANY, 0)])]),
  "truths in a dictionary": () =>
    read([DICTIONARY, first(1, PLACES, [1, 2, 0, 0, ...run(MANY, 0)])], { type: "BOOLEAN" }),
  "packed numbers that are invalid": () => read([DICTIONARY, first(1, PLACES, [1, 1, 2, ...run(MANY, 0)])]),
  "numbers of more bytes than a page may have": () =>
    read([first(1_000_000, SPLIT, Array<number>(1_000).fill(0))], { type: "FIXED_LEN_BYTE_ARRAY", type_length: 1_000 }),
};

for (const [what, readIt] of Object.entries(REFUSED)) {
  Deno.test(`leafValues: refuses a page for ${what}`, async () => void await assertRejects(readIt, ParquetError));
}

Deno.test("leafValues: levels after the last value and pages without values count as work", async () => {
  const left = { unpacked: 2 ** 26, moved: 2 ** 32, values: 4_000_000 };
  await read([first(1, PLAIN, levels(run(1_000_000, 0)))], { repetition_type: "OPTIONAL", left });
  assert(left.values < 3_100_000, String(left.values));
  const none = Array.from({ length: 100 }, () => first(0, PLAIN, []));
  await assertRejects(
    () => read(none, { left: { unpacked: 2 ** 26, moved: 2 ** 32, values: 1_000 } }),
    ParquetError,
    "too many bytes",
  );
});
