/** Formats the results of the benchmark. */
import type { PodMemory, ProcessMemory } from "./memory.ts";
import type { Sample } from "./run.ts";

/** All measurements of one contender. */
export interface ContenderResults {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly weights: readonly PodMemory[];
}

/** The median of a list of numbers; NaN for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [above = NaN, below = NaN] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 ? above : (below + above) / 2;
}

/** The medians as a Markdown table: seconds, and MB as resident / anonymous / proportional. */
export function tableOf(measured: readonly ContenderResults[]): string {
  const head = [
    "",
    "pod created",
    "first instruction",
    "end to final phase",
    "emissary MB (RSS / anonymous / PSS)",
    "auxiliary MB (RSS / anonymous / PSS)",
  ];
  const rows = measured.map(({ name, samples, weights }) => [
    name,
    ...(["podCreated", "firstInstruction", "endToFinal"] as const).map((field) =>
      seconds(samples.map((sample) => sample[field]))
    ),
    ...(["emissary", "auxiliary"] as const).map((process) =>
      megabytes(weights.flatMap((weight) => weight[process] ?? []))
    ),
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** `median (fastest to slowest)`. */
function seconds(millis: readonly number[]): string {
  const inSeconds = (value: number) => (value / 1000).toFixed(2);
  return `${inSeconds(median(millis))} s (${inSeconds(Math.min(...millis))}–${inSeconds(Math.max(...millis))})`;
}

function megabytes(weights: readonly ProcessMemory[]): string {
  if (weights.length === 0) return "–";
  const of = (field: keyof ProcessMemory) => median(weights.map((weight) => weight[field])).toFixed(0);
  return `${of("rss")} / ${of("anonymous")} / ${of("pss")}`;
}
