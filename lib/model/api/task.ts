/** Kinds that carry work to executors and agents, and reports back. */
import * as z from "zod";
import { Artifact, ArtifactLocation } from "./artifact.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { NodeResult, nodeResultShape } from "./node_status.ts";
import { limits, mapOf, object } from "./schema.ts";
import { Template } from "./template.ts";

/** Work for a workflow's agent, named as the workflow. */
export const WorkflowTaskSet = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: object({ tasks: mapOf(Template).register(limits, { open: true }).optional() }),
  status: object({ nodes: mapOf(NodeResult).optional() }).optional(),
});
/** Work for a workflow's agent, named as the workflow. */
export type WorkflowTaskSet = z.infer<typeof WorkflowTaskSet>;

/** The report of an executor about a pod, named like the pod's node. */
export const WorkflowTaskResult = object({ ...typeMeta, metadata: ObjectMeta, ...nodeResultShape });
/** The report of an executor about a pod, named like the pod's node. */
export type WorkflowTaskResult = z.infer<typeof WorkflowTaskResult>;

/** The outcome of the deletion of one artifact. */
export const ArtifactResult = object({
  name: z.string(),
  success: z.boolean().optional(),
  error: z.string().optional(),
});
/** The outcome of the deletion of one artifact. */
export type ArtifactResult = z.infer<typeof ArtifactResult>;

/** Artifacts to be deleted. */
export const WorkflowArtifactGCTask = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: object({
    artifactsByNode: mapOf(object({
      archiveLocation: ArtifactLocation.optional(),
      artifacts: mapOf(Artifact).optional(),
    })).register(limits, { open: true }).optional(),
  }),
  status: object({
    artifactResultsByNode: mapOf(object({ artifactResults: mapOf(ArtifactResult).optional() })).optional(),
  }).optional(),
});
/** Artifacts to be deleted. */
export type WorkflowArtifactGCTask = z.infer<typeof WorkflowArtifactGCTask>;
