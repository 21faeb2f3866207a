/** The input of the checks, each of which looks for one possible reason. */
import type { NodeStatus, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { isFulfilled } from "@tiphys/model/status";
import type { Evidence, ExplainConfig } from "./evidence.ts";
import type { Reason, Ref } from "./reason.ts";

/** A workflow with the evidence about it. */
export interface ExplainInput {
  readonly workflow: Workflow;
  /** The spec that runs: the stored one if the workflow refers to a template. */
  readonly spec: WorkflowSpec;
  readonly evidence: Evidence;
  readonly now: Date;
  readonly config: ExplainConfig;
  readonly nodes: ReadonlyMap<string, NodeStatus>;
  readonly byName: ReadonlyMap<string, NodeStatus>;
  /** The nodes in progress in each steps or DAG node, by its ID. */
  readonly openIn: ReadonlyMap<string, readonly NodeStatus[]>;
}

/** A possible reason for a workflow to wait. Returns an empty list if it does not apply. */
export type WorkflowCheck = (input: ExplainInput) => readonly Reason[];

/** A possible reason for a node to wait. Returns undefined if it does not apply. */
export type NodeCheck = (input: ExplainInput, node: NodeStatus) => readonly Reason[] | undefined;

/** Creates the input of the checks, with its nodes indexed. */
export function explainInput(workflow: Workflow, evidence: Evidence, now: Date, config: ExplainConfig): ExplainInput {
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

/** Returns a reference to a node that blocks another one. */
export function refOfNode({ name }: Pick<NodeStatus, "name">): Ref {
  return { kind: "Node", name };
}
