/** Workflows as a table of lines. */
import type { Parameter, Workflow } from "../../lib/api/mod.ts";
import { elapsed } from "../../lib/status/mod.ts";
import { statusText } from "./describe_workflow.ts";
import { plain } from "./plain.ts";
import { tableLines } from "./table.ts";

/** The columns of the table. */
export interface WorkflowColumns {
  readonly withHeaders: boolean;
  readonly withNamespace?: boolean | undefined;
  /** Pods by what they do, and the arguments. */
  readonly isWide?: boolean | undefined;
  readonly withUid?: boolean | undefined;
}

/** The table, with a line for each workflow. */
export function workflowTable(workflows: readonly Workflow[], columns: WorkflowColumns, now: Date): string {
  const rows = workflows.map((workflow) => row(workflow, columns, now).map(plain));
  const lines = tableLines(columns.withHeaders ? [titles(columns), ...rows] : rows, 3);
  return lines.map((line) => `${line}\n`).join("");
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

/** Pods that wait, run and have ended: `0/1/3`. */
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

const LONGEST = 50;

function parametersText(parameters: readonly Parameter[]): string {
  return parameters.filter(({ value }) => value !== undefined).map(({ name, value }) => {
    const text = String(value);
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 18)}...${text.slice(-15)}` : text;
    return `${name}=${shown}`;
  }).join(",");
}
