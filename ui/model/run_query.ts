/** The filters of the list of runs, with the parameter names of Argo's page, so that bookmarks keep working. */
import type { NameMatch, RunQuery, Window } from "../api/source.ts";
import {
  DEFAULT_ORDER,
  isDefaultOrder,
  readRunOrder,
  RUN_ORDER_FIELDS,
  type RunOrder,
  type RunOrderField,
  runOrderText,
  WORKFLOW_PHASES,
} from "@tiphys/model/status";
import { momentText, parseLocalMoment } from "./duration.ts";
import { type Query, valueOf, valuesOf, withValues } from "./place.ts";
import * as words from "./text/en/runs_page.ts";

const NAME_MATCHES: readonly NameMatch[] = ["Contains", "Prefix", "Exact", "NotEquals"];

/** The default page size. */
export const USUAL_LIMIT = 50;

/** Reads the filters of an address. */
export function runQueryOf(namespace: string, query: Query): RunQuery {
  const match = NAME_MATCHES.find((nameMatch) => (valueOf(query, nameMatch) ?? "") !== "");
  return {
    namespace,
    phases: valuesOf(query, "phase").filter(isPhase),
    // A requirement may contain commas: `team in (a,b)`.
    labels: query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value),
    name: match && { match, text: valueOf(query, match)! },
    createdAfter: timeOf(valueOf(query, "createdAfter")),
    finishedBefore: timeOf(valueOf(query, "finishedBefore")),
    startedFrom: timeOf(valueOf(query, "startedFrom")),
    startedUntil: timeOf(valueOf(query, "startedUntil")),
  };
}

/** Reports whether a phase exists. An unknown phase would be an invalid label value, or match no run. */
function isPhase(text: string): boolean {
  return WORKFLOW_PHASES.some((phase) => phase === text);
}

/** Parses a time as Argo's page writes it; returns undefined for an invalid one. */
function timeOf(text: string | undefined): string | undefined {
  const millis = Date.parse(text ?? "");
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}

/** Reads the page of the list from an address: `limit`, `offset` and `sort`; a limit of 0 is unlimited. */
export function windowOf(query: Query): Window {
  const limit = valueOf(query, "limit");
  const offset = valueOf(query, "offset") ?? "";
  const order = orderOf(query);
  return {
    limit: limit !== undefined && /^\d{1,6}$/.test(limit) ? Number(limit) : USUAL_LIMIT,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
    ...(isDefaultOrder(order) ? {} : { order }),
  };
}

/** Reads the sort order of an address, such as `sort=-duration`, or returns the default. */
export function orderOf(query: Query): RunOrder {
  return readRunOrder(valueOf(query, "sort") ?? "") ?? DEFAULT_ORDER;
}

/** A sort order with its label, and the query that selects it. Changing the order returns to the first page. */
export interface OrderChoice {
  readonly field: RunOrderField;
  readonly order: RunOrder;
  readonly text: string;
  readonly next: Query;
}

/** Returns every order in both directions. */
export function orderChoices(query: Query): readonly OrderChoice[] {
  return RUN_ORDER_FIELDS.flatMap((field) =>
    ORDER_WORDS[field].map(([isDescending, text]) => {
      const order = { field, isDescending };
      const sort = isDefaultOrder(order) ? undefined : runOrderText(order);
      return { field, order, text, next: withValues(query, { sort, offset: undefined }) };
    })
  );
}

/** Returns the query for a click on a column header: its default direction first, then the reverse. */
export function orderOfColumn(query: Query, field: RunOrderField): Query {
  const [first, second] = orderChoices(query).filter((choice) => choice.field === field);
  const isFirst = runOrderText(orderOf(query)) === runOrderText(first!.order);
  return (isFirst ? second! : first!).next;
}

/** The texts of each order; the first direction is the default of the column. */
const ORDER_WORDS: Readonly<Record<RunOrderField, readonly (readonly [isDescending: boolean, text: string])[]>> = {
  started: [[true, words.newestStartOrder], [false, words.oldestStartOrder]],
  finished: [[true, words.newestEndOrder], [false, words.oldestEndOrder]],
  duration: [[true, words.longestOrder], [false, words.shortestOrder]],
  name: [[false, words.nameOrder], [true, words.nameBackwardsOrder]],
};

/** An active filter, and the query without it. */
export interface Chip {
  readonly text: string;
  /** The complete text, if `text` is shortened. */
  readonly full?: string;
  readonly without: Query;
}

/** Returns the active filters, each of which can be removed. */
export function chipsOf(query: Query): Chip[] {
  const first = withValues(query, { offset: undefined });
  const chips: Chip[] = valuesOf(query, "phase").map((phase) => ({
    text: isPhase(phase) ? words.phaseChip(phase) : words.unknownPhaseChip(words.phaseChip(phase)),
    without: withValues(first, { phase: valuesOf(query, "phase").filter((value) => value !== phase) }),
  }));
  const labels = query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value);
  chips.push(...labels.map((label) => ({
    text: words.labelChip(label),
    without: withValues(first, { label: labels.filter((candidate) => candidate !== label) }),
  })));
  for (const match of NAME_MATCHES) {
    const text = valueOf(query, match);
    if (text) chips.push({ text: CHIPS[match](text), without: withValues(first, { [match]: undefined }) });
  }
  for (const [name, chip] of TIME_CHIPS) {
    const text = valueOf(query, name);
    if (!text) continue;
    const time = timeOf(text);
    const without = withValues(first, { [name]: undefined });
    // An invalid time is ignored, and its chip is marked.
    if (time === undefined) chips.push({ text: words.invalidTimeChip(chip(text)), without });
    else chips.push({ text: chip(momentText(time, { isShort: true })), full: chip(momentText(time)), without });
  }
  return chips;
}

const TIME_CHIPS = [
  ["createdAfter", words.createdAfterChip],
  ["finishedBefore", words.finishedBeforeChip],
  ["startedFrom", words.startedFromChip],
  ["startedUntil", words.startedUntilChip],
] as const;

const CHIPS: Readonly<Record<NameMatch, (text: string) => string>> = {
  Contains: words.nameContainsChip,
  Prefix: words.nameBeginsChip,
  Exact: words.nameIsChip,
  NotEquals: words.nameIsNotChip,
};

/** Returns all phases, whether each is selected, and the query with it toggled. */
export function phaseChoices(query: Query): readonly { phase: string; isOn: boolean; next: Query }[] {
  const asked = valuesOf(query, "phase");
  return WORKFLOW_PHASES.map((phase) => {
    const isOn = asked.includes(phase);
    const next = isOn ? asked.filter((candidate) => candidate !== phase) : [...asked, phase];
    return { phase, isOn, next: withValues(query, { phase: next, offset: undefined }) };
  });
}

/** Words that a user types before a time, and their filters. */
const TIME_WORDS = { after: "createdAfter", before: "finishedBefore" } as const;

/**
 * Parses typed filters: `phase:failed,error label:team=a after:2026-03-28 etl`. Remaining words are part of the name. A
 * time is a date with an optional time in the user's zone, or an age: `after:2h`.
 */
export function readFilter(
  text: string,
  now: number,
): Readonly<Record<string, string | readonly string[] | undefined>> {
  const times: Record<string, string> = {};
  const phases: string[] = [];
  const labels: string[] = [];
  const names: string[] = [];
  for (const word of text.trim().split(/\s+/).filter((part) => part !== "")) {
    const [, field, value = ""] = /^(phase|label|after|before):(.+)$/i.exec(word) ?? [];
    const time = field === undefined ? undefined : TIME_WORDS[field.toLowerCase() as keyof typeof TIME_WORDS];
    if (time !== undefined) {
      times[time] = parseMoment(value, now) ?? value;
      continue;
    }
    if (field?.toLowerCase() === "phase") phases.push(...value.split(",").flatMap(phasesByName));
    else if (field?.toLowerCase() === "label") labels.push(value);
    else names.push(word.replace(/^name[:~]/i, ""));
  }
  return {
    ...(phases.length > 0 ? { phase: phases } : {}),
    ...(labels.length > 0 ? { label: labels } : {}),
    ...(names.length > 0 ? { Contains: names.join("") } : {}),
    ...times,
  };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseMoment(text: string, now: number): string | undefined {
  const [, count, unit = ""] = /^(\d{1,4})([mhdw])$/i.exec(text) ?? [];
  if (count === undefined) return parseLocalMoment(text.toUpperCase()) ?? timeOf(text);
  return new Date(now - Number(count) * UNITS[unit.toLowerCase()]!).toISOString();
}

function phasesByName(word: string): string[] {
  const found = WORKFLOW_PHASES.find((phase) => phase.toLowerCase() === word.toLowerCase());
  return found ? [found] : [];
}
