/** The status of one node of a workflow. */
import * as z from "zod";
import { Inputs, Outputs } from "./arguments.ts";
import { Int32, Int64, mapOf, object, Time } from "./schema.ts";
import { TemplateRef } from "./template.ts";
import { NODE_ROLES } from "./node_types.ts";

/** The type of a node: the part of a workflow that it stands for. */
export const NodeType = z.enum(Object.keys(NODE_ROLES) as (keyof typeof NODE_ROLES)[]);
/** The type of a node: the part of a workflow that it stands for. */
export type NodeType = z.infer<typeof NodeType>;

/** The stage that a node has reached, or the way in which it ended. */
export const NodePhase = z.enum(["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"]);
/** The stage that a node has reached, or the way in which it ended. */
export type NodePhase = z.infer<typeof NodePhase>;

/** Nodes that are more than what their type says. */
export const NodeFlag = object({ hooked: z.boolean().optional(), retried: z.boolean().optional() });
/** Nodes that are more than what their type says. */
export type NodeFlag = z.infer<typeof NodeFlag>;

/** Whether a result was remembered. */
export const MemoizationStatus = object({ hit: z.boolean(), key: z.string(), cacheName: z.string() });
/** Whether a result was remembered. */
export type MemoizationStatus = z.infer<typeof MemoizationStatus>;

/** Seconds of use per resource. */
export const ResourcesDuration = mapOf(Int64);
/** Seconds of use per resource. */
export type ResourcesDuration = z.infer<typeof ResourcesDuration>;

/** The state of one node of a workflow, as the workflow's status holds it. */
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
/** The state of one node of a workflow, as the workflow's status holds it. */
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
