/** The sentence at the head of a run: what goes on in it, or why it failed. */
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { firstFailure, isActiveSuspend, isFailure, nodesOf } from "../../../lib/status/mod.ts";
import { durationText } from "../duration.ts";
import type { Family } from "../phase.ts";

/** The sentence, the family that it is about, and the node that it speaks of. */
export interface RunSentence {
  readonly family: Family;
  readonly text: string;
  readonly nodeId?: string;
  /** The node whose log tells why the run failed. */
  readonly logOf?: string;
}

const WORKERS: ReadonlySet<string> = new Set(["Pod", "HTTP", "Plugin", "Container"]);

/** Makes the sentence of a run. */
export function sentenceOf(workflow: Workflow): RunSentence {
  const { spec, status = {} } = workflow;
  if (isFailure(status.phase)) return failure(workflow);
  if (status.phase === "Succeeded") return success(workflow);
  if (spec.shutdown) {
    return { family: "waits", text: spec.shutdown === "Stop" ? "Stopping: exit handlers still run" : "Terminating" };
  }
  const nodes = nodesOf(workflow);
  const suspended = nodes.find(isActiveSuspend);
  if (spec.suspend) return { family: "waits", text: "Held: nothing new starts until it is resumed" };
  if (suspended) return waitsForPerson(suspended);
  const pending = nodes.filter(({ phase, type }) => phase === "Pending" && WORKERS.has(type));
  const running = nodes.filter(({ phase, type }) => phase === "Running" && WORKERS.has(type));
  const held = pending.find(({ message }) => message);
  if (running.length) {
    const more = pending.length ? `; ${pending.length} ${pending.length === 1 ? "waits" : "wait"}` : "";
    return { family: "works", text: `${names(running)} at work${more}`, nodeId: running[0]!.id };
  }
  if (held) return { family: "waits", text: `${nameOf(held)} waits: ${firstLine(held.message)}`, nodeId: held.id };
  if (pending.length) return { family: "waits", text: `${names(pending)} about to start`, nodeId: pending[0]!.id };
  return {
    family: "waits",
    text: status.message || (nodes.length ? "Between two steps" : "Not begun: the controller has not looked at it yet"),
  };
}

function failure(workflow: Workflow): RunSentence {
  const { phase, message } = workflow.status ?? {};
  const family = phase === "Error" ? "error" : "failed";
  const node = firstFailure(workflow);
  if (!node || node.name === workflow.metadata.name && !WORKERS.has(node.type)) {
    return { family, text: message || String(phase) };
  }
  const found = { family, nodeId: node.id, ...(node.type === "Pod" ? { logOf: node.id } : {}) } as const;
  // The one node of a run is the run.
  if (node.name === workflow.metadata.name) {
    return { ...found, text: message || firstLine(node.message) || String(phase) };
  }
  const reason = firstLine(node.message) || node.phase;
  return { ...found, text: `${nameOf(node)} failed first: ${reason}` };
}

function success({ status }: Workflow): RunSentence {
  const took = Date.parse(status?.finishedAt ?? "") - Date.parse(status?.startedAt ?? "");
  const time = Number.isNaN(took) ? "" : ` in ${durationText(took)}`;
  return { family: "done", text: status?.message || `Succeeded${time}` };
}

function waitsForPerson(node: NodeStatus): RunSentence {
  const open = (node.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied);
  const what = open.length ? ` to give ${open.map(({ name }) => name).join(", ")}` : "";
  return { family: "waits", text: `${nameOf(node)} waits for you${what}`, nodeId: node.id };
}

const NAMED = 3;

function names(nodes: readonly NodeStatus[]): string {
  const shown = nodes.slice(0, NAMED).map(nameOf).join(", ");
  return nodes.length > NAMED ? `${shown} and ${nodes.length - NAMED} more` : shown;
}

function nameOf({ displayName, name }: NodeStatus): string {
  return displayName ?? name;
}

function firstLine(message: string | undefined): string {
  const [line = ""] = (message ?? "").split("\n", 1);
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
