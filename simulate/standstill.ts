/** Why a workflow cannot go on although it has not ended. */
import type { NodeStatus, Workflow } from "../lib/api/mod.ts";
import { SimulationError } from "./error.ts";
import { suspendedNodes } from "./people.ts";
import { templateNameOf } from "./template_functions.ts";

/** Nothing is due any more. The notes are what the engine's last pass said about what it waits for. */
export function standstill(workflow: Workflow, notes: readonly string[]): SimulationError {
  const name = workflow.metadata.name ?? "";
  if (workflow.spec.suspend) {
    return new SimulationError(`Workflow ${name} is suspended (spec.suspend): nothing runs until somebody resumes it`);
  }
  const [waiting] = suspendedNodes(workflow);
  if (waiting) {
    return new SimulationError(
      `Workflow ${name} waits for a person at node ${quoted(waiting.displayName)}: ` +
        `let templates[${quoted(templateNameOf(waiting))}] answer for them`,
    );
  }
  const running = openPods(workflow);
  const reason = running.length ? `nothing ends ${running.join(", ")}` : notes.join("; ") || "nothing is due any more";
  return new SimulationError(`Workflow ${name} does not go on: ${reason}`);
}

/** The engine was asked so often that this cannot be what was meant. */
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
