/** Formats measurements as a table. */
import { CEILING } from "./ceiling.ts";
import type { Measurement } from "./measure.ts";
import { growthExponent, percentile, type Spread, spreadOf } from "./statistics.ts";

/** A row of the table: a measurement of a load, for each controller. */
export interface Figure {
  readonly load: string;
  readonly name: string;
  readonly unit: string;
  readonly spreads: Readonly<Record<string, Spread>>;
}

type Reading = readonly [name: string, unit: string, of: (measurement: Measurement) => number | undefined];

const READINGS: readonly Reading[] = [
  ["time", "s", (m) => m.seconds],
  ["pods per second", "1/s", (m) => m.podsPerSecond],
  ["gap p50", "ms", (m) => percentile(m.gaps ?? [], 50)],
  ["gap p99", "ms", (m) => percentile(m.gaps ?? [], 99)],
  ["CPU", "s", (m) => m.cpuSeconds],
  ["CPU per pod", "ms", (m) => m.cpuSeconds && 1000 * m.cpuSeconds / podsOf(m.load)],
  ["CPU per node transition", "ms", (m) => m.cpuSeconds && 1000 * m.cpuSeconds / (TRANSITIONS * podsOf(m.load))],
  ["CPU of the control plane", "s", (m) => m.planeCpuSeconds],
  ["peak memory", "MiB", (m) => m.peakMemory],
  ["memory at rest", "MiB", (m) => m.memory?.beside],
  ["memory at rest without them", "MiB", (m) => m.memory?.without],
  ["memory by that without them", "", (m) => m.memory && m.memory.beside / m.memory.without],
  ["event loop delay p99", "ms", (m) => m.eventLoopDelay],
  ["API writes per pod", "", (m) => m.usage && sum(m, "requests") / podsOf(m.load)],
  ["API bytes written per pod", "kB", (m) => m.usage && sum(m, "bytes") / podsOf(m.load) / 1000],
];

/** The number of transitions of a pod's node: created, running, ended. */
const TRANSITIONS = 3;

function podsOf(load: string): number {
  return Number(load.split(":")[1]);
}

/** The sum of all writes except those that created the load. */
function sum(measurement: Measurement, what: "requests" | "bytes"): number {
  const entries = Object.entries(measurement.usage ?? {}).filter(([key]) => key !== "create workflows");
  return entries.reduce((total, [, counted]) => total + counted[what], 0);
}

/** The rows of all measurements, in order of the loads. */
export function figuresOf(measurements: readonly Measurement[]): Figure[] {
  const loads = [...new Set(measurements.map(({ load }) => load))];
  return [
    ...loads.flatMap((load) => figuresOfLoad(load, measurements.filter((measurement) => measurement.load === load))),
    ...growthFigures(measurements, loads.filter((load) => load.startsWith("fan-out:"))),
  ];
}

function figuresOfLoad(load: string, measurements: readonly Measurement[]): Figure[] {
  const verbs = [...new Set(measurements.flatMap(({ usage }) => Object.keys(usage ?? {})))].sort();
  const byVerb = verbs.flatMap((key): Reading[] => [
    [`  ${key}`, "requests", (m) => m.usage?.[key]?.requests || undefined],
    [`  ${key}`, "bytes", (m) => m.usage?.[key]?.bytes || undefined],
  ]);
  return [...READINGS, ...byVerb].flatMap(([name, unit, of]) => {
    const spreads = perCandidate(measurements, (own) => spreadOf(own.map(of).filter((value) => value !== undefined)));
    if (Object.keys(spreads).length === 0) return [];
    const figure = { load, name, unit, spreads };
    return ABOVE_CEILING.has(name) ? [figure, ...aboveCeiling(figure)] : [figure];
  });
}

/** Measurements that include the cost of the load's own objects, which occurs without a controller as well. */
const ABOVE_CEILING: ReadonlySet<string> = new Set(["time", "CPU of the control plane", "API writes per pod"]);

/**
 * The cost of a controller itself: its CPU time, which the ceiling does not have, and everything else above the
 * ceiling.
 */
const COSTS: ReadonlySet<string> = new Set([
  "gap p50",
  "CPU",
  "CPU per pod",
  ...[...ABOVE_CEILING].map(nameAboveCeiling),
]);

/** The rows with the cost of each controller above the ceiling, for loads with a ceiling. */
export function costsOf(figures: readonly Figure[]): Figure[] {
  const loads = new Set(figures.filter(({ spreads }) => spreads[CEILING]).map(({ load }) => load));
  return figures.filter(({ load, name }) => loads.has(load) && COSTS.has(name));
}

function nameAboveCeiling(name: string): string {
  return `${name} above the ceiling`;
}

/** Subtracts the median of the ceiling from a measurement. */
function aboveCeiling({ load, name, unit, spreads }: Figure): Figure[] {
  const { [CEILING]: ceiling, ...others } = spreads;
  if (!ceiling || Object.keys(others).length === 0) return [];
  const above = Object.entries(others).map(([candidate, { median, minimum, maximum }]) =>
    [
      candidate,
      { median: median - ceiling.median, minimum: minimum - ceiling.median, maximum: maximum - ceiling.median },
    ] as const
  );
  return [{ load, name: nameAboveCeiling(name), unit, spreads: Object.fromEntries(above) }];
}

/** The exponent with which the CPU time of a fan-out grows with its size; 1 is linear. */
function growthFigures(measurements: readonly Measurement[], loads: readonly string[]): Figure[] {
  const sizes = loads.toSorted((a, b) => podsOf(a) - podsOf(b));
  const spreads = perCandidate(measurements, (own) => {
    const points = sizes.flatMap((load) => {
      const cpu = spreadOf(own.filter((m) => m.load === load).map((m) => m.cpuSeconds ?? 0));
      return cpu ? [[podsOf(load), cpu.median] as const] : [];
    });
    const exponent = growthExponent(points);
    return exponent === undefined ? undefined : { median: exponent, minimum: exponent, maximum: exponent };
  });
  if (Object.keys(spreads).length === 0) return [];
  return [{ load: `fan-out:${sizes.map(podsOf).join("-")}`, name: "CPU grows with the power of", unit: "", spreads }];
}

function perCandidate(
  measurements: readonly Measurement[],
  spread: (own: readonly Measurement[]) => Spread | undefined,
): Record<string, Spread> {
  const names = [...new Set(measurements.map(({ candidate }) => candidate))];
  return Object.fromEntries(
    names.map((name) => [name, spread(measurements.filter(({ candidate }) => candidate === name))] as const)
      .filter((entry): entry is [string, Spread] => entry[1] !== undefined),
  );
}

/**
 * Formats the rows as a Markdown table. With two controllers, the last column is the ratio of their medians, first to
 * second.
 */
export function tableOf(figures: readonly Figure[]): string {
  const names = [...new Set(figures.flatMap(({ spreads }) => Object.keys(spreads)))];
  const [first, second] = names.filter((name) =>
    name !== CEILING && figures.some(({ spreads }) => Object.keys(spreads).length > 1 && name in spreads)
  );
  const header = ["load", "figure", ...names, ...(second ? [`${first} / ${second}`] : [])];
  const rows = figures.map(({ load, name, unit, spreads }) => [
    load,
    unit ? `${name}, ${unit}` : name,
    ...names.map((candidate) => describe(spreads[candidate])),
    ...(first && second ? [ratio(spreads[first], spreads[second])] : []),
  ]);
  const widths = header.map((text, column) => Math.max(text.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function describe(spread: Spread | undefined): string {
  if (!spread) return "";
  const { median, minimum, maximum } = spread;
  return minimum === maximum
    ? threeDigits(median)
    : `${threeDigits(median)} (${threeDigits(minimum)}–${threeDigits(maximum)})`;
}

function ratio(own: Spread | undefined, other: Spread | undefined): string {
  return own && other && other.median !== 0 ? threeDigits(own.median / other.median) : "";
}

/** Formats a number with three significant digits. */
function threeDigits(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
