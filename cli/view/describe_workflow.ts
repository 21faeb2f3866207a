/** Formats a workflow as `get` shows it: a head of facts, then its tree. */
import type { Artifact, Parameter, Workflow } from "@tiphys/model/api";
import { keyOf } from "@tiphys/model/artifact/location";
import { durationInWords, elapsedInWords, isSuspended, resourcesDurationText, timestamp } from "@tiphys/model/status";
import { escapeControls } from "./plain.ts";
import { treeTable, type TreeTableOptions } from "./tree_table.ts";

/** Returns the phase for lists and heads, with `(Suspended)` or `(Terminated)` if that applies. */
export function statusText(workflow: Workflow): string {
  const phase = workflow.status?.phase ?? "";
  if (phase === "Running" && isSuspended(workflow)) return "Running (Suspended)";
  if (phase === "Failed" && workflow.spec.shutdown) return "Failed (Terminated)";
  return phase === "" ? "Pending" : phase;
}

/** Returns the lines of the head and the tree. */
export function describeWorkflow(workflow: Workflow, options: TreeTableOptions): string[] {
  const tree = treeTable(workflow, { podNames: true, ...options });
  return [...headLines(workflow, options.now), ...(tree.length ? ["", ...tree] : [])];
}

function headLines({ metadata, spec, status = {}, ...rest }: Workflow, now: Date): string[] {
  const stored = status.storedWorkflowTemplateSpec ?? spec;
  const account = stored.serviceAccountName ||
    (spec.workflowTemplateRef ? "unset" : "unset (will run with the default ServiceAccount)");
  const facts: [string, string | undefined][] = [
    ["Name", metadata.name],
    ["Namespace", metadata.namespace],
    ["ServiceAccount", account],
    ["Status", statusText({ metadata, spec, status, ...rest })],
    ["Message", status.message || undefined],
  ];
  const lines = facts.flatMap(([name, value]) => value === undefined ? [] : fact(name, value));
  if (status.conditions?.length) {
    lines.push(fact("Conditions", ""));
    for (const { type, status: holds, message } of status.conditions) {
      lines.push(`${` ${escapeControls(type ?? "")}`.padEnd(20)} ${escapeControls(message || holds || "")}`.trimEnd());
    }
  }
  const { startedAt, finishedAt } = status;
  if (metadata.creationTimestamp) lines.push(fact("Created", timestamp(metadata.creationTimestamp, now)));
  if (startedAt) lines.push(fact("Started", timestamp(startedAt, now)));
  if (finishedAt) lines.push(fact("Finished", timestamp(finishedAt, now)));
  if (startedAt) lines.push(fact("Duration", elapsedInWords(startedAt, finishedAt, now)));
  const { estimatedDuration } = status;
  if (estimatedDuration && status.phase === "Running") {
    lines.push(fact("EstimatedDuration", durationInWords(Number(estimatedDuration) * 1000)));
  }
  lines.push(fact("Progress", status.progress ?? ""));
  if (Object.keys(status.resourcesDuration ?? {}).length) {
    lines.push(fact("ResourcesDuration", resourcesDurationText(status.resourcesDuration!)));
  }
  lines.push(...parameterLines("Parameters", stored.arguments?.parameters));
  lines.push(...parameterLines("Output Parameters", status.outputs?.parameters));
  lines.push(...artifactLines("Output Artifacts", status.outputs?.artifacts));
  return lines;
}

function artifactLines(title: string, artifacts: readonly Artifact[] | undefined): string[] {
  if (!artifacts?.length) return [];
  const where = (artifact: Artifact) => artifact.deleted ? "deleted" : keyOf(artifact) ?? "";
  return [fact(title, ""), ...artifacts.map((artifact) => fact(`  ${artifact.name}`, where(artifact)))];
}

function parameterLines(title: string, parameters: readonly Parameter[] | undefined): string[] {
  const withValue = (parameters ?? []).filter(({ value }) => value !== undefined);
  return withValue.length ? [fact(title, ""), ...withValue.map(({ name, value }) => fact(`  ${name}`, value!))] : [];
}

function fact(name: string, value: string): string {
  return `${`${escapeControls(name)}:`.padEnd(20)} ${escapeControls(value)}`.trimEnd();
}
