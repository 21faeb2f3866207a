/** Counts of workflows by phase over time: those of the cluster and the archived ones, each once. */
import type { Workflow } from "@tiphys/model/api";
import type { Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { badRequest } from "../wire/errors.ts";
import { uidsInParts } from "./skip_workflows.ts";

/** Consecutive spans of equal length, in milliseconds since the epoch. */
export interface Spans {
  readonly since: number;
  readonly step: number;
  readonly count: number;
}

/** The most spans of a request. */
export const MAX_SPANS = 200;

/**
 * Reads the spans of a query: their start in RFC 3339, the length of each in seconds, and their number.
 * @throws {WireError} for a value outside the limits, naming the field.
 */
export function readSpans(query: { readonly since?: string; readonly step?: number; readonly count?: number }): Spans {
  const since = Date.parse(query.since ?? "");
  if (Number.isNaN(since)) {
    throw badRequest(`since: expected a time as in RFC 3339, got ${JSON.stringify(query.since)}`);
  }
  return {
    since,
    step: requireInRange("step", query.step, 1, 31 * 86_400) * 1000,
    count: requireInRange("count", query.count, 1, MAX_SPANS),
  };
}

function requireInRange(field: string, value = 0, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw badRequest(`${field}: expected a number from ${min} to ${max}, got ${value}`);
}

/** Counts by phase, one entry for each span that has workflows, by the number of the span. */
export type Activity = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The workflows to count, and the spans. */
export interface ActivityRequest {
  /** The matching workflows of the cluster. */
  readonly live: readonly Workflow[];
  /** The same conditions for archived workflows. */
  readonly filters: Filters;
  /** The UIDs of the workflows in the cluster that are counted there, also if they are archived. */
  readonly covered: ReadonlySet<string>;
  readonly spans: Spans;
}

/** Counts workflows by phase in each span. A workflow belongs to the span in which it started, or else was created. */
export async function activityOf(archive: WorkflowArchive | undefined, request: ActivityRequest): Promise<Activity> {
  const { live, filters, covered, spans } = request;
  const counts = new Map<number, Map<string, number>>();
  const add = (span: number, phase: string, count: number) => {
    const own = counts.get(span) ?? new Map<string, number>();
    counts.set(span, own.set(phase, (own.get(phase) ?? 0) + count));
  };
  for (const { metadata, status } of live) {
    const time = Date.parse(status?.startedAt ?? metadata.creationTimestamp ?? "");
    const span = Math.floor((time - spans.since) / spans.step);
    if (span >= 0 && span < spans.count) add(span, status?.phase || "Pending", 1);
  }
  if (archive) {
    const edges = Array.from({ length: spans.count + 1 }, (_, index) => new Date(spans.since + index * spans.step));
    for (const { phase, span, count } of await archive.phaseCounts(filters, edges)) add(span, phase, count);
    for (const uids of uidsInParts([...covered])) {
      for (const { phase, span, count } of await archive.phaseCounts({ ...filters, uids }, edges)) {
        add(span, phase, -count);
      }
    }
  }
  return Object.fromEntries(
    [...counts].map(([span, own]) => [span, Object.fromEntries([...own].filter(([, n]) => n > 0))]),
  );
}
