/** Kinds that contain tasks for executors and agents, and their reports. */
import * as z from "zod";
import { Artifact, ArtifactLocation } from "./artifact.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { NodeResult, nodeResultShape } from "./node_status.ts";
import { limits, mapOf, object } from "./schema.ts";
import { Template } from "./template.ts";

/** Tasks for a workflow's agent. It has the name of the workflow. */
export const WorkflowTaskSet = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: object({ tasks: mapOf(Template).register(limits, { open: true }).optional() }),
  status: object({ nodes: mapOf(NodeResult).optional() }).optional(),
});
/** Tasks for a workflow's agent. It has the name of the workflow. */
export type WorkflowTaskSet = z.infer<typeof WorkflowTaskSet>;

/** The report of an executor about a pod. It has the name of the pod's node. */
export const WorkflowTaskResult = object({ ...typeMeta, metadata: ObjectMeta, ...nodeResultShape });
/** The report of an executor about a pod. It has the name of the pod's node. */
export type WorkflowTaskResult = z.infer<typeof WorkflowTaskResult>;

/** The result of deleting one artifact. */
export const ArtifactResult = object({
  name: z.string(),
  success: z.boolean().optional(),
  error: z.string().optional(),
});
/** The result of deleting one artifact. */
export type ArtifactResult = z.infer<typeof ArtifactResult>;

/** Artifacts to delete. */
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
/** Artifacts to delete. */
export type WorkflowArtifactGCTask = z.infer<typeof WorkflowArtifactGCTask>;
