/** The status of one node of a workflow. */
import * as z from "zod";
import { Inputs, Outputs } from "./arguments.ts";
import { Int32, Int64, mapOf, object, Time } from "./schema.ts";
import { TemplateRef } from "./template.ts";
import { NODE_ROLES } from "./node_types.ts";

/** The type of a node: the part of a workflow that it represents. */
export const NodeType = z.enum(Object.keys(NODE_ROLES) as (keyof typeof NODE_ROLES)[]);
/** The type of a node: the part of a workflow that it represents. */
export type NodeType = z.infer<typeof NodeType>;

/** The phase of a node. */
export const NodePhase = z.enum(["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"]);
/** The phase of a node. */
export type NodePhase = z.infer<typeof NodePhase>;

/** Flags of a node in addition to its type: whether it runs a hook, or is an attempt. */
export const NodeFlag = object({ hooked: z.boolean().optional(), retried: z.boolean().optional() });
/** Flags of a node in addition to its type: whether it runs a hook, or is an attempt. */
export type NodeFlag = z.infer<typeof NodeFlag>;

/** The result of a cache lookup. */
export const MemoizationStatus = object({ hit: z.boolean(), key: z.string(), cacheName: z.string() });
/** The result of a cache lookup. */
export type MemoizationStatus = z.infer<typeof MemoizationStatus>;

/** Seconds of usage per resource. */
export const ResourcesDuration = mapOf(Int64);
/** Seconds of usage per resource. */
export type ResourcesDuration = z.infer<typeof ResourcesDuration>;

/** The status of one node in the status of a workflow. */
export const NodeStatus = object({
  id: z.string(),
  name: z.string(),
  displayName: z.string().optional(),
  type: NodeType,
  templateName: z.string().optional(),
  templateRef: TemplateRef.optional(),
  templateScope: z.string().optional(),
  phase: NodePhase.optional(),
  boundaryID: z.string().optional(),
  message: z.string().optional(),
  startedAt: Time.optional(),
  finishedAt: Time.optional(),
  estimatedDuration: Int64.optional(),
  progress: z.string().optional(),
  resourcesDuration: ResourcesDuration.optional(),
  podIP: z.string().optional(),
  daemoned: z.boolean().optional(),
  nodeFlag: NodeFlag.optional(),
  inputs: Inputs.optional(),
  outputs: Outputs.optional(),
  children: z.array(z.string()).optional(),
  outboundNodes: z.array(z.string()).optional(),
  hostNodeName: z.string().optional(),
  memoizationStatus: MemoizationStatus.optional(),
  synchronizationStatus: object({ waiting: z.string().optional() }).optional(),
  taskResultSynced: z.boolean().optional(),
  failedPodRestarts: Int32.optional(),
  restartingPodUID: z.string().optional(),
});
/** The status of one node in the status of a workflow. */
export type NodeStatus = z.infer<typeof NodeStatus>;

/** The report of an executor about a node. */
export const nodeResultShape = {
  phase: NodePhase.optional(),
  message: z.string().optional(),
  outputs: Outputs.optional(),
  progress: z.string().optional(),
};

/** The report of an executor about a node. */
export const NodeResult = object(nodeResultShape);
/** The report of an executor about a node. */
export type NodeResult = z.infer<typeof NodeResult>;
