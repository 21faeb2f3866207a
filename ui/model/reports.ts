/** Reports about finished runs: their durations, failures and resource use. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import type { Prices } from "../api/source.ts";
import { costOf, secondsOf } from "./cost.ts";
import { elapsed } from "./duration.ts";

/** One run of a report. */
export interface ReportRow {
  readonly run: Workflow;
  /** In milliseconds. */
  readonly took: number;
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
  readonly cpu: Sum;
  readonly memory: Sum;
  readonly cost: number | undefined;
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
    const took = finishedAt ? elapsed(startedAt, finishedAt, NaN) : undefined;
    if (took === undefined) return [];
    const { cpu, memory } = resourcesDuration ?? {};
    const gib = memory === undefined ? undefined : secondsOf("memory", memory);
    return [{ run, took, cpu, memory: gib, cost: costOf(resourcesDuration, prices) }];
  }).sort((a, b) => (a.run.status?.startedAt ?? "") < (b.run.status?.startedAt ?? "") ? -1 : 1);
  const times = rows.map(({ took }) => took).sort((a, b) => a - b);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const costs = rows.map(({ cost }) => cost).filter((one) => one !== undefined);
  const rank = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
  return {
    rows,
    mean: times.length === 0 ? 0 : sum(times) / times.length,
    median: times.length % 2 === 0 ? (rank(0.5) + (times[times.length / 2] ?? 0)) / 2 : rank(0.5),
    p95: rank(0.95),
    failed: rows.filter(({ run }) => isFailure(run.status?.phase)).length,
    cpu: sumOf(rows.map(({ cpu }) => cpu)),
    memory: sumOf(rows.map(({ memory }) => memory)),
    cost: costs.length === 0 ? undefined : sum(costs),
  };
}

function sumOf(numbers: readonly (number | undefined)[]): Sum {
  const told = numbers.filter((one) => one !== undefined);
  return { seconds: told.reduce((all, one) => all + one, 0), runs: told.length };
}

/** Serializes the report as CSV, as in RFC 4180. */
export function csvOf({ rows }: Report): string {
  const head = ["namespace", "name", "phase", "started", "seconds", "cpu_seconds", "memory_gib_seconds", "cost"];
  const lines = rows.map(({ run: { metadata, status }, took, cpu, memory, cost }) => [
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
