/** The results of the bench, in the forms in which they are read. */
import { BUDGETS, isKept } from "./budgets.ts";
import type { Output } from "./options.ts";
import type { Figures } from "./scene.ts";

/** A line of the results: a figure, its bound, and what each page has. */
export interface Line {
  readonly id: string | undefined;
  readonly scene: string;
  readonly what: string;
  readonly unit: string;
  readonly bound: string;
  /** Whether ours keeps its budget; undefined where it has none. */
  readonly isKept: boolean | undefined;
  /** Undefined where a page has no such figure. */
  readonly ours: number | undefined;
  readonly argos: number | undefined;
}

/** Why a page was not measured in a scene, or what went wrong with it. */
export interface Note {
  readonly scene: string;
  readonly page: string;
  readonly text: string;
}

/** All that was measured. */
export interface Results {
  readonly lines: readonly Line[];
  readonly notes: readonly Note[];
  readonly load: readonly number[];
  readonly processors: number;
  /** Whether Argo's page was measured, too. */
  readonly withArgo: boolean;
}

/** The lines of a scene by the figures of both pages. */
export function linesOf(scene: string, ours: Figures, argos: Figures | undefined): Line[] {
  return BUDGETS.filter((one) => one.scene === scene).map(({ id, what, unit, most, least }) => ({
    id,
    scene,
    what,
    unit,
    bound: most !== undefined ? `≤ ${number(most)}` : least !== undefined ? `≥ ${number(least)}` : "",
    isKept: what in ours ? isKept({ most, least }, ours[what]!) : undefined,
    ours: ours[what],
    argos: argos?.[what],
  }));
}

/** The lines of one scene as text. */
export function textOf(lines: readonly Line[], withArgo: boolean): string {
  return lines.map(({ id, what, unit, bound, isKept, ours, argos }) => {
    const values = [value(ours), unit.padEnd(4), bound.padEnd(9), isKept === undefined ? " " : isKept ? "✔" : "✖"];
    const argo = withArgo ? [value(argos), ratio(ours, argos)] : [];
    return `  ${(id ?? "").padEnd(5)} ${what.padEnd(42)} ${[...values, ...argo].join(" ")}`.trimEnd();
  }).join("\n");
}

/** All results in a form for programs, or for a page of documentation; undefined for the text, which is told as it comes. */
export function wholeOf(results: Results, output: Output): string | undefined {
  if (output === "text") return undefined;
  return output === "json" ? JSON.stringify(results, shown, 2) : tableOf(results);
}

function tableOf({ lines, notes, load, processors, withArgo }: Results): string {
  const head = ["Budget", "Scene", "Figure", "Bound", "Tiphys", ...withArgo ? ["Argo", "Ratio"] : []];
  const rows = lines.map((line) => [
    line.id ?? "",
    line.scene,
    line.what,
    `${line.bound} ${line.bound && line.unit}`.trim(),
    `${value(line.ours).trim()} ${line.unit}${line.isKept === false ? " ✖" : ""}`.trim(),
    ...withArgo ? [value(line.argos).trim(), ratio(line.ours, line.argos)] : [],
  ]);
  return [
    row(head),
    row(head.map(() => "---")),
    ...rows.map(row),
    "",
    ...notes.map(({ scene, page, text }) => `- ${scene}, ${page}: ${text}`),
    ...notes.length > 0 ? [""] : [],
    loadText(load, processors),
  ].join("\n");
}

/** The load of the machine: absolute figures mean something on an idle one only. */
export function loadText(load: readonly number[], processors: number): string {
  return `Load ${load.map((one) => one.toFixed(1)).join(" ")} of ${processors} processors.`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function value(one: number | undefined): string {
  return (one === undefined ? "–" : one === Infinity ? "never" : number(one)).padStart(9);
}

function number(one: number): string {
  const digits = Math.abs(one) < 10 && !Number.isInteger(one) ? 1 : 0;
  return one.toLocaleString("en", { maximumFractionDigits: digits });
}

/** How many times as much Argo's page takes. */
function ratio(ours: number | undefined, argos: number | undefined): string {
  if (!ours || !argos || ours < 0 || argos < 0 || argos === Infinity || ours === Infinity) return "";
  return `×${(argos / ours).toFixed(1)}`;
}

/** JSON has no number for what never came. */
function shown(_: string, one: unknown): unknown {
  return one === Infinity ? "never" : one;
}
