/**
 * The first rows of a Parquet file as a table. This module loads the Parquet library, so load it on demand. It reads
 * page by page, so that no more is read, decompressed or decoded than shown.
 */
import { assembleNested } from "hyparquet/src/assemble.js";
import { parquetMetadata, parquetSchema } from "hyparquet/src/metadata.js";
import type { ColumnChunk, RowGroup, SchemaElement, SchemaTree } from "hyparquet";
import { ParquetError, structEnd } from "./bounds.ts";
import { cellOf, PARSERS } from "./cells.ts";
import { CachedFileParts, type FileParts } from "./file_parts.ts";
import { leafValues, type ReadBudget } from "./leaf_values.ts";
import { MAX_MOVED_BYTES } from "../unzstd.ts";
import * as words from "../../text/en/parquet.ts";

export { ParquetError };

/** The first rows of a file. */
export interface ParquetTable {
  /** The column names, then the rows. */
  readonly rows: readonly (readonly string[])[];
  /** The types of the shown columns. */
  readonly types: readonly string[];
  /** The number of rows in the file. */
  readonly count: number;
  /** Columns that are not shown, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

const MAX_ROWS = 1_000;
const MAX_COLUMNS = 100;
/** The largest metadata at the end of a file, in bytes and in fields. */
const MAX_FOOTER = 2 * 1024 * 1024;
const MAX_FIELDS = 500_000;
const MAX_SCHEMA = 5_000;
const MAX_SCHEMA_DEPTH = 24;
/** Limits on bytes read, bytes decompressed, and values. */
const MAX_READ = 16 * 1024 * 1024;
const MAX_UNPACKED = 64 * 1024 * 1024;
const MAX_DECODED = 4_000_000;
/** A row group up to this size is read at once. */
const SMALL_GROUP = 4 * 1024 * 1024;
/** A file ends with the length of the metadata and four letters. */
const TAIL = 8;

/**
 * Reads the first rows. Errors of requests are passed on. @throws {ParquetError} if nothing of the file can be shown
 */
export async function parquetTable(file: FileParts): Promise<ParquetTable> {
  const kept = new CachedFileParts(file, MAX_READ);
  try {
    return await tableOf(kept);
  } catch (error) {
    if (kept.failure) throw kept.failure.error;
    // Any error of the library means that the file is invalid.
    throw error instanceof ParquetError ? error : new ParquetError(words.damaged, { cause: error });
  }
}

async function tableOf(file: CachedFileParts): Promise<ParquetTable> {
  const metadata = await metadataOf(file);
  const { row_groups: groups, num_rows: count } = metadata;
  const tree = parquetSchema(metadata);
  const left: ReadBudget = { unpacked: MAX_UNPACKED, moved: MAX_MOVED_BYTES, values: MAX_DECODED };
  const leftOut = tree.children.slice(MAX_COLUMNS).map(({ element: { name } }) => ({
    name,
    reason: "too many columns",
  }));
  let columns = tree.children.slice(0, MAX_COLUMNS);
  const cells = new Map<SchemaTree, string[]>();
  let rows = 0;
  for (const group of groups) {
    const wanted = Math.min(MAX_ROWS - rows, Number(group.num_rows));
    if (wanted <= 0) continue;
    await readAhead(file, group);
    const chunks = chunksOf(group);
    const found = new Map<SchemaTree, readonly string[]>();
    for (const column of columns) {
      try {
        found.set(column, await columnCells(file, chunks, column, wanted, left));
      } catch (error) {
        if (file.failure) throw error;
        leftOut.push({
          name: column.element.name,
          reason: error instanceof ParquetError ? error.message : words.damaged,
        });
      }
    }
    // Rows of a further group that lacks a column would not fit the table.
    if (rows > 0 && found.size < columns.length) break;
    columns = columns.filter((column) => found.has(column));
    const read = Math.min(...[...found.values()].map(({ length }) => length));
    if (columns.length === 0 || read === 0) break;
    for (const [column, values] of found) cells.set(column, [...cells.get(column) ?? [], ...values.slice(0, read)]);
    rows += read;
    if (read < wanted || rows >= MAX_ROWS) break;
  }
  if (columns.length === 0 && leftOut.length > 0) {
    throw new ParquetError(leftOut[0]!.reason);
  }
  return {
    rows: [
      columns.map(({ element: { name } }) => name),
      ...Array.from({ length: rows }, (_, row) => columns.map((column) => cells.get(column)?.[row] ?? "")),
    ],
    types: columns.map(typeOf),
    count: Number(count),
    leftOut: leftOut.filter(({ name }, index) => leftOut.findIndex((candidate) => candidate.name === name) === index),
  };
}

async function metadataOf(file: CachedFileParts): Promise<ReturnType<typeof parquetMetadata>> {
  const from = Math.max(0, file.size - 64 * 1024);
  if (file.size < TAIL + 4) throw new ParquetError(words.damaged);
  const end = await file.read(from, file.size);
  const length = new DataView(end.buffer, end.byteOffset, end.length).getUint32(end.length - TAIL, true);
  if (length > MAX_FOOTER) throw new ParquetError(words.metadataTooLarge);
  if (length > file.size - TAIL) throw new ParquetError(words.damaged);
  const footer = await file.read(file.size - TAIL - length, file.size);
  structEnd(footer, 0, MAX_FIELDS);
  const metadata = parquetMetadata(footer, { geoparquet: false, parsers: PARSERS });
  checkSchema(metadata.schema);
  return metadata;
}

/** Limits the tree of columns, which the library traverses recursively. */
function checkSchema(schema: readonly SchemaElement[]): void {
  if (schema.length === 0 || schema.length > MAX_SCHEMA) throw new ParquetError(words.tooManyColumns);
  const open: number[] = [];
  for (const { num_children: children = 0 } of schema) {
    if (children < 0) throw new ParquetError(words.damaged);
    while (open.length > 0 && open.at(-1) === 0) open.pop();
    if (open.length > 0) open.push(open.pop()! - 1);
    if (children > 0) open.push(children);
    if (open.length > MAX_SCHEMA_DEPTH) throw new ParquetError(words.columnsTooDeep);
  }
}

/** Reads a small row group at once, because its columns are adjacent. */
async function readAhead(file: CachedFileParts, { columns }: RowGroup): Promise<void> {
  const places = columns.flatMap(({ meta_data: column }) => {
    if (!column) return [];
    const from = Number(column.dictionary_page_offset || column.data_page_offset);
    return [{ from, to: from + Number(column.total_compressed_size) }];
  });
  const from = Math.min(...places.map((place) => place.from));
  const to = Math.max(...places.map((place) => place.to));
  if (from >= 0 && to <= file.size && to - from <= Math.min(SMALL_GROUP, file.left)) await file.read(from, to);
}

/** Returns the columns of a group by path; the first one of duplicates. */
function chunksOf({ columns }: RowGroup): ReadonlyMap<string, ColumnChunk> {
  const chunks = new Map<string, ColumnChunk>();
  for (const chunk of columns) {
    const way = chunk.meta_data?.path_in_schema.join("\0");
    if (way !== undefined && !chunks.has(way)) chunks.set(way, chunk);
  }
  return chunks;
}

async function columnCells(
  file: CachedFileParts,
  chunks: ReadonlyMap<string, ColumnChunk>,
  column: SchemaTree,
  count: number,
  left: ReadBudget,
): Promise<readonly string[]> {
  const leaves = leavesOf([column]);
  if (leaves.some((path) => path.some(({ element }) => element.logical_type?.type === "VARIANT"))) {
    throw new ParquetError(words.noVariants);
  }
  const values = new Map<string, unknown[]>();
  for (const path of leaves) {
    const { path: names } = path.at(-1)!;
    const chunk = chunks.get(names.join("\0"));
    if (!chunk?.meta_data || chunk.file_path || chunk.crypto_metadata) throw new ParquetError(words.isElsewhere);
    values.set(names.join("."), await leafValues(file, chunk.meta_data, path, count, left));
  }
  const rows = Math.min(...[...values.values()].map(({ length }) => length));
  if (column.children.length === 0) return [...values.values()][0]!.map(cellOf);
  const cut = new Map([...values].map(([name, all]) => [name, all.slice(0, rows)]));
  assembleNested(cut, column, PARSERS);
  return Array.from(cut.get(column.element.name) ?? [], cellOf);
}

/** Returns the paths from a column to its leaf columns. */
function leavesOf(path: readonly [SchemaTree, ...SchemaTree[]]): readonly (readonly SchemaTree[])[] {
  const { children } = path.at(-1)!;
  return children.length === 0 ? [path] : children.flatMap((child) => leavesOf([...path, child]));
}

function typeOf({ element: { logical_type: logical, converted_type: converted, type }, children }: SchemaTree): string {
  return (logical?.type ?? converted ?? type ?? (children.length > 0 ? "struct" : "")).toLowerCase();
}
