/** The question that subjects answer: why does this node wait? */
import type { NodeStatus, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { isFulfilled } from "@tiphys/model/status";
import type { Evidence, ExplainConfig } from "./evidence.ts";
import type { Reason, Ref } from "./reason.ts";

/** A workflow, and what is known beside it. */
export interface Question {
  readonly workflow: Workflow;
  /** The spec that runs: where the workflow refers to a template, what it has stored. */
  readonly spec: WorkflowSpec;
  readonly evidence: Evidence;
  readonly now: Date;
  readonly config: ExplainConfig;
  /** The nodes by ID, and by name. */
  readonly nodes: ReadonlyMap<string, NodeStatus>;
  readonly byName: ReadonlyMap<string, NodeStatus>;
  /** The nodes that are not over and lie in a steps or DAG node, by its ID. */
  readonly openIn: ReadonlyMap<string, readonly NodeStatus[]>;
}

/** A matter that workflows may wait for; no reasons where it does not hold this one up. */
export type WorkflowSubject = (question: Question) => readonly Reason[];

/** A reason for which a node may wait; undefined when it does not apply to the node. */
export type NodeSubject = (question: Question, node: NodeStatus) => readonly Reason[] | undefined;

/** Puts a question together. */
export function questionOf(workflow: Workflow, evidence: Evidence, now: Date, config: ExplainConfig): Question {
  const nodes = new Map(Object.entries(workflow.status?.nodes ?? {}));
  const byName = new Map<string, NodeStatus>();
  const openIn = new Map<string, NodeStatus[]>();
  for (const node of nodes.values()) {
    byName.set(node.name, node);
    if (!node.boundaryID || isFulfilled(node)) continue;
    const others = openIn.get(node.boundaryID);
    if (others) others.push(node);
    else openIn.set(node.boundaryID, [node]);
  }
  const spec = workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec;
  return { workflow, spec, evidence, now, config, nodes, byName, openIn };
}

/** A node as something that stands in the way. */
export function refOfNode({ name }: Pick<NodeStatus, "name">): Ref {
  return { kind: "Node", name };
}
