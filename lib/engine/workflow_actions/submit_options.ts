/** Changes to a workflow when it is submitted. */
import { type OwnerReference, parseWorkflow, type Workflow } from "@tiphys/model/api";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";

/** Changes to a workflow when it is submitted. */
export interface SubmitOptions {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly entrypoint?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly priority?: number | undefined;
  readonly podPriorityClassName?: string | undefined;
  /** An owner reference to add. */
  readonly ownerReference?: OwnerReference | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** Returns the workflow with these options applied. */
export function applySubmitOptions(workflow: Workflow, options: SubmitOptions): Workflow {
  const { labels, annotations, name, generateName, ownerReference } = options;
  const spec = {
    ...workflow.spec,
    ...(options.entrypoint ? { entrypoint: options.entrypoint } : {}),
    ...(options.serviceAccount ? { serviceAccountName: options.serviceAccount } : {}),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(options.podPriorityClassName ? { podPriorityClassName: options.podPriorityClassName } : {}),
  };
  const metadata = {
    ...workflow.metadata,
    ...(labels ? { labels: { ...workflow.metadata.labels, ...labels } } : {}),
    ...(annotations ? { annotations: { ...workflow.metadata.annotations, ...annotations } } : {}),
    ...(generateName ? { generateName } : {}),
    ...(name ? { name } : {}),
    ...(ownerReference ? { ownerReferences: [...workflow.metadata.ownerReferences ?? [], ownerReference] } : {}),
  };
  return overrideParameters({ ...workflow, metadata, spec }, options.parameters ?? new Map());
}

/**
 * Applies the options to a manifest of unknown shape. A manifest that cannot be parsed as a workflow is returned
 * unchanged, so that lint reports its errors.
 */
export function applyToManifest<Manifest>(manifest: Manifest, options: SubmitOptions): Manifest | Workflow {
  const hasOptions = Object.values(options).some((option) =>
    option instanceof Map ? option.size > 0 : option !== undefined
  );
  if (!hasOptions || !parseWorkflow(manifest, "lenient").ok) return manifest;
  return applySubmitOptions(manifest as Workflow, options);
}
