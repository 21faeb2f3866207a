/** Changes of a workflow as it is submitted. */
import { type OwnerReference, parseWorkflow, type Workflow } from "../api/mod.ts";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";

/** Changes to a workflow as it is submitted. */
export interface SubmitOptions {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly entrypoint?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly priority?: number | undefined;
  readonly podPriorityClassName?: string | undefined;
  /** One more owner, beside those that the workflow has. */
  readonly ownerReference?: OwnerReference | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** The workflow that is submitted with these options. */
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
 * The workflow of a file, of unknown shape, as it is submitted with these options. What cannot be read as a workflow
 * stays as it is, so that the check of the file tells what is wrong with it.
 */
export function applyToManifest<Manifest>(manifest: Manifest, options: SubmitOptions): Manifest | Workflow {
  const asked = Object.values(options).some((option) => option instanceof Map ? option.size > 0 : option !== undefined);
  if (!asked || !parseWorkflow(manifest, "lenient").ok) return manifest;
  return applySubmitOptions(manifest as Workflow, options);
}
