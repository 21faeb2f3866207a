/** Previews a resubmission: which nodes keep their outputs, computed with the code of the server. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFulfilled, nodesOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions/error";
import { formulateResubmit } from "@tiphys/engine/workflow_actions/resubmit";
import { type Estimate, estimateOf } from "./retry_estimate.ts";
import { parametersIn, workersOf } from "./retry_preview.ts";

/** The options of a resubmission. */
export interface ResubmitOptions {
  readonly memoized: boolean;
  /** `name=value` each. */
  readonly parameters: readonly string[];
}

/** The plan of a resubmission, or why it is not possible. */
export type ResubmitPreview =
  | {
    readonly kind: "plan";
    /** Nodes that run again, by name. */
    readonly repeated: readonly NodeStatus[];
    /** Nodes that do not run again: the new run reuses their outputs. */
    readonly reused: readonly NodeStatus[];
    /** The estimated duration; undefined if unknown. */
    readonly estimate: Estimate | undefined;
  }
  | { readonly kind: "refused"; readonly reason: string };

/** Plans a resubmission. */
export function previewResubmit(
  workflow: Workflow,
  { memoized, parameters }: ResubmitOptions,
  now: Date,
): ResubmitPreview {
  try {
    const fresh = formulateResubmit(workflow, {
      parameters: parametersIn(parameters),
      memoized: memoized ? { suffix: "again" } : undefined,
    }, now);
    // Names of nodes start with the name of the workflow.
    const { name: oldName = "" } = workflow.metadata;
    const remembered = new Set(
      nodesOf(fresh).filter(isFulfilled)
        .map(({ name }) => name.slice(fresh.metadata.name?.length ?? 0)),
    );
    const isKept = ({ name }: NodeStatus) =>
      remembered.has(name.startsWith(oldName) ? name.slice(oldName.length) : name);
    const workers = workersOf(workflow);
    const estimate = estimateOf(workflow, { runs: (node) => !isKept(node), isOpen: () => true });
    return {
      kind: "plan",
      repeated: workers.filter((node) => !isKept(node)),
      reused: workers.filter(isKept),
      estimate,
    };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}
