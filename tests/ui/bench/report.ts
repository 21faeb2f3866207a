/** Formats the results of the bench. */
import { BUDGETS, isWithinBudget } from "./budgets.ts";
import type { Output } from "./options.ts";
import type { Figures } from "./scene.ts";

/** A line of the results: a measurement, its bound, and the value of each page. */
export interface Line {
  readonly id: string | undefined;
  readonly scene: string;
  readonly what: string;
  readonly unit: string;
  readonly bound: string;
  /** Whether our page is within the budget; undefined for a measurement without a budget. */
  readonly isWithinBudget: boolean | undefined;
  /** Undefined if a page does not have this measurement. */
  readonly ours: number | undefined;
  readonly argos: number | undefined;
}

/** The reason why a page was not measured in a scene, or the error. */
export interface Note {
  readonly scene: string;
  readonly page: string;
  readonly text: string;
}

/** All results. */
export interface Results {
  readonly lines: readonly Line[];
  readonly notes: readonly Note[];
  readonly load: readonly number[];
  readonly processors: number;
  /** Whether Argo's page was also measured. */
  readonly withArgo: boolean;
}

/** The lines of a scene, from the measurements of both pages. */
export function linesOf(scene: string, ours: Figures, argos: Figures | undefined): Line[] {
  return BUDGETS.filter((budget) => budget.scene === scene).map(({ id, what, unit, maximum, minimum }) => ({
    id,
    scene,
    what,
    unit,
    bound: maximum !== undefined ? `≤ ${number(maximum)}` : minimum !== undefined ? `≥ ${number(minimum)}` : "",
    isWithinBudget: what in ours ? isWithinBudget({ maximum, minimum }, ours[what]!) : undefined,
    ours: ours[what],
    argos: argos?.[what],
  }));
}

/** Formats the lines of one scene as text. */
export function textOf(lines: readonly Line[], withArgo: boolean): string {
  return lines.map(({ id, what, unit, bound, isWithinBudget, ours, argos }) => {
    const values = [
      value(ours),
      unit.padEnd(4),
      bound.padEnd(9),
      isWithinBudget === undefined ? " " : isWithinBudget ? "✔" : "✖",
    ];
    const argo = withArgo ? [value(argos), ratio(ours, argos)] : [];
    return `  ${(id ?? "").padEnd(5)} ${what.padEnd(42)} ${[...values, ...argo].join(" ")}`.trimEnd();
  }).join("\n");
}

/** Formats all results as JSON or Markdown; undefined for text, which is printed scene by scene. */
export function formatAll(results: Results, output: Output): string | undefined {
  if (output === "text") return undefined;
  return output === "json" ? JSON.stringify(results, replaceInfinity, 2) : tableOf(results);
}

function tableOf({ lines, notes, load, processors, withArgo }: Results): string {
  const head = ["Budget", "Scene", "Figure", "Bound", "Tiphys", ...withArgo ? ["Argo", "Ratio"] : []];
  const rows = lines.map((line) => [
    line.id ?? "",
    line.scene,
    line.what,
    `${line.bound} ${line.bound && line.unit}`.trim(),
    `${value(line.ours).trim()} ${line.unit}${line.isWithinBudget === false ? " ✖" : ""}`.trim(),
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

/** The load of the machine. Absolute values are only meaningful on an idle one. */
export function loadText(load: readonly number[], processors: number): string {
  return `Load ${load.map((average) => average.toFixed(1)).join(" ")} of ${processors} processors.`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function value(measured: number | undefined): string {
  return (measured === undefined ? "–" : measured === Infinity ? "never" : number(measured)).padStart(9);
}

function number(measured: number): string {
  const digits = Math.abs(measured) < 10 && !Number.isInteger(measured) ? 1 : 0;
  return measured.toLocaleString("en", { maximumFractionDigits: digits });
}

/** The ratio of the value of Argo's page to ours. */
function ratio(ours: number | undefined, argos: number | undefined): string {
  if (!ours || !argos || ours < 0 || argos < 0 || argos === Infinity || ours === Infinity) return "";
  return `×${(argos / ours).toFixed(1)}`;
}

/** JSON cannot represent Infinity, the value of a timeout. */
function replaceInfinity(_: string, field: unknown): unknown {
  return field === Infinity ? "never" : field;
}
