/** Workflow, and the templates of whole workflows, which have the same spec. */
import * as z from "zod";
import { Arguments, Outputs } from "./arguments.ts";
import { ArtifactRepositoryRef, ArtifactRepositoryRefStatus, WorkflowLevelArtifactGC } from "./artifact.ts";
import { Container, ResourceRequirements } from "./core/container.ts";
import { LocalObjectReference } from "./core/reference.ts";
import {
  Affinity,
  HostAlias,
  PodDisruptionBudgetSpec,
  PodDNSConfig,
  PodResourceClaim,
  PodSecurityContext,
  Toleration,
} from "./core/scheduling.ts";
import { PersistentVolumeClaim, Volume } from "./core/volume.ts";
import { LabelSelector, Metadata, ObjectMeta, typeMeta } from "./metadata.ts";
import { Metrics } from "./metrics.ts";
import { NodeStatus, ResourcesDuration } from "./node_status.ts";
import { RetryStrategy } from "./retry.ts";
import { atMostOne, Int32, Int64, type Limits, limits, mapOf, object, StringMap, Time } from "./schema.ts";
import { Synchronization, SynchronizationStatus } from "./synchronization.ts";
import { ExecutorConfig, LifecycleHooks, Template } from "./template.ts";
import { TEMPLATE_TYPES } from "./template_types.ts";

/** The time in seconds for which a finished workflow is kept, by the way in which it ended. */
export const TTLStrategy = object({
  secondsAfterCompletion: Int32.optional(),
  secondsAfterSuccess: Int32.optional(),
  secondsAfterFailure: Int32.optional(),
});
/** The time in seconds for which a finished workflow is kept, by the way in which it ended. */
export type TTLStrategy = z.infer<typeof TTLStrategy>;

/** The moment at which pods are deleted, the labels of the pods that this holds for, and the delay before it. */
export const PodGC = object({
  strategy: z.enum(["", "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"]).optional(),
  labelSelector: LabelSelector.optional(),
  deleteDelayDuration: z.string().optional(),
});
/** The moment at which pods are deleted, the labels of the pods that this holds for, and the delay before it. */
export type PodGC = z.infer<typeof PodGC>;

/** The moment at which the volume claims made for a workflow are deleted. */
export const VolumeClaimGC = object({ strategy: z.string().optional() });
/** The moment at which the volume claims made for a workflow are deleted. */
export type VolumeClaimGC = z.infer<typeof VolumeClaimGC>;

/** The way in which a running workflow is brought to its end: `Stop` still runs exit handlers, `Terminate` does not. */
export const ShutdownStrategy = z.enum(["", "Terminate", "Stop"]);
/** The way in which a running workflow is brought to its end: `Stop` still runs exit handlers, `Terminate` does not. */
export type ShutdownStrategy = z.infer<typeof ShutdownStrategy>;

/** The template of a whole workflow. */
export const WorkflowTemplateRef = object({ name: z.string().optional(), clusterScope: z.boolean().optional() });
/** The template of a whole workflow. */
export type WorkflowTemplateRef = z.infer<typeof WorkflowTemplateRef>;

/** Labels and annotations that a workflow gives itself. */
export const WorkflowMetadata = object({
  labels: StringMap.optional(),
  annotations: StringMap.optional(),
  labelsFrom: mapOf(object({ expression: z.string() })).optional(),
});
/** Labels and annotations that a workflow gives itself. */
export type WorkflowMetadata = z.infer<typeof WorkflowMetadata>;

/** A plugin of the executor that this workflow brings along. */
export const ExecutorPlugin = object({
  metadata: ObjectMeta.optional(),
  spec: object({
    sidecar: object({ automountServiceAccountToken: z.boolean().optional(), container: Container }),
  }),
});
/** A plugin of the executor that this workflow brings along. */
export type ExecutorPlugin = z.infer<typeof ExecutorPlugin>;

const TYPES = Object.keys(TEMPLATE_TYPES);
const CALLS_TEMPLATES = Object.entries(TEMPLATE_TYPES).filter(([, { runner }]) => runner === "calls")
  .map(([type]) => `has(t.${type})`).join(" || ");
const templateLimits: Limits = {
  maxItems: 200,
  rules: [
    {
      rule: `self.all(t, ${atMostOne("t", TYPES)})`,
      message: "template must have at most one template type",
    },
    {
      rule: `self.all(t, !(has(t.timeout) && t.timeout != '' && (${CALLS_TEMPLATES})))`,
      message: "timeout cannot be applied to steps or dag templates",
    },
    {
      rule: `self.all(t, !(has(t.activeDeadlineSeconds) && (${CALLS_TEMPLATES})))`,
      message: "activeDeadlineSeconds is only valid for leaf templates",
    },
  ],
};

/** The description of a workflow: its templates, its arguments, and the settings of its run. */
export const WorkflowSpec = object({
  templates: z.array(Template).register(limits, templateLimits).optional(),
  entrypoint: z.string().optional(),
  arguments: Arguments.optional(),
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  executor: ExecutorConfig.optional(),
  volumes: z.array(Volume).optional(),
  volumeClaimTemplates: z.array(PersistentVolumeClaim).optional(),
  parallelism: z.int().register(limits, { minimum: 1 }).optional(),
  artifactRepositoryRef: ArtifactRepositoryRef.optional(),
  suspend: z.boolean().optional(),
  nodeSelector: StringMap.optional(),
  affinity: Affinity.optional(),
  tolerations: z.array(Toleration).optional(),
  imagePullSecrets: z.array(LocalObjectReference).optional(),
  hostNetwork: z.boolean().optional(),
  dnsPolicy: z.string().optional(),
  dnsConfig: PodDNSConfig.optional(),
  onExit: z.string().optional(),
  ttlStrategy: TTLStrategy.optional(),
  activeDeadlineSeconds: Int64.optional(),
  priority: Int32.optional(),
  schedulerName: z.string().optional(),
  podGC: PodGC.optional(),
  podPriorityClassName: z.string().optional(),
  hostAliases: z.array(HostAlias).optional(),
  securityContext: PodSecurityContext.optional(),
  podSpecPatch: z.string().optional(),
  podDisruptionBudget: PodDisruptionBudgetSpec.optional(),
  metrics: Metrics.optional(),
  shutdown: ShutdownStrategy.optional(),
  workflowTemplateRef: WorkflowTemplateRef.optional(),
  synchronization: Synchronization.optional(),
  volumeClaimGC: VolumeClaimGC.optional(),
  retryStrategy: RetryStrategy.optional(),
  podMetadata: Metadata.optional(),
  templateDefaults: Template.optional().register(limits, { open: true }),
  archiveLogs: z.boolean().optional(),
  hooks: LifecycleHooks.optional(),
  workflowMetadata: WorkflowMetadata.optional(),
  artifactGC: WorkflowLevelArtifactGC.optional(),
  executorPlugins: z.array(ExecutorPlugin).optional(),
  podResources: ResourceRequirements.optional(),
  resourceClaims: z.array(PodResourceClaim).optional(),
});
/** The description of a workflow: its templates, its arguments, and the settings of its run. */
export type WorkflowSpec = z.infer<typeof WorkflowSpec>;

/** The stage that a workflow has reached, or the way in which it ended; empty before the controller first saw it. */
export const WorkflowPhase = z.enum(["", "Pending", "Running", "Succeeded", "Failed", "Error"]);
/** The stage that a workflow has reached, or the way in which it ended; empty before the controller first saw it. */
export type WorkflowPhase = z.infer<typeof WorkflowPhase>;

/** One fact about a workflow or cron workflow as a whole. */
export const Condition = object({
  type: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
});
/** One fact about a workflow or cron workflow as a whole. */
export type Condition = z.infer<typeof Condition>;

/**
 * The progress of the deletion of artifacts: the strategies that were dealt with, and the pods whose results were read.
 */
export const ArtGCStatus = object({
  strategiesProcessed: mapOf(z.boolean()).optional(),
  podsRecouped: mapOf(z.boolean()).optional(),
  notSpecified: z.boolean().optional(),
});
/**
 * The progress of the deletion of artifacts: the strategies that were dealt with, and the pods whose results were read.
 */
export type ArtGCStatus = z.infer<typeof ArtGCStatus>;

/** The state of a workflow: its phase, its nodes, its outputs, and the facts that the controller has to remember. */
export const WorkflowStatus = object({
  phase: WorkflowPhase.optional(),
  startedAt: Time.optional(),
  finishedAt: Time.optional(),
  estimatedDuration: Int64.optional(),
  progress: z.string().optional(),
  message: z.string().optional(),
  compressedNodes: z.string().optional(),
  nodes: mapOf(NodeStatus).optional(),
  offloadNodeStatusVersion: z.string().optional(),
  storedTemplates: mapOf(Template).optional(),
  persistentVolumeClaims: z.array(Volume).optional(),
  outputs: Outputs.optional(),
  conditions: z.array(Condition).optional(),
  resourcesDuration: ResourcesDuration.optional(),
  storedWorkflowTemplateSpec: WorkflowSpec.optional(),
  synchronization: SynchronizationStatus.optional(),
  artifactRepositoryRef: ArtifactRepositoryRefStatus.optional(),
  artifactGCStatus: ArtGCStatus.optional(),
  taskResultsCompletionStatus: mapOf(z.boolean()).optional(),
});
/** The state of a workflow: its phase, its nodes, its outputs, and the facts that the controller has to remember. */
export type WorkflowStatus = z.infer<typeof WorkflowStatus>;

/** A workflow. */
export const Workflow = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: WorkflowSpec,
  status: WorkflowStatus.optional(),
});
/** A workflow. */
export type Workflow = z.infer<typeof Workflow>;

/** A workflow to be made from, in a namespace. */
export const WorkflowTemplate = object({ ...typeMeta, metadata: ObjectMeta, spec: WorkflowSpec });
/** A workflow to be made from, in a namespace. */
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>;

/** A workflow to be made from, for all namespaces. */
export const ClusterWorkflowTemplate = object({ ...typeMeta, metadata: ObjectMeta, spec: WorkflowSpec });
/** A workflow to be made from, for all namespaces. */
export type ClusterWorkflowTemplate = z.infer<typeof ClusterWorkflowTemplate>;
