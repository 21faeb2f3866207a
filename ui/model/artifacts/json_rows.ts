/** JSON Lines as a table, with a column for each field of any line. */

import { parseJson } from "@tiphys/base/bounded_json";

const MAX_ROWS = 1_000;
const MAX_COLUMNS = 100;
const MAX_CELL_LENGTH = 2_000;

/** The header, then up to 1,000 lines; `isCut` if there are more lines or columns. */
export interface JsonRows {
  readonly rows: readonly (readonly string[])[];
  readonly isCut: boolean;
}

/**
 * Parses JSON Lines; returns undefined if a line is not an object, or if there are fewer than two. The last line of
 * truncated text is ignored.
 */
export function jsonRowsOf(text: string, isWhole: boolean): JsonRows | undefined {
  if (!/^\s*\{/.test(text.slice(0, 1_000))) return undefined;
  const columns = new Map<string, number>();
  const records: Readonly<Record<string, unknown>>[] = [];
  let isCut = !isWhole;
  for (let offset = 0; offset < text.length;) {
    const end = text.indexOf("\n", offset);
    if (end < 0 && !isWhole) break;
    const line = text.slice(offset, end < 0 ? undefined : end).trim();
    offset = end < 0 ? text.length : end + 1;
    if (line === "") continue;
    if (records.length === MAX_ROWS) {
      isCut = true;
      break;
    }
    const record = objectIn(line);
    if (record === undefined) return undefined;
    records.push(record);
    for (const key of Object.keys(record)) {
      if (columns.has(key)) continue;
      if (columns.size < MAX_COLUMNS) columns.set(key, columns.size);
      else isCut = true;
    }
  }
  if (records.length < 2 || columns.size === 0) return undefined;
  const names = [...columns.keys()];
  return {
    rows: [
      names,
      ...records.map((record) => names.map((name) => cellOf(Object.hasOwn(record, name) ? record[name] : undefined))),
    ],
    isCut,
  };
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

function cellOf(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
}
