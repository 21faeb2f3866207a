/**
 * The CRDs of `argoproj.io/v1alpha1` and the Kubernetes objects around them, as zod schemas: the one source of
 * TypeScript types, parsing, the CRD manifests and the editors' schema.
 *
 * A schema and its type share their name, which is Argo's and Kubernetes' own; fields are spelled as on the wire.
 * One file per group of nouns; `core/` holds what Kubernetes defines; `schema.ts` the rules common to all.
 * Nothing here reads YAML (`lib/model/yaml`) or judges what a workflow means (`lib/language/validate`).
 *
 * @module
 */
export * from "./arguments.ts";
export * from "./artifact.ts";
export * from "./artifact_store.ts";
export * from "./controller_settings.ts";
export * from "./core/container.ts";
export * from "./core/objects.ts";
export * from "./core/pod.ts";
export * from "./core/pod_spec_patch.ts";
export * from "./core/reference.ts";
export * from "./core/scheduling.ts";
export * from "./core/volume.ts";
export * from "./cron_workflow.ts";
export * from "./database_settings.ts";
export * from "./event_binding.ts";
export * from "@tiphys/base/field_error";
export * from "@tiphys/base/field_path";
export * from "./kinds.ts";
export * from "./leaf_template.ts";
export * from "./metadata.ts";
export * from "./metrics.ts";
export * from "./name.ts";
export * from "@tiphys/base/nearest_name";
export * from "./node_status.ts";
export * from "./parameter.ts";
export * from "./parse.ts";
export * from "./schema_names.ts";
export * from "./problem.ts";
export * from "./read_pod.ts";
export * from "./read_stored.ts";
export * from "./read_task_result.ts";
export * from "./retry.ts";
export * from "./schema.ts";
export * from "./structure.ts";
export * from "./synchronization.ts";
export * from "./task.ts";
export * from "./template.ts";
export * from "./workflow.ts";
