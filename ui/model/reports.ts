/** Reports about finished runs: their durations, failures and resource use. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import type { Prices } from "../api/source.ts";
import { costOf, secondsOf } from "./cost.ts";
import { LABEL } from "@tiphys/base/constants";
import { elapsedMillis, isoText } from "./duration.ts";

/** One run of a report. */
export interface ReportRow {
  readonly run: Workflow;
  /** In milliseconds. */
  readonly durationMillis: number;
  /** Seconds of one CPU, and of one GiB of memory; undefined if the status does not report them. */
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  /** Undefined if none of its resources has a price. */
  readonly cost: number | undefined;
}

/** The report. */
export interface Report {
  /** Oldest first. */
  readonly rows: readonly ReportRow[];
  readonly mean: number;
  readonly median: number;
  /** The 95th percentile of durations, in milliseconds. */
  readonly p95: number;
  readonly failed: number;
  /** The end of the scale of durations, in milliseconds. A few runs that took far longer exceed it. */
  readonly scale: number;
  /** The days on which runs started, oldest first. */
  readonly days: readonly ReportDay[];
  readonly cpu: Sum;
  readonly memory: Sum;
  readonly cost: number | undefined;
}

/** The runs that started on one day. */
export interface ReportDay {
  /** In the zone of the user: `2026-03-28`. */
  readonly day: string;
  readonly runs: number;
  /** The share of succeeded runs, in percent. */
  readonly succeeded: number;
  /** In milliseconds. */
  readonly median: number;
  readonly p95: number;
}

/** A sum over the runs whose status reports the value. */
export interface Sum {
  readonly seconds: number;
  readonly runs: number;
}

/** Computes the report; runs that have not finished are left out. */
export function reportOf(runs: readonly Workflow[], prices?: Prices): Report {
  const rows = runs.flatMap((run): ReportRow[] => {
    const { startedAt, finishedAt, resourcesDuration } = run.status ?? {};
    const took = finishedAt ? elapsedMillis(startedAt, finishedAt, NaN) : undefined;
    if (took === undefined) return [];
    const { cpu, memory } = resourcesDuration ?? {};
    const gib = memory === undefined ? undefined : secondsOf("memory", memory);
    return [{ run, durationMillis: took, cpu, memory: gib, cost: costOf(resourcesDuration, prices) }];
  }).sort((a, b) => (a.run.status?.startedAt ?? "") < (b.run.status?.startedAt ?? "") ? -1 : 1);
  const times = timesOf(rows);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  const costs = rows.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  return {
    rows,
    mean: times.length === 0 ? 0 : sum(times) / times.length,
    median: medianOf(times),
    p95: rankOf(times, 0.95),
    failed: failedOf(rows),
    scale: Math.min(times.at(-1) ?? 0, OUTLIER * rankOf(times, 0.75)),
    days: daysOf(rows),
    cpu: sumOf(rows.map(({ cpu }) => cpu)),
    memory: sumOf(rows.map(({ memory }) => memory)),
    cost: costs.length === 0 ? undefined : sum(costs),
  };
}

/** A duration is an outlier above this multiple of the third quartile. */
const OUTLIER = 3;

function timesOf(rows: readonly ReportRow[]): number[] {
  return rows.map(({ durationMillis: took }) => took).sort((a, b) => a - b);
}

function rankOf(times: readonly number[], share: number): number {
  return times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
}

function medianOf(times: readonly number[]): number {
  const lower = rankOf(times, 0.5);
  return times.length % 2 === 0 ? (lower + (times[times.length / 2] ?? 0)) / 2 : lower;
}

function failedOf(rows: readonly ReportRow[]): number {
  return rows.filter(({ run }) => isFailure(run.status?.phase)).length;
}

function daysOf(rows: readonly ReportRow[]): ReportDay[] {
  const days = Map.groupBy(rows, ({ run }) => isoText(run.status?.startedAt).slice(0, 10));
  return [...days].map(([day, own]) => {
    const times = timesOf(own);
    const succeeded = Math.floor(100 * (own.length - failedOf(own)) / own.length);
    return { day, runs: own.length, succeeded, median: medianOf(times), p95: rankOf(times, 0.95) };
  });
}

/** Returns the workflow templates of the runs, and a chosen one even if no run is of it. */
export function templatesOf({ rows }: Report, chosen: string | undefined): readonly string[] {
  const names = rows.flatMap(({ run }) => run.metadata.labels?.[LABEL.workflowTemplate] ?? []);
  return [...new Set(chosen === undefined ? names : [...names, chosen])].sort();
}

function sumOf(numbers: readonly (number | undefined)[]): Sum {
  const told = numbers.filter((number) => number !== undefined);
  return { seconds: told.reduce((all, duration) => all + duration, 0), runs: told.length };
}

/** Serializes the report as CSV, as in RFC 4180. */
export function csvOf({ rows }: Report): string {
  const head = ["namespace", "name", "phase", "started", "seconds", "cpu_seconds", "memory_gib_seconds", "cost"];
  const lines = rows.map(({ run: { metadata, status }, durationMillis: took, cpu, memory, cost }) => [
    metadata.namespace ?? "",
    metadata.name ?? "",
    status?.phase ?? "",
    status?.startedAt ?? "",
    String(took / 1000),
    cpu === undefined ? "" : String(cpu),
    memory === undefined ? "" : memory.toFixed(2),
    cost === undefined ? "" : cost.toFixed(6),
  ]);
  return [head, ...lines].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
