/** `resubmit`: runs the same workflow again under a new name. */
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { isFailure } from "@tiphys/model/status";
import { ActionError } from "./error.ts";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";
import { memoizedNodes } from "./memoized_nodes.ts";

/** Options of resubmitting a workflow. */
export interface ResubmitOptions {
  readonly parameters?: ParameterValues | undefined;
  readonly priority?: number | undefined;
  /** Does not run pods again that succeeded. Needs the suffix of the new name, which otherwise the server generates. */
  readonly memoized?: { readonly suffix: string } | undefined;
}

/** Labels that describe only one run. */
const RUN_LABELS: readonly string[] = [
  LABEL.phase,
  LABEL.completed,
  LABEL.archivingStatus,
  LABEL.creator,
  `${LABEL.creator}-email`,
  `${LABEL.creator}-preferred-username`,
];

/** Annotations that describe only one run. */
const RUN_ANNOTATIONS: readonly string[] = [ANNOTATION.nextHolders];

/**
 * Returns a new workflow with the spec of an earlier one.
 * @throws {ActionError} for a memoized resubmit of a workflow that did not fail.
 */
export function formulateResubmit(workflow: Workflow, options: ResubmitOptions, now: Date): Workflow {
  const { memoized, parameters = new Map() } = options;
  const phase = workflow.status?.phase;
  if (memoized && !isFailure(phase)) {
    throw new ActionError("workflow must be Failed/Error to resubmit in memoized mode");
  }
  const { name: oldName = "", generateName = `${oldName}-`, annotations, ownerReferences } = workflow.metadata;
  const { shutdown: _shutdown, ...spec } = workflow.spec;
  if (spec.activeDeadlineSeconds === 0) delete spec.activeDeadlineSeconds; // the way in which old clients terminate workflows
  const fresh: Workflow = {
    apiVersion: workflow.apiVersion,
    kind: workflow.kind,
    metadata: {
      generateName,
      ...(memoized ? { name: `${generateName}${memoized.suffix}` } : {}),
      labels: { ...omitNames(workflow.metadata.labels ?? {}, RUN_LABELS), [LABEL.resubmittedFrom]: oldName },
      ...(annotations ? { annotations: omitNames(annotations, RUN_ANNOTATIONS) } : {}),
      ...(ownerReferences ? { ownerReferences: [...ownerReferences] } : {}),
    },
    spec: { ...spec, ...(options.priority === undefined ? {} : { priority: options.priority }) },
  };
  const changed = overrideParameters(fresh, parameters);
  if (!memoized) return changed;
  return {
    ...changed,
    status: {
      phase: "",
      // Steps that are not run again export no global outputs.
      ...(workflow.status?.outputs ? { outputs: workflow.status.outputs } : {}),
      nodes: memoizedNodes(workflow, { newName: changed.metadata.name!, mustExpandAgain: parameters.size > 0, now }),
      conditions: [{ type: "Completed", status: "False" }],
      ...(workflow.status?.storedTemplates ? { storedTemplates: workflow.status.storedTemplates } : {}),
    },
  };
}

function omitNames(values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
