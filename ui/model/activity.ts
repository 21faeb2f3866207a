/** The activity above the list of runs: how many runs started in each span of time, by phase. Pure. */
import { COMPLETED_PHASES, WORKFLOW_PHASES } from "@tiphys/model/status";
import type { RunActivity, RunSpans } from "../api/source.ts";
import { momentText } from "./duration.ts";
import { lookOfPhase, type PhaseFamily } from "./phase.ts";
import { type Query, valueOf, valuesOf, withValues } from "./place.ts";

/** The periods, by their names in addresses: the length of a span in hours, and the number of spans. */
const PERIODS = { "24h": { hours: 1, count: 24 }, "7d": { hours: 6, count: 28 } } as const;

/** The name of a period. */
export type Period = keyof typeof PERIODS;

const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[];
const HOUR = 3_600_000;

/** Reads the period of an address; the last 24 hours by default. */
export function periodOf(query: Query): Period {
  const name = valueOf(query, "activity");
  return PERIOD_NAMES.find((periodName) => periodName === name) ?? "24h";
}

/** Returns the query of each period. */
export function periodChoices(
  query: Query,
): readonly { readonly period: Period; readonly isOn: boolean; readonly next: Query }[] {
  return PERIOD_NAMES.map((period) => ({
    period,
    isOn: period === periodOf(query),
    next: withValues(query, { activity: period === "24h" ? undefined : period }),
  }));
}

/** Returns the spans of a period up to now, which begin at full hours of the local day. */
export function spansOf(period: Period, now: number): RunSpans {
  const { hours, count } = PERIODS[period];
  const last = new Date(now);
  last.setHours(last.getHours() - last.getHours() % hours, 0, 0, 0);
  return { since: last.getTime() - (count - 1) * hours * HOUR, step: hours * HOUR, count };
}

/** The runs of a phase in a span. */
export interface ActivityPart {
  readonly phase: string;
  readonly family: PhaseFamily;
  readonly count: number;
}

/** A bar: the runs that started in a span of time. */
export interface ActivityBar {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** Failed runs first, so that they share a baseline. */
  readonly parts: readonly ActivityPart[];
  /** The query that shows these runs only; undefined without runs. */
  readonly next: Query | undefined;
  readonly isOn: boolean;
}

/** The phases, failed ones first. */
const ORDER: readonly string[] = ["Failed", "Error", "Pending", "Running", "Succeeded"];

/** Returns a bar for each span. */
export function barsOf(
  { counts }: RunActivity,
  { since, step, count }: RunSpans,
  query: Query,
): readonly ActivityBar[] {
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [since + index * step, since + (index + 1) * step];
    const parts = partsOf(counts.get(index) ?? {});
    const isOn = valueOf(query, "startedFrom") === new Date(from).toISOString() &&
      valueOf(query, "startedUntil") === new Date(to).toISOString();
    const times = isOn
      ? { startedFrom: undefined, startedUntil: undefined }
      : { startedFrom: new Date(from).toISOString(), startedUntil: new Date(to).toISOString() };
    return {
      from,
      to,
      parts,
      isOn,
      total: parts.reduce((sum, part) => sum + part.count, 0),
      next: parts.length > 0 || isOn ? withValues(query, { ...times, offset: undefined }) : undefined,
    };
  });
}

function partsOf(counts: Readonly<Record<string, number>>): ActivityPart[] {
  return ORDER.filter((phase) => (counts[phase] ?? 0) > 0).map((phase) => ({
    phase,
    family: lookOfPhase(phase).family,
    count: counts[phase]!,
  }));
}

/** A phase with the number of its runs in the period, and the query that shows them, or all again. */
export interface PhaseTotal extends ActivityPart {
  readonly isOn: boolean;
  readonly next: Query;
}

/** Returns the totals of the period. Runs in progress are shown whenever they started. */
export function totalsOf({ counts }: RunActivity, { since }: RunSpans, query: Query): readonly PhaseTotal[] {
  const sums: Record<string, number> = {};
  for (const span of counts.values()) {
    for (const phase of WORKFLOW_PHASES) sums[phase] = (sums[phase] ?? 0) + (span[phase] ?? 0);
  }
  const [only, ...others] = valuesOf(query, "phase");
  return partsOf(sums).map((part) => {
    const startedFrom = COMPLETED_PHASES.some((phase) => phase === part.phase)
      ? new Date(since).toISOString()
      : undefined;
    const isOn = only === part.phase && others.length === 0 && valueOf(query, "startedFrom") === startedFrom &&
      valueOf(query, "startedUntil") === undefined;
    const values = isOn ? { phase: undefined, startedFrom: undefined } : { phase: part.phase, startedFrom };
    return { ...part, isOn, next: withValues(query, { ...values, startedUntil: undefined, offset: undefined }) };
  });
}

/** Returns the share of succeeded runs among the completed ones, in percent; undefined without completed runs. */
export function successRate(totals: readonly Pick<PhaseTotal, "phase" | "count">[]): number | undefined {
  const sum = (phases: readonly string[]) =>
    totals.filter(({ phase }) => phases.includes(phase)).reduce((sum, { count }) => sum + count, 0);
  const all = sum(COMPLETED_PHASES);
  // Rounded down, so that 999 of 1,000 are not shown as 100 %.
  return all === 0 ? undefined : Math.floor(100 * sum(["Succeeded"]) / all);
}

/** Formats the start of a bar. */
export function barTime(time: number): string {
  return momentText(new Date(time).toISOString(), { isShort: true });
}
