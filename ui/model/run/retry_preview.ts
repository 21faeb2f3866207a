/** The plan of a retry before it is sent: which nodes run again and which stay, by the same code that carries it out. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, NodeFamily, nodeGraph, nodesOf, storedTemplateOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions/error";
import { parseNodeSelector } from "@tiphys/engine/workflow_actions/node_selector";
import { formulateRetry } from "@tiphys/engine/workflow_actions/retry";
import { planRetry, type RetryPlan } from "@tiphys/engine/workflow_actions/retry_plan";
import { type Estimate, estimateOf } from "./retry_estimate.ts";

/** The choices of a retry, as they are sent. */
export interface RetryWish {
  readonly restartSuccessful: boolean;
  readonly nodeFieldSelector: string;
  /** `name=value` each. */
  readonly parameters: readonly string[];
}

/** The plan of a retry, or the reason why it cannot be. */
export type RetryPreview =
  | {
    readonly kind: "plan";
    /** Nodes that are made anew: those that do work, in the order of their names. */
    readonly again: readonly NodeStatus[];
    /** Suspended nodes that wait again. */
    readonly awaited: readonly NodeStatus[];
    /** The number of nodes that were left out after what failed, and are decided anew. */
    readonly decidedAnew: number;
    /** Loops and groups of steps that could not be made, so that nothing in them ran: they are made anew. */
    readonly madeAnew: readonly NodeStatus[];
    /** Nodes that did work and stay as they are. */
    readonly kept: number;
    readonly podsToDelete: readonly string[];
    /** The time that it will take; undefined where none is known. */
    readonly estimate: Estimate | undefined;
  }
  | { readonly kind: "refused"; readonly reason: string };

/** Types of nodes that do work themselves. */
const WORKERS: ReadonlySet<string> = new Set(["Pod", "HTTP", "Plugin", "Suspend"]);

/** The nodes that do work themselves, in the order of their names. */
export function workersOf(workflow: Workflow): NodeStatus[] {
  return nodesOf(workflow).filter(({ type }) => WORKERS.has(type)).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Plans a retry. */
export function previewRetry(workflow: Workflow, wish: RetryWish, now: Date): RetryPreview {
  const { restartSuccessful } = wish;
  // The form keeps the text of a selector that is switched off; it is not sent.
  const nodeFieldSelector = restartSuccessful ? wish.nodeFieldSelector : undefined;
  const parameters = parametersIn(wish.parameters);
  try {
    const { podsToDelete } = formulateRetry(workflow, { restartSuccessful, nodeFieldSelector, parameters }, now);
    const plan = planRetry({
      workflowName: workflow.metadata.name ?? "",
      nodes: workflow.status?.nodes ?? {},
      chosen: nodeFieldSelector ? parseNodeSelector(nodeFieldSelector) : () => false,
      isDaemon: (node) => storedTemplateOf(workflow, node)?.daemon === true,
      expandAnew: parameters.size > 0,
    });
    const workers = workersOf(workflow);
    const isAgain = (id: string) => plan.removed.has(id) || plan.restarted.has(id);
    const again = workers.filter(({ id }) => isAgain(id));
    const awaited = workers.filter(({ id }) => plan.awaited.has(id) && !plan.removed.has(id));
    const kept = workers.length - again.length - awaited.length;
    const decidedAnew = nodesOf(workflow).filter(({ id, phase }) => phase === "Omitted" && plan.removed.has(id)).length;
    const runs = ({ id, type }: NodeStatus) => isAgain(id) || type === "Suspend" && plan.awaited.has(id);
    const estimate = estimateOf(workflow, { runs, isOpen: ({ id }) => plan.reopened.has(id) });
    const madeAnew = madeAnewBy(workflow, plan);
    return { kind: "plan", again, awaited, decidedAnew, madeAnew, kept, podsToDelete, estimate };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}

/** The failed holders of a plan in which nothing runs again that ran before: the innermost of them. */
function madeAnewBy(workflow: Workflow, { removed, reopened, awaited }: RetryPlan): NodeStatus[] {
  const nodes = nodesOf(workflow);
  const isMeant = ({ id }: NodeStatus) => removed.has(id) || reopened.has(id) || awaited.has(id);
  const family = new NodeFamily(nodeGraph(workflow.status?.nodes ?? {}));
  // What lies around something that runs, or is made anew, is explained by it.
  const explained = new Set<NodeStatus>();
  for (const node of nodes) {
    if (!isMeant(node) || !WORKERS.has(node.type) && !isFailure(node.phase)) continue;
    for (let holder = family.holderOf(node); holder && !explained.has(holder); holder = family.holderOf(holder)) {
      explained.add(holder);
    }
  }
  return nodes.filter((node) =>
    isMeant(node) && isFailure(node.phase) && !WORKERS.has(node.type) && node.type !== "Container" &&
    !explained.has(node)
  ).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Parameters of texts like `name=value`. */
export function parametersIn(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [text.split("=", 1)[0]!, text.slice(text.indexOf("=") + 1)]));
}
