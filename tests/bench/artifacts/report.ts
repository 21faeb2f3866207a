/** Formats the costs of transfers as a table of medians, ours next to the others. */
import { percentile } from "../statistics.ts";
import type { Cost, Move } from "./pod_stage.ts";

/** A measured transfer. */
export interface TransferSample extends Pick<Move, "direction" | "packing"> {
  readonly what: string;
  readonly contender: string;
  readonly cost: Cost;
}

const NAMES = { none: "none", tar: "tar.gz", zstd: "tar.zst" } as const;

/** A Markdown table with a row per kind of transfer, in order of measurement. */
export function tableOf(measured: readonly TransferSample[]): string {
  const contenders = [...new Set(measured.map(({ contender }) => contender))];
  const rows = Map.groupBy(
    measured,
    ({ what, direction, packing }) =>
      what === "no artifact" ? `${what}, ${direction}` : `${what}, ${NAMES[packing]}, ${direction}`,
  );
  const cell = (costs: readonly TransferSample[], of: (cost: Cost) => number, digits: number) =>
    contenders.map((name) => {
      const values = costs.filter(({ contender }) => contender === name).map(({ cost }) => of(cost));
      return values.length === 0 ? "–" : percentile(values, 50)!.toFixed(digits);
    }).join(" / ");
  const head = ["What", "CPU, s", "Wall, s", "Peak memory, MB"].map((title, index) =>
    index === 0 ? title : `${title} (${contenders.join(" / ")})`
  );
  const lines = [...rows].map(([name, costs]) => [
    name,
    cell(costs, ({ cpuSeconds }) => cpuSeconds, 2),
    cell(costs, ({ wallSeconds }) => wallSeconds, 1),
    cell(costs, ({ peakMegabytes }) => peakMegabytes, 0),
  ]);
  return [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
