/**
 * Single fields of a workflow that nobody has read: for questions that are asked of every workflow at every change, where
 * reading all of it would cost more than the answer is worth. Whatever has another shape is not there.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";

/** The phase as it is written; empty when there is none. */
export function phaseOf({ status }: KubeObject): string {
  const { phase } = fieldsOf(status);
  return typeof phase === "string" ? phase : "";
}

/** The priority of the spec; 0 when there is none. */
export function priorityOf({ spec }: KubeObject): number {
  const { priority } = fieldsOf(spec);
  return typeof priority === "number" ? priority : 0;
}

/** Whether the end of a node is recorded. */
export function isNodeOver({ status }: KubeObject, nodeId: string): boolean {
  const nodes = fieldsOf(fieldsOf(status).nodes);
  return Object.hasOwn(nodes, nodeId) && fieldsOf(nodes[nodeId]).finishedAt !== undefined;
}
