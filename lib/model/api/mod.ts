/**
 * The CRDs of `argoproj.io/v1alpha1` and related Kubernetes objects as zod schemas: the single source of TypeScript
 * types, parsing, CRD manifests and the schema for editors.
 *
 * A schema and its type have the same name, which is that of Argo or Kubernetes; fields are spelled as on the wire.
 * Each file contains related types; `core/` contains those of Kubernetes, and `schema.ts` the common rules. Reading
 * YAML (`lib/model/yaml`) and validating the meaning of a workflow (`lib/language/validate`) are not part of it.
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
