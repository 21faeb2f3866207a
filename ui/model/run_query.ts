/** The filters of the list of runs, in the names under which people have bookmarked them. */
import type { NameMatch, RunQuery, Window } from "../api/source.ts";
import {
  isUsualOrder,
  readRunOrder,
  RUN_ORDER_FIELDS,
  type RunOrder,
  type RunOrderField,
  runOrderText,
  USUAL_ORDER,
  WORKFLOW_PHASES,
} from "@tiphys/model/status";
import { momentShown, momentText } from "./duration.ts";
import { type Query, valueOf, valuesOf, withValues } from "./place.ts";
import * as words from "./text/en/run_query.ts";

const NAME_MATCHES: readonly NameMatch[] = ["Contains", "Prefix", "Exact", "NotEquals"];

/** The rows of a window where the address names no number. */
export const USUAL_LIMIT = 50;

/** Reads the filters of an address. */
export function runQueryOf(namespace: string, query: Query): RunQuery {
  const match = NAME_MATCHES.find((one) => (valueOf(query, one) ?? "") !== "");
  return {
    namespace,
    phases: valuesOf(query, "phase").filter(isPhase),
    // A requirement may hold commas: `team in (a,b)`.
    labels: query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value),
    name: match && { match, text: valueOf(query, match)! },
    createdAfter: timeOf(valueOf(query, "createdAfter")),
    finishedBefore: timeOf(valueOf(query, "finishedBefore")),
  };
}

/** Whether there is such a phase: what is none would be refused as a label, or mean no run at all. */
function isPhase(text: string): boolean {
  return WORKFLOW_PHASES.some((phase) => phase === text);
}

/** A time as the page of Argo writes it; a text that is no time is no filter. */
function timeOf(text: string | undefined): string | undefined {
  const millis = Date.parse(text ?? "");
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}

/** The window of an address: Argo's `limit` and `offset`, and `sort`; a limit of 0 is everything. */
export function windowOf(query: Query): Window {
  const limit = valueOf(query, "limit");
  const offset = valueOf(query, "offset") ?? "";
  const order = orderOf(query);
  return {
    limit: limit !== undefined && /^\d{1,6}$/.test(limit) ? Number(limit) : USUAL_LIMIT,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
    ...(isUsualOrder(order) ? {} : { order }),
  };
}

/** The order of an address, `sort=-duration`; the usual one where it names none. */
export function orderOf(query: Query): RunOrder {
  return readRunOrder(valueOf(query, "sort") ?? "") ?? USUAL_ORDER;
}

/** An order in words, and the query with it; the first window of another order is another one. */
export interface OrderChoice {
  readonly field: RunOrderField;
  readonly order: RunOrder;
  readonly text: string;
  readonly next: Query;
}

/** Each order, the one way round and the other. */
export function orderChoices(query: Query): readonly OrderChoice[] {
  return RUN_ORDER_FIELDS.flatMap((field) =>
    ORDER_WORDS[field].map(([isDescending, text]) => {
      const order = { field, isDescending };
      const sort = isUsualOrder(order) ? undefined : runOrderText(order);
      return { field, order, text, next: withValues(query, { sort, offset: undefined }) };
    })
  );
}

/** The query with the order that a column leads to: its first one, and, where the rows are in that already, the other way. */
export function orderOfColumn(query: Query, field: RunOrderField): Query {
  const [first, second] = orderChoices(query).filter((one) => one.field === field);
  const isFirst = runOrderText(orderOf(query)) === runOrderText(first!.order);
  return (isFirst ? second! : first!).next;
}

/** What each order is called; the first of both is what a column is sorted by first. */
const ORDER_WORDS: Readonly<Record<RunOrderField, readonly (readonly [isDescending: boolean, text: string])[]>> = {
  started: [[true, words.newestStartOrder], [false, words.oldestStartOrder]],
  finished: [[true, words.newestEndOrder], [false, words.oldestEndOrder]],
  duration: [[true, words.longestOrder], [false, words.shortestOrder]],
  name: [[false, words.nameOrder], [true, words.nameBackwardsOrder]],
};

/** One filter as it is shown, and the query without it. */
export interface Chip {
  readonly text: string;
  /** The whole of it, where the text leaves something out. */
  readonly full?: string;
  readonly without: Query;
}

/** The filters of an address, each as a chip that can be taken away. */
export function chipsOf(query: Query): Chip[] {
  const first = withValues(query, { offset: undefined });
  const chips: Chip[] = valuesOf(query, "phase").map((phase) => ({
    text: isPhase(phase) ? words.phaseChip(phase) : words.noPhaseChip(words.phaseChip(phase)),
    without: withValues(first, { phase: valuesOf(query, "phase").filter((one) => one !== phase) }),
  }));
  const labels = query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value);
  chips.push(...labels.map((label) => ({
    text: words.labelChip(label),
    without: withValues(first, { label: labels.filter((one) => one !== label) }),
  })));
  for (const match of NAME_MATCHES) {
    const text = valueOf(query, match);
    if (text) chips.push({ text: CHIPS[match](text), without: withValues(first, { [match]: undefined }) });
  }
  for (const [name, chip] of TIME_CHIPS) {
    const text = valueOf(query, name);
    if (!text) continue;
    const at = timeOf(text);
    const without = withValues(first, { [name]: undefined });
    // What is no time asks for nothing: the chip says that, too.
    if (at === undefined) chips.push({ text: words.noTimeChip(chip(text)), without });
    else chips.push({ text: chip(momentText(at, { isShort: true })), full: chip(momentText(at)), without });
  }
  return chips;
}

const TIME_CHIPS = [["createdAfter", words.createdAfterChip], ["finishedBefore", words.finishedBeforeChip]] as const;

const CHIPS: Readonly<Record<NameMatch, (text: string) => string>> = {
  Contains: words.nameContainsChip,
  Prefix: words.nameBeginsChip,
  Exact: words.nameIsChip,
  NotEquals: words.nameIsNotChip,
};

/** The phases, whether each is asked for, and the query with it switched. */
export function phaseChoices(query: Query): readonly { phase: string; isOn: boolean; next: Query }[] {
  const asked = valuesOf(query, "phase");
  return WORKFLOW_PHASES.map((phase) => {
    const isOn = asked.includes(phase);
    const next = isOn ? asked.filter((one) => one !== phase) : [...asked, phase];
    return { phase, isOn, next: withValues(query, { phase: next, offset: undefined }) };
  });
}

/** What a person may type before a moment, and the filter that it is. */
const TIME_WORDS = { after: "createdAfter", before: "finishedBefore" } as const;

/**
 * The filters that a person typed: `phase:failed,error label:team=a after:2026-03-28 etl`. The last words are part of a name.
 * A moment is a date, with a time or without, as the clocks of the person show it, or how long ago it was: `after:2h`.
 */
export function readFilter(
  text: string,
  now: number,
): Readonly<Record<string, string | readonly string[] | undefined>> {
  const times: Record<string, string> = {};
  const phases: string[] = [];
  const labels: string[] = [];
  const names: string[] = [];
  for (const word of text.trim().split(/\s+/).filter((one) => one !== "")) {
    const [, field, value = ""] = /^(phase|label|after|before):(.+)$/i.exec(word) ?? [];
    const time = field === undefined ? undefined : TIME_WORDS[field.toLowerCase() as keyof typeof TIME_WORDS];
    if (time !== undefined) {
      times[time] = momentTyped(value, now) ?? value;
      continue;
    }
    if (field?.toLowerCase() === "phase") phases.push(...value.split(",").flatMap(phaseNamed));
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

function momentTyped(text: string, now: number): string | undefined {
  const [, count, unit = ""] = /^(\d{1,4})([mhdw])$/i.exec(text) ?? [];
  if (count === undefined) return momentShown(text.toUpperCase()) ?? timeOf(text);
  return new Date(now - Number(count) * UNITS[unit.toLowerCase()]!).toISOString();
}

function phaseNamed(word: string): string[] {
  const found = WORKFLOW_PHASES.find((phase) => phase.toLowerCase() === word.toLowerCase());
  return found ? [found] : [];
}
