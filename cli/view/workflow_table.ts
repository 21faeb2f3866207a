/** Formats workflows as a table. */
import type { Parameter, Workflow } from "@tiphys/model/api";
import { countText } from "@tiphys/base/count_text";
import { elapsed, firstFailure, isFailure, nodePath } from "@tiphys/model/status";
import { statusText } from "./describe_workflow.ts";
import { escapeControls, escapeToOneLine } from "./plain.ts";
import { type Look, paintPhase } from "./look.ts";
import { fitLine, tableLines } from "./table.ts";

/** The columns of the table. */
export interface WorkflowColumns {
  readonly withHeaders: boolean;
  readonly withNamespace?: boolean | undefined;
  /** Whether the counts of pods by state and the arguments are shown. */
  readonly isWide?: boolean | undefined;
  readonly withUid?: boolean | undefined;
}

/** The terminal that the table is shown on. */
export interface Screen {
  readonly look: Look;
  readonly width: number;
}

/**
 * Returns the table, with a line for each workflow. With a screen, lines are cut to its width, phases have colors,
 * messages name the node that failed first, and priorities are omitted if all are 0. Without one, the table has Argo's
 * form, which programs parse.
 */
export function workflowTable(
  workflows: readonly Workflow[],
  columns: WorkflowColumns,
  now: Date,
  screen?: Screen,
): string {
  const rows = workflows.map((workflow) => row(workflow, columns, now).map(escapeControls));
  const all = columns.withHeaders ? [titles(columns), ...rows] : rows;
  if (!screen) return tableLines(all, 3).map((line) => `${line}\n`).join("");
  return screenTable(workflows, all, columns, screen).map((line) => `${line}\n`).join("");
}

function screenTable(
  workflows: readonly Workflow[],
  table: readonly (readonly string[])[],
  columns: WorkflowColumns,
  { look, width }: Screen,
): string[] {
  const [nameAt = 0, statusAt = 0, priorityAt = 0, messageAt = 0] = ["NAME", "STATUS", "PRIORITY", "MESSAGE"]
    .map((title) => titles(columns).indexOf(title));
  const firstRow = columns.withHeaders ? 1 : 0;
  const hasPriorities = workflows.some(({ spec }) => spec.priority);
  const rows = table.map((cells, index) => {
    const workflow = workflows[index - firstRow];
    return workflow ? cells.with(messageAt, escapeToOneLine(messageText(workflow))) : cells;
  });
  const longest = (column: number) => Math.max(0, ...rows.map((cells) => cells[column]!.length));
  const shown = (cells: readonly string[]) => hasPriorities ? cells : cells.toSpliced(priorityAt, 1);
  const fixed = tableLines(
    rows.map((cells) => shown(cells.with(messageAt, "m")).slice(0, messageAt + (hasPriorities ? 1 : 0))),
    3,
  );
  const wanted = Math.max(...fixed.map((line) => line.length)) + Math.min(longest(messageAt), MESSAGE_WIDTH);
  const nameWidth = Math.max(MIN_NAME_WIDTH, longest(nameAt) - Math.max(0, wanted - width + 1));
  const fitted = rows.map((cells, index) => {
    const status = index < firstRow ? cells[statusAt]! : paintPhase(cells[statusAt]!, look);
    return shown(cells.with(nameAt, truncate(cells[nameAt]!, nameWidth)).with(statusAt, status));
  });
  return tableLines(fitted, 3).map((line) => fitLine(line, width - 1));
}

/** Number of columns for messages on a narrow screen, before names are shortened. */
const MESSAGE_WIDTH = 24;
/** Minimum number of columns for names on a narrow screen. */
const MIN_NAME_WIDTH = 15;

/** Removes the middle of a text that is longer than a width. */
function truncate(text: string, width: number): string {
  if (text.length <= width) return text;
  return `${text.slice(0, Math.ceil((width - 1) / 2))}…${text.slice(text.length - Math.floor((width - 1) / 2))}`;
}

/** Returns the number of workflows in each phase: `3 workflows: 1 Running, 2 Succeeded`. */
export function phaseSummary(workflows: readonly Workflow[]): string {
  const counts = Map.groupBy(workflows, ({ status }) => status?.phase || "Pending");
  const phases = [...counts].toSorted(([a], [b]) => PHASE_ORDER.indexOf(a) - PHASE_ORDER.indexOf(b))
    .map(([phase, { length }]) => `${length} ${phase}`);
  return `${countText(workflows.length, "workflow")}: ${phases.join(", ")}`;
}

const PHASE_ORDER: readonly string[] = ["Pending", "Running", "Succeeded", "Failed", "Error"];

/**
 * Returns the message of a workflow. A message that only names a child is replaced by that of the node that failed
 * first.
 */
function messageText(workflow: Workflow): string {
  const { metadata: { name = "" }, status: { phase, message = "" } = {} } = workflow;
  if (!isFailure(phase) || message !== "" && !message.startsWith("child '")) return message;
  const node = firstFailure(workflow);
  return node && node.name !== name ? `${nodePath(node.name, name)}: ${node.message || node.phase}` : message;
}

function titles({ withNamespace, isWide, withUid }: WorkflowColumns): string[] {
  return [
    ...(withNamespace ? ["NAMESPACE"] : []),
    ...["NAME", "STATUS", "AGE", "DURATION", "PRIORITY", "MESSAGE"],
    ...(isWide ? ["P/R/C", "PARAMETERS"] : []),
    ...(withUid ? ["UID"] : []),
  ];
}

function row(workflow: Workflow, { withNamespace, isWide, withUid }: WorkflowColumns, now: Date): string[] {
  const { metadata, spec, status } = workflow;
  return [
    ...(withNamespace ? [metadata.namespace ?? ""] : []),
    metadata.name ?? "",
    statusText(workflow),
    elapsed(metadata.creationTimestamp, undefined, now),
    elapsed(status?.startedAt, status?.finishedAt, now) || "0s",
    String(spec.priority ?? 0),
    status?.message ?? "",
    ...(isWide ? [podCounts(workflow), parametersText(spec.arguments?.parameters ?? [])] : []),
    ...(withUid ? [metadata.uid ?? ""] : []),
  ];
}

/** Returns the numbers of pending, running and completed pods: `0/1/3`. */
function podCounts({ status }: Workflow): string {
  const counts = { waiting: 0, running: 0, ended: 0 };
  for (const { type, phase, daemoned } of Object.values(status?.nodes ?? {})) {
    if (type !== "Pod") continue;
    if (phase === "Running" && !daemoned) counts.running++;
    else if (phase === "Pending" || phase === undefined) counts.waiting++;
    else counts.ended++;
  }
  return `${counts.waiting}/${counts.running}/${counts.ended}`;
}

const MAX_PARAMETERS_LENGTH = 50;

function parametersText(parameters: readonly Parameter[]): string {
  return parameters.filter(({ value }) => value !== undefined).map(({ name, value }) => {
    const text = String(value);
    const shown = text.length > MAX_PARAMETERS_LENGTH
      ? `${text.slice(0, MAX_PARAMETERS_LENGTH - 18)}...${text.slice(-15)}`
      : text;
    return `${name}=${shown}`;
  }).join(",");
}
