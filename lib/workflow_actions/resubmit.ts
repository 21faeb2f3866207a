/** `resubmit`: the same workflow again, under a new name. */
import type { Workflow } from "../api/mod.ts";
import { ANNOTATION, LABEL } from "../constants.ts";
import { isFailure } from "../status/mod.ts";
import { ActionError } from "./error.ts";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";
import { rememberedNodes } from "./remembered_nodes.ts";

/** Options of making a workflow again. */
export interface ResubmitOptions {
  readonly parameters?: ParameterValues | undefined;
  readonly priority?: number | undefined;
  /** Pods that succeeded are not run again. Needs the end of the new name, which the server would make up otherwise. */
  readonly memoized?: { readonly suffix: string } | undefined;
}

/** Labels that say something of the one run only. */
const OF_ONE_RUN: readonly string[] = [
  LABEL.phase,
  LABEL.completed,
  LABEL.archivingStatus,
  LABEL.creator,
  `${LABEL.creator}-email`,
  `${LABEL.creator}-preferred-username`,
];

/** Annotations that say something of the one run only. */
const NOTES_OF_ONE_RUN: readonly string[] = [ANNOTATION.nextHolders];

/**
 * A new workflow with the spec of an earlier one.
 * @throws {ActionError} when it shall remember the nodes of one that did not fail.
 */
export function formulateResubmit(workflow: Workflow, options: ResubmitOptions, now: Date): Workflow {
  const { memoized, parameters = new Map() } = options;
  const phase = workflow.status?.phase;
  if (memoized && !isFailure(phase)) {
    throw new ActionError("workflow must be Failed/Error to resubmit in memoized mode");
  }
  const { name: oldName = "", generateName = `${oldName}-`, annotations, ownerReferences } = workflow.metadata;
  const { shutdown: _shutdown, ...spec } = workflow.spec;
  if (spec.activeDeadlineSeconds === 0) delete spec.activeDeadlineSeconds; // how old clients terminated
  const fresh: Workflow = {
    apiVersion: workflow.apiVersion,
    kind: workflow.kind,
    metadata: {
      generateName,
      ...(memoized ? { name: `${generateName}${memoized.suffix}` } : {}),
      labels: { ...without(workflow.metadata.labels ?? {}, OF_ONE_RUN), [LABEL.resubmittedFrom]: oldName },
      ...(annotations ? { annotations: without(annotations, NOTES_OF_ONE_RUN) } : {}),
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
      nodes: rememberedNodes(workflow, { newName: changed.metadata.name!, expandAnew: parameters.size > 0, now }),
      conditions: [{ type: "Completed", status: "False" }],
      ...(workflow.status?.storedTemplates ? { storedTemplates: workflow.status.storedTemplates } : {}),
    },
  };
}

function without(values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
