/** Texts of the activity above the list of runs. */
import { grouped } from "../en.ts";

export const label = "Activity";
export const periods = { "24h": "24 h", "7d": "7 days" } as const;
export const periodNames = { "24h": "Last 24 hours", "7d": "Last 7 days" } as const;
/** The counts of a bar: `3 Failed, 20 Succeeded`. */
export const barLabel = (from: string, to: string, counts: readonly (readonly [phase: string, count: number])[]) =>
  `${from} to ${to}: ${counts.map(([phase, count]) => `${grouped(count)} ${phase}`).join(", ")}`;
/** A total, as a link that filters the list. */
export const totalLabel = (count: number, phase: string) => `${grouped(count)} ${phase}`;
export const succeededShare = (percent: number) => `${percent} % succeeded`;
/** The end of the axis. */
export const axisEndLabel = "now";
export const nothingStarted = "No run started in this time.";
