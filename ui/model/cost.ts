/** The cost of runs: their resource use at the prices of the installation, or the use itself without prices. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { millisOf, nodesOf } from "@tiphys/model/status";
import type { Prices } from "../api/source.ts";
import { durationText } from "./duration.ts";
import * as words from "./text/en/cost.ts";

/** Use of each resource in seconds, in the units of a workflow's status: one CPU, 100 Mi of memory. */
export type ResourcesDuration = Readonly<Record<string, number>>;

const HOUR_SECONDS = 3600;
/** GiB in one unit of a resource in the status; other resources count single units. */
const GIB: Readonly<Record<string, number>> = { memory: 100 / 1024, storage: 10, "ephemeral-storage": 10 };

/** Converts a duration in the status to seconds of one CPU, one GiB, or one unit of another resource. */
export function secondsOf(resource: string, duration: number): number {
  return duration * (GIB[resource] ?? 1);
}

/** Returns the cost of a use, or undefined if none of its resources has a price. */
export function costOf(durations: ResourcesDuration | undefined, prices: Prices | undefined): number | undefined {
  const priced = Object.entries(durations ?? {}).flatMap(([resource, duration]) => {
    const perHour = prices?.perHour[resource];
    return perHour === undefined ? [] : [secondsOf(resource, duration) / HOUR_SECONDS * perHour];
  });
  return priced.length === 0 ? undefined : priced.reduce((sum, price) => sum + price, 0);
}

/** Formats an amount of money; small amounts have two significant digits. */
export function moneyText(amount: number, { currency }: Prices, locale?: string): string {
  const isSmall = amount > 0 && amount < 0.995;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(isSmall ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } : {}),
  }).format(amount);
}

const NAMES: Readonly<Record<string, string>> = {
  cpu: words.cpuUnit,
  memory: words.memoryUnit,
  storage: words.storageUnit,
  "ephemeral-storage": words.ephemeralStorageUnit,
};

/** Describes a use: `2m of a CPU, 6m of a GiB of memory`. Less than a second of a resource is left out. */
export function useText(durations: ResourcesDuration): string {
  const uses = Object.entries(durations).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([resource, duration]) => [resource, Math.round(secondsOf(resource, duration))] as const)
    .filter(([, seconds]) => seconds > 0)
    .map(([resource, seconds]) => words.resourceUse(durationText(seconds * 1000), NAMES[resource] ?? resource));
  return uses.length > 0 ? uses.join(", ") : words.negligibleUse;
}

/** The use of one template in a run. */
export interface CostRow {
  readonly template: string;
  readonly nodes: number;
  readonly durations: ResourcesDuration;
  readonly cost: number | undefined;
  /** The share of the total, from 0 to 1: of the cost, or of the CPU time without prices; undefined if that is 0. */
  readonly share: number | undefined;
}

/** The use of a run, the most expensive template first. */
export interface CostTable {
  readonly rows: readonly CostRow[];
  readonly durations: ResourcesDuration;
  readonly cost: number | undefined;
  /** The time without any running pod, in milliseconds: it costs nothing but lengthens the run. */
  readonly idle: number;
}

/** Computes the table of a run. */
export function costTable(run: Workflow, prices: Prices | undefined, now: number): CostTable {
  const pods = nodesOf(run).filter(({ type }) => type === "Pod");
  const uses = new Map<string, { nodes: number; durations: Record<string, number> }>();
  const durations: Record<string, number> = {};
  for (const { templateName, templateRef, resourcesDuration } of pods) {
    if (!resourcesDuration) continue;
    const template = templateRef ? `${templateRef.name}/${templateRef.template}` : templateName ?? "";
    const use = uses.get(template) ?? { nodes: 0, durations: {} };
    uses.set(template, use);
    use.nodes++;
    add(use.durations, resourcesDuration);
    add(durations, resourcesDuration);
  }
  const cost = costOf(durations, prices);
  const weight = (duration: ResourcesDuration) =>
    cost === undefined ? duration.cpu ?? 0 : costOf(duration, prices) ?? 0;
  const whole = weight(durations);
  const rows = [...uses].map(([template, use]): CostRow => ({
    template,
    ...use,
    cost: costOf(use.durations, prices),
    share: whole === 0 ? undefined : weight(use.durations) / whole,
  })).sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || (a.template < b.template ? -1 : 1));
  return { rows, durations, cost, idle: idleOf(run, pods, now) };
}

function add(sum: Record<string, number>, more: ResourcesDuration): void {
  for (const [resource, duration] of Object.entries(more)) sum[resource] = (sum[resource] ?? 0) + duration;
}

type Times = Pick<NonNullable<Workflow["status"]>, "startedAt" | "finishedAt">;

function spanOf({ startedAt, finishedAt }: Times, now: number): readonly [from: number, to: number] | undefined {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  return Number.isNaN(from) ? undefined : [from, Number.isNaN(to) ? Math.max(from, now) : to];
}

function idleOf({ status }: Workflow, pods: readonly Times[], now: number): number {
  const whole = spanOf(status ?? {}, now);
  if (!whole) return 0;
  const spans = pods.flatMap((pod) => {
    const span = spanOf(pod, now);
    return span ? [span] : [];
  }).sort(([a], [b]) => a - b);
  let [idle, end] = [0, whole[0]];
  for (const [from, to] of spans) {
    idle += Math.max(0, Math.min(from, whole[1]) - end);
    end = Math.max(end, to);
  }
  return idle + Math.max(0, whole[1] - end);
}
