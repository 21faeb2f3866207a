/** The first values of one column of a row group, page by page. */
import { assembleLists } from "hyparquet/src/assemble.js";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert, convertWithDictionary } from "hyparquet/src/convert.js";
import { readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, isFlatColumn } from "hyparquet/src/schema.js";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import type { ColumnMetaData, DecodedArray, PageHeader, SchemaTree } from "hyparquet";
import { gunzip } from "../gunzip.ts";
import { unzstd } from "../unzstd.ts";
import { checkDeltas, checkRuns, MAX_VALUES, ParquetError, structEnd } from "./bounds.ts";
import { decimalText, PARSERS } from "./cells.ts";
import type { CachedFileParts } from "./file_parts.ts";
import * as words from "../../text/en/parquet.ts";

type ColumnDecoder = Parameters<typeof readDataPage>[2];

/**
 * The remaining budget of a file: bytes to decompress and move in memory, and values to decode. Reduced while columns
 * are read.
 */
export interface ReadBudget {
  unpacked: number;
  moved: number;
  values: number;
}

const MAX_PAGE = 16 * 1024 * 1024;
/** The largest page header, which may contain the minimum and maximum value. */
const MAX_HEAD = 64 * 1024;
const MAX_HEAD_FIELDS = 1_000;
/** The cost of a page without values, in decoded values: a file may have as many such pages as bytes. */
const PAGE_VALUES = 20;
/** The limit of bytes of byte-split numbers, including absent ones. */
const MAX_SPLIT = 4 * MAX_PAGE;
/** The root at the start of a column's path, for which the library counts no levels. */
const ROOT: SchemaTree = { children: [], count: 1, element: { name: "" }, path: [] };

interface Page {
  readonly head: PageHeader;
  /** The content as it is decoded: decompressed, levels first. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the values of the first rows: `count` of them, or fewer if further pages are too large.
 * @throws {ParquetError} if not even the first page can be shown
 */
export async function leafValues(
  file: CachedFileParts,
  column: ColumnMetaData,
  way: readonly SchemaTree[],
  count: number,
  left: ReadBudget,
): Promise<unknown[]> {
  const schemaPath = [ROOT, ...way];
  const { element } = way.at(-1)!;
  const { converted_type: converted, logical_type: logical } = element;
  const isDecimal = converted === "DECIMAL" || logical?.type === "DECIMAL";
  const isRaw = isDecimal || converted === "BSON" || converted === "INTERVAL";
  const decoder: ColumnDecoder = {
    pathInSchema: column.path_in_schema,
    type: column.type,
    // Decimals are formatted here: the library's conversion loses digits and takes quadratic time.
    element: isRaw ? { ...element, converted_type: undefined, logical_type: undefined } : element,
    schemaPath,
    codec: "UNCOMPRESSED",
    parsers: PARSERS,
    utf8: !isRaw,
  };
  const isFlat = isFlatColumn(schemaPath);
  let dictionary: DecodedArray | undefined;
  let values: unknown[] = [];
  try {
    for await (const page of pagesOf(file, column, left)) {
      if (page.head.type === "DICTIONARY_PAGE") {
        dictionary = dictionaryOf(page, decoder);
        continue;
      }
      spendBudget(left, checkPage(page, decoder, dictionary !== undefined));
      const more = pageValues(page, decoder, dictionary, isFlat ? [] : values);
      if (isFlat) { for (const value of more) values.push(value); }
      else values = Array.isArray(more) ? more : Array.from<unknown>(more);
      // A row of nested values may continue on the next page: it is complete when another one starts.
      if (isFlat ? values.length >= count : values.length > count) break;
    }
  } catch (error) {
    // The values so far are shown; a nested row may be incomplete.
    if (!isFlat) values.pop();
    if (file.failure || values.length === 0) throw error;
  }
  const first = values.slice(0, count);
  return isDecimal ? deepMap(first, (value) => decimalText(value, element.scale ?? 0)) : first;
}

/** Subtracts values from the budget. @throws {ParquetError} if it is exceeded */
function spendBudget(left: ReadBudget, values: number): void {
  left.values -= values;
  if (left.unpacked < 0 || left.values < 0) throw new ParquetError(words.tooManyBytes);
}

function deepMap(values: unknown[], change: (value: unknown) => unknown): unknown[] {
  return values.map((value) => Array.isArray(value) ? deepMap(value, change) : change(value));
}

/** Yields the pages of a column in order, decompressed and checked. */
async function* pagesOf(file: CachedFileParts, column: ColumnMetaData, left: ReadBudget): AsyncGenerator<Page> {
  const from = Number(column.dictionary_page_offset || column.data_page_offset);
  const end = from + Number(column.total_compressed_size);
  if (!(from >= 4 && end <= file.size)) throw new ParquetError(words.damaged);
  for (let offset = from; offset < end;) {
    const start = await file.read(offset, Math.min(end, offset + MAX_HEAD));
    const headLength = structEnd(start, 0, MAX_HEAD_FIELDS);
    const head = parquetHeader({ view: new DataView(start.buffer, start.byteOffset, start.length), offset: 0 });
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = head;
    if (!(packed >= 0 && unpacked >= 0)) throw new ParquetError(words.damaged);
    if (packed > MAX_PAGE || unpacked > MAX_PAGE) throw new ParquetError(words.pagesTooLarge);
    const { num_values: count = 0 } = head.data_page_header ?? head.data_page_header_v2 ??
      head.dictionary_page_header ??
      {};
    if (!(count >= 0 && count <= MAX_VALUES)) throw new ParquetError(words.pagesTooLarge);
    left.unpacked -= unpacked;
    spendBudget(left, PAGE_VALUES + count);
    const bytes = await file.read(offset + headLength, offset + headLength + packed);
    offset += headLength + packed;
    if (head.type === "DATA_PAGE" || head.type === "DATA_PAGE_V2" || head.type === "DICTIONARY_PAGE") {
      yield { head, bytes: await decompressPage(head, bytes, column.codec, left) };
    }
  }
}

/** Decompresses a page; the levels of version 2 pages are not compressed. */
async function decompressPage(
  { uncompressed_page_size: size, data_page_header_v2: second }: PageHeader,
  bytes: Uint8Array<ArrayBuffer>,
  codec: ColumnMetaData["codec"],
  left: ReadBudget,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!second) return await decompress(bytes, size, codec, left);
  const levels = second.repetition_levels_byte_length + second.definition_levels_byte_length;
  const isPlaced = second.repetition_levels_byte_length >= 0 && second.definition_levels_byte_length >= 0;
  if (!isPlaced || levels > bytes.length || levels > size) throw new ParquetError(words.damaged);
  if (second.is_compressed === false || levels === size) return bytes;
  const rest = await decompress(bytes.subarray(levels), size - levels, codec, left);
  const page = new Uint8Array(size);
  page.set(bytes.subarray(0, levels));
  page.set(rest, levels);
  return page;
}

async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  codec: ColumnMetaData["codec"],
  left: ReadBudget,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = await contentOf(bytes, size, codec, left);
  if (content.length !== size) throw new ParquetError(words.damaged);
  return content;
}

async function contentOf(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  codec: ColumnMetaData["codec"],
  left: ReadBudget,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (codec) {
    case "UNCOMPRESSED":
      return bytes;
    case "SNAPPY": {
      const content = new Uint8Array(size);
      snappyUncompress(bytes, content);
      return content;
    }
    case "GZIP":
      return (await gunzip(bytes, size + 1)).content;
    case "ZSTD":
      return unzstd(bytes, size + 1, left).content;
    default:
      throw new ParquetError(words.unknownCodec(codec));
  }
}

function dictionaryOf({ head, bytes }: Page, decoder: ColumnDecoder): DecodedArray {
  const reader = { view: viewOf(bytes), offset: 0 };
  const { num_values: count = 0 } = head.dictionary_page_header ?? {};
  return convert(readPlain(reader, decoder.type, count, decoder.element.type_length), decoder);
}

/** Returns the values of a page; nested values include those of previous pages. */
function pageValues(
  { head, bytes }: Page,
  decoder: ColumnDecoder,
  dictionary: DecodedArray | undefined,
  before: unknown[],
): DecodedArray {
  const { schemaPath } = decoder;
  const first = head.data_page_header;
  const second = head.data_page_header_v2;
  const { encoding } = (first ?? second)!;
  const { definitionLevels, repetitionLevels, dataPage } = first
    ? readDataPage(bytes, first, decoder)
    : readDataPageV2(bytes, { ...head, data_page_header_v2: { ...second!, is_compressed: false } }, decoder);
  const values = convertWithDictionary(dataPage, dictionary, encoding, decoder);
  return assembleLists(before, definitionLevels, repetitionLevels, values, schemaPath);
}

/**
 * Checks the levels and values of a page at the offsets at which the library reads them. Returns how many more values
 * its runs contain than its header declares.
 */
function checkPage({ head, bytes }: Page, decoder: ColumnDecoder, hasDictionary: boolean): number {
  const first = head.data_page_header;
  const second = head.data_page_header_v2;
  const told = first ?? second;
  if (!told) throw new ParquetError(words.damaged);
  const { num_values: count, encoding } = told;
  const highestDefinition = getMaxDefinitionLevel(decoder.schemaPath);
  if (second) {
    // The library does not skip levels that the schema does not have.
    const hasStrayLevels = highestDefinition === 0 && second.definition_levels_byte_length > 0;
    if (hasStrayLevels || !(second.num_nulls >= 0)) throw new ParquetError(words.damaged);
  }
  const view = viewOf(bytes);
  let offset = 0;
  const levels = [
    [getMaxRepetitionLevel(decoder.schemaPath), second?.repetition_levels_byte_length],
    [highestDefinition, second?.definition_levels_byte_length],
  ] as const;
  // The library counts values by their levels, which may continue after the last value.
  let max = count;
  let more = 0;
  const runsFrom = (from: number, runCount: number, width: number) => {
    const seen = checkRuns(bytes, from, runCount, width);
    more += Math.max(0, seen - count);
    return seen;
  };
  for (const [highest, length] of levels) {
    const isThere = highest > 0;
    if (isThere) max = Math.max(max, runsFrom(length === undefined ? offset + 4 : offset, count, bitsOf(highest)));
    offset += length ?? (isThere ? 4 + view.getUint32(offset, true) : 0);
    if (offset > bytes.length) throw new ParquetError(words.damaged);
  }
  const { type, element: { type_length: width = 0 } } = decoder;
  switch (encoding) {
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      if (!hasDictionary || type === "BOOLEAN") throw new ParquetError(words.damaged);
      runsFrom(offset + 1, max, bytes[offset] ?? 0);
      break;
    case "RLE":
      if (type !== "BOOLEAN") throw new ParquetError(words.damaged);
      // The values start with their length.
      runsFrom(offset + 4, max, 1);
      break;
    case "DELTA_BINARY_PACKED":
    case "DELTA_LENGTH_BYTE_ARRAY":
      checkDeltas(bytes, offset);
      break;
    case "BYTE_STREAM_SPLIT":
      if (type === "FIXED_LEN_BYTE_ARRAY" && !(width >= 0 && width * max <= MAX_SPLIT)) {
        throw new ParquetError(words.pagesTooLarge);
      }
      break;
    case "PLAIN":
      break;
    default:
      throw new ParquetError(words.unknownEncoding(encoding));
  }
  return more;
}

/** Returns the number of bits for numbers up to `highest`. */
function bitsOf(highest: number): number {
  return 32 - Math.clz32(highest);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
