/** The reasons why an unfinished workflow cannot continue. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type Evidence, explain, type ExplainConfig, type Reason } from "@tiphys/engine/explain";
import { SimulationError } from "./error.ts";
import { suspendedNodes } from "./suspended_nodes.ts";
import { answeredTemplate } from "./template_functions.ts";

/** Returns the error of a simulation in which nothing is due. The reason that a test can remove comes first. */
export function standstillError(
  workflow: Workflow,
  evidence: Evidence,
  now: Date,
  config: ExplainConfig,
): SimulationError {
  const reasons = explain(workflow, evidence, now, { ...config, graceSeconds: 0 });
  return new SimulationError(`Workflow ${workflow.metadata.name ?? ""} ${describeReasons(workflow, reasons)}`, reasons);
}

function describeReasons(workflow: Workflow, reasons: readonly Reason[]): string {
  if (workflow.spec.suspend) return "is suspended (spec.suspend): nothing runs until it is resumed";
  const [waiting] = suspendedNodes(workflow);
  if (waiting) {
    return `is suspended at node ${quoteText(waiting.displayName)}: ` +
      `provide a function templates[${quoteText(answeredTemplate(waiting))}] that resumes it`;
  }
  const running = openPodNames(workflow);
  if (running.length) return `cannot continue: these pods never end: ${running.join(", ")}`;
  const first = reasons.filter(({ code }) => code !== "ExitHandler").slice(0, MAX_REASONS);
  return `cannot continue: ${first.map(({ node, text }) => node ? `${node} ${text}` : text).join("; ")}`;
}

const MAX_REASONS = 5;

/** Returns the error of a simulation that exceeded its maximum number of passes. */
export function tooManyPassesError(workflow: Workflow, passes: number): SimulationError {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const open = openPodNames(workflow);
  return new SimulationError(
    `Workflow ${workflow.metadata.name} has not ended after ${passes} passes and ${nodes.length} nodes` +
      `${open.length ? `; running: ${open.slice(0, 5).join(", ")}` : ""}: check for an endless retry or recursion` +
      ", or increase maxPasses",
  );
}

function openPodNames({ status }: Workflow): string[] {
  const nodes: readonly NodeStatus[] = Object.values(status?.nodes ?? {});
  const isOpen = ({ type, phase, synchronizationStatus }: NodeStatus) =>
    type === "Pod" && !synchronizationStatus?.waiting && (phase === "Running" || phase === "Pending");
  return nodes.filter(isOpen).map(({ displayName }) => quoteText(displayName));
}

function quoteText(text = ""): string {
  return JSON.stringify(text);
}
