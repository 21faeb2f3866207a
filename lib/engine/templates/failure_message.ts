/** Messages of nodes that failed because of another one: they name that node and quote its message. */
import type { NodeStatus } from "@tiphys/model/api";
import { lastAttempt } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";

/** The message of a DAG whose phase a task decided, or of a loop whose phase a call decided; `name` is as users know it. */
export function failureOfTask(nodes: Nodes, name: string, task: NodeStatus): string {
  const message = quoted(nodes, task);
  return `task '${name}' ${task.phase === "Error" ? "errored" : "failed"}${message ? `: ${message}` : ""}`;
}

/**
 * The message of a steps node whose phase a step decided. Argo's message is `child 'ID' failed`, which clients match from
 * its first word to its last: the name and the message of the step are added behind the ID.
 */
export function failureOfStep(nodes: Nodes, step: NodeStatus): string {
  const message = quoted(nodes, step);
  return `child '${step.id} (${step.displayName ?? step.name}${message ? `: ${message}` : ""})' failed`;
}

/** The most characters of a message that are quoted: nodes may be nested a hundred deep, and each quotes the next. */
const QUOTED = 1000;

/** The message of a node, without the words that its caller adds, and of its last attempt where it does not quote that. */
function quoted(nodes: Nodes, { message = "", ...node }: NodeStatus): string {
  const words = `task '${node.name}' errored: `;
  const own = withoutStep(message.startsWith(words) ? message.slice(words.length) : message);
  const last = node.type === "Retry" ? withoutStep(lastAttempt(node, nodes)?.message ?? "") : "";
  const whole = !last || own.includes(last) ? own : own ? `${own}: ${last}` : last;
  return whole.length <= QUOTED ? whole : `${whole.slice(0, QUOTED)}…`;
}

/** The name and message of a step out of the message of its steps node. */
function withoutStep(message: string): string {
  return /^child '\S+ \((.*)\)' failed$/s.exec(message)?.[1] ?? message;
}
