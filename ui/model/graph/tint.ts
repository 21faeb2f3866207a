/** Colors of a graph by measures other than phases: duration, cost, template or host. Pure. */
import type { Prices } from "../../api/source.ts";
import { costOf, moneyText, type ResourcesDuration } from "../cost.ts";
import { durationText, elapsedMillis } from "../duration.ts";
import { type Part, partsIn } from "./part.ts";
import * as words from "../text/en/graph.ts";

/** The measures for colors. Phases remain visible by borders and icons. */
export const COLOURINGS = ["duration", "cost", "template", "host"] as const;
/** A measure for colors. */
export type Colouring = (typeof COLOURINGS)[number];

/** The shades: five of one hue from low to high, and seven hues for names, of which the last is for all other names. */
export const SHADES = [
  "heat-1",
  "heat-2",
  "heat-3",
  "heat-4",
  "heat-5",
  "kind-1",
  "kind-2",
  "kind-3",
  "kind-4",
  "kind-5",
  "kind-6",
  "kind-7",
] as const;
/** A shade, by the name of its token. */
export type Shade = (typeof SHADES)[number];

/** The shade of a part, and its meaning. */
export interface Tint {
  readonly shade: Shade;
  readonly text: string;
}

/** The colors of a graph. */
export interface Tints {
  /** Undefined for a part with no value or several values. */
  readonly tintOf: (part: Part) => Tint | undefined;
  /** The shades with their meaning; empty if no part has a value. */
  readonly legend: readonly Tint[];
}

/** Input other than the parts. */
export interface TintFacts {
  readonly now: number;
  readonly prices: Prices | undefined;
}

/** Computes the colors of a graph. */
export function tintsOf(whole: Part, colouring: Colouring, facts: TintFacts): Tints {
  switch (colouring) {
    case "duration":
      return tintsByMeasure(whole, (part) => timeOf(part, facts.now), (millis) => durationText(roundForLegend(millis)));
    case "cost":
      return tintsByCost(whole, facts.prices);
    case "template":
      return tintByName(whole, ({ template, members, kind }) => members.length && kind === "box" ? "" : template);
    case "host":
      return tintByName(whole, hostOf);
  }
}

/** The upper limit of each shade, as a share of the largest value. */
const SHARES = [0.1, 0.25, 0.5, 0.75, 1] as const;

function tintsByMeasure(
  whole: Part,
  measure: (part: Part) => number | undefined,
  text: (measure: number) => string,
): Tints {
  let largest = 0;
  for (const part of partsIn(whole)) {
    if (part.members.length === 0) largest = Math.max(largest, measure(part) ?? 0);
  }
  if (largest === 0) return { tintOf: () => undefined, legend: [] };
  const shadeOf = (measured: number) => {
    const index = SHARES.findIndex((share) => measured <= largest * share);
    return SHADES[index < 0 ? SHARES.length - 1 : index]!;
  };
  return {
    tintOf: (part) => {
      const measured = measure(part);
      return measured === undefined ? undefined : { shade: shadeOf(measured), text: text(measured) };
    },
    legend: SHARES.map((share, index) => ({ shade: SHADES[index]!, text: words.upTo(text(largest * share)) })),
  };
}

function tintsByCost(whole: Part, prices: Prices | undefined): Tints {
  if (!prices) {
    return tintsByMeasure(
      whole,
      (part) => useOf(part)?.cpu,
      (seconds) => words.cpuTime(durationText(roundForLegend(seconds * 1000))),
    );
  }
  return tintsByMeasure(whole, (part) => costOf(useOf(part), prices), (cost) => moneyText(cost, prices));
}

/** The maximum number of names that have their own hue. */
const MAX_NAMES = 6;
const FIRST_KIND = SHADES.indexOf("kind-1");

function tintByName(whole: Part, nameOf: (part: Part) => string | undefined): Tints {
  const counts = new Map<string, number>();
  for (const part of partsIn(whole)) {
    const name = part.members.length === 0 ? nameOf(part) : undefined;
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([name]) => name);
  const own = new Map(names.slice(0, MAX_NAMES).map((name, index) => [name, SHADES[FIRST_KIND + index]!]));
  const rest = names.length - own.size;
  return {
    tintOf: (part) => {
      const name = nameOf(part);
      return name ? { shade: own.get(name) ?? "kind-7", text: name } : undefined;
    },
    legend: [
      ...[...own].map(([text, shade]) => ({ shade, text })),
      ...(rest > 0 ? [{ shade: "kind-7" as const, text: words.otherNames(rest) }] : []),
    ],
  };
}

/** Rounds durations for a legend, which needs no half seconds. */
function roundForLegend(millis: number): number {
  return millis < 10_000 ? Math.round(millis / 100) * 100 : Math.round(millis / 1000) * 1000;
}

function timeOf({ node, family }: Part, now: number): number | undefined {
  return node && family !== "idle" && node.phase !== "Pending"
    ? elapsedMillis(node.startedAt, node.finishedAt, now)
    : undefined;
}

/** Returns the resource use of a part: the sum of its members, or of all attempts. */
function useOf({ node, attempts, members }: Part): ResourcesDuration | undefined {
  const uses = members.length > 0
    ? members.map(useOf)
    : attempts.length > 0
    ? attempts.map(({ resourcesDuration }) => resourcesDuration)
    : [node?.resourcesDuration];
  const sum: Record<string, number> = {};
  for (const use of uses) {
    for (const [resource, seconds] of Object.entries(use ?? {})) sum[resource] = (sum[resource] ?? 0) + seconds;
  }
  return Object.keys(sum).length === 0 ? undefined : sum;
}

/** Returns the host of a part: that of all its members if equal, or of the last attempt. */
function hostOf({ node, attempts, members }: Part): string | undefined {
  if (members.length === 0) return (attempts.at(-1) ?? node)?.hostNodeName || undefined;
  const hosts = new Set(members.map(hostOf));
  hosts.delete(undefined);
  return hosts.size === 1 ? [...hosts][0] : undefined;
}
