/** The columns of the list of runs: those that every list can have, the installation's, and those that somebody added. */
import type { Workflow } from "@tiphys/model/api";
import type { ColumnSetting } from "../api/source.ts";
import { type Query, valueOf } from "./place.ts";
import * as words from "./text/en/run_table.ts";
import * as shared from "./text/en/shared.ts";

/** The columns that every list can have beside the name, in their order. */
export const USUAL_COLUMNS = [
  "progress",
  "duration",
  "started",
  "finished",
  "source",
  "creator",
  "message",
] as const;
/** Those that a list has only where somebody chooses them. */
const CHOSEN_ONLY: ReadonlySet<string> = new Set(["finished", "source", "creator"]);
/** One of them. */
export type UsualColumn = (typeof USUAL_COLUMNS)[number];

/** Their words. */
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
  /** Values of labels and annotations. */
  readonly values: readonly ColumnSetting[];
}

/** A column that can be shown or left out. */
export interface ColumnChoice {
  /** Its name in the address: `duration`, `label:team`, `annotation:example.com/ticket`. */
  readonly id: string;
  readonly word: string;
  readonly isOn: boolean;
}

/** The most columns that somebody may choose. */
const MOST = 20;
/** A column of a label or an annotation: keys are those of Kubernetes. */
const VALUE = /^(label|annotation):([A-Za-z0-9][\w.\/-]{0,316})$/;

/** The column that no list is without: alone it stands for a choice that has no other. */
const ALONE = "name";

/** Reads columns as an address and the browser's storage have them: names with commas; undefined where there is none. */
export function readColumns(text: string | null | undefined): readonly string[] | undefined {
  const ids = (text ?? "").split(",", MOST * 4)
    .filter((id) => (USUAL_COLUMNS as readonly string[]).includes(id) || id === ALONE || VALUE.test(id));
  return ids.length === 0 ? undefined : [...new Set(ids)].slice(0, MOST);
}

/** The columns of an address, else those that this browser keeps; undefined for the usual ones. */
export function chosenColumns(query: Query, kept: string): readonly string[] | undefined {
  return readColumns(valueOf(query, "cols")) ?? readColumns(kept);
}

/** The columns of an installation where nobody has chosen. */
function usualIds(settings: readonly ColumnSetting[]): string[] {
  return [...USUAL_COLUMNS.filter((id) => !CHOSEN_ONLY.has(id)), ...settings.map(idOf)];
}

/** The columns that are shown. */
export function columnsOf(settings: readonly ColumnSetting[], chosen: readonly string[] | undefined): RunColumns {
  const ids = chosen ?? usualIds(settings);
  const known = new Map(settings.map((column) => [idOf(column), column]));
  const values = ids.flatMap((id) => {
    const column = known.get(id) ?? ownColumn(id);
    return column ? [column] : [];
  });
  return { usual: new Set(USUAL_COLUMNS.filter((id) => ids.includes(id))), values };
}

/** All columns that can be chosen. */
export function columnChoices(
  settings: readonly ColumnSetting[],
  chosen: readonly string[] | undefined,
): readonly ColumnChoice[] {
  const on = new Set(chosen ?? usualIds(settings));
  const own = [...on].flatMap((id) => settings.some((one) => idOf(one) === id) ? [] : ownColumn(id) ?? []);
  return [
    ...USUAL_COLUMNS.map((id) => ({ id, word: COLUMN_WORDS[id] })),
    ...[...settings, ...own].map((column) => ({ id: idOf(column), word: column.name })),
  ].map((one) => ({ ...one, isOn: on.has(one.id) }));
}

/** The choice after one column was shown or left out, as readColumns() reads it; empty where it is the usual one. */
export function withColumn(
  settings: readonly ColumnSetting[],
  chosen: readonly string[] | undefined,
  id: string,
  isOn: boolean,
): string {
  const before = chosen ?? usualIds(settings);
  const others = before.filter((one) => one !== id && one !== ALONE);
  const next = isOn ? [...others, id] : others.length === 0 ? [ALONE] : others;
  const usual = usualIds(settings);
  const isUsual = next.length === usual.length && usual.every((one) => next.includes(one));
  return isUsual ? "" : next.slice(0, MOST).join(",");
}

/** The id of a column that somebody names: `team` is a label, `annotation:x` what it says; undefined for what is no key. */
export function columnNamed(text: string): string | undefined {
  const key = text.trim();
  return VALUE.test(key) ? key : VALUE.test(`label:${key}`) ? `label:${key}` : undefined;
}

/** The value that a run has for a column; undefined where it has none. */
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

function ownColumn(id: string): ColumnSetting | undefined {
  const [, type, key] = VALUE.exec(id) ?? [];
  if (key === undefined) return undefined;
  return { name: key.slice(key.lastIndexOf("/") + 1), type: type as ColumnSetting["type"], key };
}
