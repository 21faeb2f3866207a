/** The plan of a resubmission before it is sent: which nodes keep their outputs, by the code that carries it out. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFulfilled, nodesOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions/error";
import { formulateResubmit } from "@tiphys/engine/workflow_actions/resubmit";
import { type Estimate, estimateOf } from "./retry_estimate.ts";
import { parametersIn, workersOf } from "./retry_preview.ts";

/** The choices of a resubmission, as they are sent. */
export interface ResubmitWish {
  readonly memoized: boolean;
  /** `name=value` each. */
  readonly parameters: readonly string[];
}

/** The plan of a resubmission, or the reason why it cannot be. */
export type ResubmitPreview =
  | {
    readonly kind: "plan";
    /** Nodes that did work and do it again, in the order of their names. */
    readonly again: readonly NodeStatus[];
    /** Nodes that do not run again: the new run has their outputs. */
    readonly kept: readonly NodeStatus[];
    /** The time that it will take; undefined where none is known. */
    readonly estimate: Estimate | undefined;
  }
  | { readonly kind: "refused"; readonly reason: string };

/** Plans a resubmission. */
export function previewResubmit(
  workflow: Workflow,
  { memoized, parameters }: ResubmitWish,
  now: Date,
): ResubmitPreview {
  try {
    const fresh = formulateResubmit(workflow, {
      parameters: parametersIn(parameters),
      memoized: memoized ? { suffix: "again" } : undefined,
    }, now);
    // The name of a node begins with that of its workflow.
    const { name: oldName = "" } = workflow.metadata;
    const remembered = new Set(
      nodesOf(fresh).filter(isFulfilled)
        .map(({ name }) => name.slice(fresh.metadata.name?.length ?? 0)),
    );
    const isKept = ({ name }: NodeStatus) =>
      remembered.has(name.startsWith(oldName) ? name.slice(oldName.length) : name);
    const workers = workersOf(workflow);
    const estimate = estimateOf(workflow, { runs: (node) => !isKept(node), isOpen: () => true });
    return { kind: "plan", again: workers.filter((node) => !isKept(node)), kept: workers.filter(isKept), estimate };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}
