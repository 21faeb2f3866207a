/** The columns of the list of runs: built-in ones, those of the installation, and those that the user added. */
import type { Workflow } from "@tiphys/model/api";
import type { ColumnSetting } from "../api/source.ts";
import { type Query, valueOf } from "./place.ts";
import * as words from "./text/en/runs_page.ts";
import * as shared from "./text/en/shared.ts";

/** The built-in columns other than the name, in order. */
export const USUAL_COLUMNS = [
  "progress",
  "duration",
  "started",
  "finished",
  "source",
  "creator",
  "message",
] as const;
/** Columns that are hidden by default. */
const CHOSEN_ONLY: ReadonlySet<string> = new Set(["finished", "creator"]);
/** A built-in column. */
export type UsualColumn = (typeof USUAL_COLUMNS)[number];

/** The column headers. */
export const COLUMN_WORDS: Readonly<Record<UsualColumn, string>> = {
  progress: shared.progressField,
  duration: shared.durationField,
  started: shared.startedField,
  finished: shared.finishedField,
  source: words.sourceField,
  creator: words.creatorField,
  message: shared.messageField,
};

/** The columns that are shown. */
export interface RunColumns {
  readonly usual: ReadonlySet<UsualColumn>;
  /** Columns of labels and annotations. */
  readonly values: readonly ColumnSetting[];
}

/** A column that can be shown or hidden. */
export interface ColumnChoice {
  /** The name in the address: `duration`, `label:team`, `annotation:example.com/ticket`. */
  readonly id: string;
  readonly word: string;
  readonly isOn: boolean;
}

/** The maximum number of columns that can be shown. */
const MAX_ITEMS = 20;
/** A column of a label or annotation, with a valid Kubernetes key. */
const VALUE = /^(label|annotation):([A-Za-z0-9][\w.\/-]{0,316})$/;

/** The name column is always shown: by itself it means that all others are hidden. */
const ALONE = "name";

/** Parses comma-separated columns from an address or the browser's storage; undefined for an empty text. */
export function readColumns(text: string | null | undefined): readonly string[] | undefined {
  const ids = (text ?? "").split(",", MAX_ITEMS * 4)
    .filter((id) => (USUAL_COLUMNS as readonly string[]).includes(id) || id === ALONE || VALUE.test(id));
  return ids.length === 0 ? undefined : [...new Set(ids)].slice(0, MAX_ITEMS);
}

/** Returns the columns of the address, else those stored in the browser; undefined for the default ones. */
export function chosenColumns(query: Query, stored: string): readonly string[] | undefined {
  return readColumns(valueOf(query, "cols")) ?? readColumns(stored);
}

/** Returns the default columns of an installation. */
function usualIds(settings: readonly ColumnSetting[]): string[] {
  return [...USUAL_COLUMNS.filter((id) => !CHOSEN_ONLY.has(id)), ...settings.map(idOf)];
}

/** Returns the columns that are shown. */
export function columnsOf(settings: readonly ColumnSetting[], chosen: readonly string[] | undefined): RunColumns {
  const ids = chosen ?? usualIds(settings);
  const known = new Map(settings.map((column) => [idOf(column), column]));
  const values = ids.flatMap((id) => {
    const column = known.get(id) ?? customColumn(id);
    return column ? [column] : [];
  });
  return { usual: new Set(USUAL_COLUMNS.filter((id) => ids.includes(id))), values };
}

/** Returns all columns that can be shown. */
export function columnChoices(
  settings: readonly ColumnSetting[],
  chosen: readonly string[] | undefined,
): readonly ColumnChoice[] {
  const on = new Set(chosen ?? usualIds(settings));
  const own = [...on].flatMap((id) => settings.some((setting) => idOf(setting) === id) ? [] : customColumn(id) ?? []);
  return [
    ...USUAL_COLUMNS.map((id) => ({ id, word: COLUMN_WORDS[id] })),
    ...[...settings, ...own].map((column) => ({ id: idOf(column), word: column.name })),
  ].map((column) => ({ ...column, isOn: on.has(column.id) }));
}

/** Returns the selection with a column toggled, in the format of readColumns(); empty if it equals the default. */
export function toggleColumn(
  settings: readonly ColumnSetting[],
  chosen: readonly string[] | undefined,
  id: string,
  isOn: boolean,
): string {
  const before = chosen ?? usualIds(settings);
  const others = before.filter((candidate) => candidate !== id && candidate !== ALONE);
  const next = isOn ? [...others, id] : others.length === 0 ? [ALONE] : others;
  const usual = usualIds(settings);
  const isUsual = next.length === usual.length && usual.every((column) => next.includes(column));
  return isUsual ? "" : next.slice(0, MAX_ITEMS).join(",");
}

/**
 * Returns the ID of a column that a user typed: `team` is a label, `annotation:x` an annotation; undefined for an
 * invalid key.
 */
export function parseColumnId(text: string): string | undefined {
  const key = text.trim();
  return VALUE.test(key) ? key : VALUE.test(`label:${key}`) ? `label:${key}` : undefined;
}

/** Returns the value of a run in a column, or undefined. */
export function columnValue(
  { type, key }: ColumnSetting,
  { labels = {}, annotations = {} }: Pick<Workflow["metadata"], "labels" | "annotations">,
): string | undefined {
  const values = type === "label" ? labels : annotations;
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function idOf({ type, key }: ColumnSetting): string {
  return `${type}:${key}`;
}

function customColumn(id: string): ColumnSetting | undefined {
  const [, type, key] = VALUE.exec(id) ?? [];
  if (key === undefined) return undefined;
  return { name: key.slice(key.lastIndexOf("/") + 1), type: type as ColumnSetting["type"], key };
}
