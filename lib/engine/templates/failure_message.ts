/** Messages of nodes that failed because of another node, which they name and whose message they quote. */
import type { NodeStatus } from "@tiphys/model/api";
import { attemptsOf, lastAttempt } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";

/** Argo's message of a Retry node whose `limit` is reached. */
export const NO_MORE_RETRIES = "No more retries left";

/**
 * The message of a DAG that failed because of a task, or of a loop because of a call. `name` is its name in the spec.
 */
export function failureOfTask(nodes: Nodes, name: string, task: NodeStatus): string {
  const message = quotedMessage(nodes, task);
  return `task '${name}' ${task.phase === "Error" ? "errored" : "failed"}${message ? `: ${message}` : ""}`;
}

/**
 * The message of a steps node that failed because of a step. Clients match the start and the end of Argo's message
 * `child 'ID' failed`, so the name and the message of the step are inserted after the ID.
 */
export function failureOfStep(nodes: Nodes, step: NodeStatus): string {
  const message = quotedMessage(nodes, step);
  return `child '${step.id} (${step.displayName ?? step.name}${message ? `: ${message}` : ""})' failed`;
}

/**
 * The message of a workflow whose entry node failed. A Retry node has Argo's message, to which the last attempt is
 * added. Clients match the whole message of a workflow whose `limit` of 0 allows a single attempt, so nothing is added
 * to it.
 */
export function failureOfEntry(nodes: Nodes, node: NodeStatus): string {
  const { message = "", type } = node;
  if (type !== "Retry") return message;
  const attempts = attemptsOf(node, nodes);
  const last = attempts.at(-1);
  const quoted = last && quotedMessage(nodes, last);
  if (!quoted || message.includes(quoted) || attempts.length === 1 && message === NO_MORE_RETRIES) return message;
  return `${message}: ${last.displayName ?? last.name}: ${quoted}`;
}

/** Maximum number of quoted characters: nodes may be nested a hundred levels deep, and each quotes the next. */
const MAX_QUOTED_CHARACTERS = 1000;

/** The message of a node without the prefix of its caller, and that of its last attempt unless it is quoted already. */
function quotedMessage(nodes: Nodes, { message = "", ...node }: NodeStatus): string {
  const prefix = `task '${node.name}' errored: `;
  const own = withoutStep(message.startsWith(prefix) ? message.slice(prefix.length) : message);
  const last = node.type === "Retry" ? withoutStep(lastAttempt(node, nodes)?.message ?? "") : "";
  const combined = !last || own.includes(last) ? own : own ? `${own}: ${last}` : last;
  return combined.length <= MAX_QUOTED_CHARACTERS ? combined : `${combined.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}

/** Extracts the name and message of a step from the message of its steps node. */
function withoutStep(message: string): string {
  return /^child '\S+ \((.*)\)' failed$/s.exec(message)?.[1] ?? message;
}
