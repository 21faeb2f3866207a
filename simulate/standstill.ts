/** The reasons why a workflow cannot go on although it has not ended. */
import type { NodeStatus, Workflow } from "../lib/api/mod.ts";
import { type Evidence, explain, type ExplainConfig, type Reason } from "../lib/explain/mod.ts";
import { SimulationError } from "./error.ts";
import { suspendedNodes } from "./suspended_nodes.ts";
import { answeredTemplate } from "./template_functions.ts";

/** The error of a simulation in which nothing is due: of its reasons, the one that a test can end comes first. */
export function standstill(workflow: Workflow, evidence: Evidence, now: Date, config: ExplainConfig): SimulationError {
  const reasons = explain(workflow, evidence, now, { ...config, graceSeconds: 0 });
  return new SimulationError(`Workflow ${workflow.metadata.name ?? ""} ${inWords(workflow, reasons)}`, reasons);
}

function inWords(workflow: Workflow, reasons: readonly Reason[]): string {
  if (workflow.spec.suspend) return "is suspended (spec.suspend): nothing runs until somebody resumes it";
  const [waiting] = suspendedNodes(workflow);
  if (waiting) {
    return `waits for a person at node ${quoted(waiting.displayName)}: ` +
      `let templates[${quoted(answeredTemplate(waiting))}] answer for them`;
  }
  const running = openPods(workflow);
  if (running.length) return `does not go on: nothing ends ${running.join(", ")}`;
  const first = reasons.filter(({ code }) => code !== "ExitHandler").slice(0, MOST_REASONS);
  return `does not go on: ${first.map(({ node, text }) => node ? `${node} ${text}` : text).join("; ")}`;
}

const MOST_REASONS = 5;

/** The error of a simulation that asked the engine far too often. */
export function tooManyPasses(workflow: Workflow, passes: number): SimulationError {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const open = openPods(workflow);
  return new SimulationError(
    `Workflow ${workflow.metadata.name} has not ended after ${passes} passes and ${nodes.length} nodes` +
      `${open.length ? `; running: ${open.slice(0, 5).join(", ")}` : ""}: does a retry or a recursion have no end? ` +
      "maxPasses allows more",
  );
}

function openPods({ status }: Workflow): string[] {
  const nodes: readonly NodeStatus[] = Object.values(status?.nodes ?? {});
  return nodes.filter(({ type, phase }) => type === "Pod" && (phase === "Running" || phase === "Pending"))
    .map(({ displayName }) => quoted(displayName));
}

function quoted(text = ""): string {
  return JSON.stringify(text);
}
