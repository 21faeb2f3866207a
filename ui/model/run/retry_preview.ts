/** The plan of a retry before it is sent: which nodes run again and which stay, by the same code that carries it out. */
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { nodesOf } from "../../../lib/status/mod.ts";
import { ActionError } from "../../../lib/workflow_actions/error.ts";
import { parseNodeSelector } from "../../../lib/workflow_actions/node_selector.ts";
import { formulateRetry } from "../../../lib/workflow_actions/retry.ts";
import { planRetry } from "../../../lib/workflow_actions/retry_plan.ts";

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
    /** Nodes that did work and stay as they are. */
    readonly kept: number;
    readonly podsToDelete: readonly string[];
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
  const { restartSuccessful, nodeFieldSelector } = wish;
  const parameters = parametersIn(wish.parameters);
  try {
    const { podsToDelete } = formulateRetry(workflow, { restartSuccessful, nodeFieldSelector, parameters }, now);
    const plan = planRetry({
      workflowName: workflow.metadata.name ?? "",
      nodes: workflow.status?.nodes ?? {},
      chosen: restartSuccessful && nodeFieldSelector ? parseNodeSelector(nodeFieldSelector) : () => false,
      expandAnew: parameters.size > 0,
    });
    const workers = workersOf(workflow);
    const again = workers.filter(({ id }) => plan.removed.has(id));
    const awaited = workers.filter(({ id }) => plan.awaited.has(id) && !plan.removed.has(id));
    const kept = workers.length - again.length - awaited.length;
    const decidedAnew = nodesOf(workflow).filter(({ id, phase }) => phase === "Omitted" && plan.removed.has(id)).length;
    return { kind: "plan", again, awaited, decidedAnew, kept, podsToDelete };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}

/** Parameters of texts like `name=value`. */
export function parametersIn(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [text.split("=", 1)[0]!, text.slice(text.indexOf("=") + 1)]));
}
