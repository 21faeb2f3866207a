/**
 * Single fields of an unparsed workflow, for checks of every workflow at every change, where parsing all of it would
 * cost too much. A field of another type counts as absent.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";

/** The phase of the status; empty if it is absent. */
export function phaseOf({ status }: KubeObject): string {
  const { phase } = fieldsOf(status);
  return typeof phase === "string" ? phase : "";
}

/** The priority of the spec; 0 if it is absent. */
export function priorityOf({ spec }: KubeObject): number {
  const { priority } = fieldsOf(spec);
  return typeof priority === "number" ? priority : 0;
}

/** Whether the end of a node is recorded. */
export function isNodeOver({ status }: KubeObject, nodeId: string): boolean {
  const nodes = fieldsOf(fieldsOf(status).nodes);
  return Object.hasOwn(nodes, nodeId) && fieldsOf(nodes[nodeId]).finishedAt !== undefined;
}
