/** Workflow, and the kinds of workflow templates, which have the same spec. */
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

/** The time for which a finished workflow is kept, in seconds, by its result. */
export const TTLStrategy = object({
  secondsAfterCompletion: Int32.optional(),
  secondsAfterSuccess: Int32.optional(),
  secondsAfterFailure: Int32.optional(),
});
/** The time for which a finished workflow is kept, in seconds, by its result. */
export type TTLStrategy = z.infer<typeof TTLStrategy>;

/** The event at which pods are deleted, the labels of these pods, and the delay. */
export const PodGC = object({
  strategy: z.enum(["", "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"]).optional(),
  labelSelector: LabelSelector.optional(),
  deleteDelayDuration: z.string().optional(),
});
/** The event at which pods are deleted, the labels of these pods, and the delay. */
export type PodGC = z.infer<typeof PodGC>;

/** The event at which the volume claims of a workflow are deleted. */
export const VolumeClaimGC = object({ strategy: z.string().optional() });
/** The event at which the volume claims of a workflow are deleted. */
export type VolumeClaimGC = z.infer<typeof VolumeClaimGC>;

/** The way to end a running workflow: `Stop` runs exit handlers, `Terminate` does not. */
export const ShutdownStrategy = z.enum(["", "Terminate", "Stop"]);
/** The way to end a running workflow: `Stop` runs exit handlers, `Terminate` does not. */
export type ShutdownStrategy = z.infer<typeof ShutdownStrategy>;

/** A reference to the template of a whole workflow. */
export const WorkflowTemplateRef = object({ name: z.string().optional(), clusterScope: z.boolean().optional() });
/** A reference to the template of a whole workflow. */
export type WorkflowTemplateRef = z.infer<typeof WorkflowTemplateRef>;

/** Labels and annotations that a workflow sets on itself. */
export const WorkflowMetadata = object({
  labels: StringMap.optional(),
  annotations: StringMap.optional(),
  labelsFrom: mapOf(object({ expression: z.string() })).optional(),
});
/** Labels and annotations that a workflow sets on itself. */
export type WorkflowMetadata = z.infer<typeof WorkflowMetadata>;

/** An executor plugin that a workflow defines. */
export const ExecutorPlugin = object({
  metadata: ObjectMeta.optional(),
  spec: object({
    sidecar: object({ automountServiceAccountToken: z.boolean().optional(), container: Container }),
  }),
});
/** An executor plugin that a workflow defines. */
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

/** The specification of a workflow: its templates, arguments and settings. */
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
/** The specification of a workflow: its templates, arguments and settings. */
export type WorkflowSpec = z.infer<typeof WorkflowSpec>;

/** The phase of a workflow; empty before the controller's first pass. */
export const WorkflowPhase = z.enum(["", "Pending", "Running", "Succeeded", "Failed", "Error"]);
/** The phase of a workflow; empty before the controller's first pass. */
export type WorkflowPhase = z.infer<typeof WorkflowPhase>;

/** A condition of a workflow or cron workflow. */
export const Condition = object({
  type: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
});
/** A condition of a workflow or cron workflow. */
export type Condition = z.infer<typeof Condition>;

/** The progress of artifact garbage collection: the processed strategies, and the pods whose results were read. */
export const ArtGCStatus = object({
  strategiesProcessed: mapOf(z.boolean()).optional(),
  podsRecouped: mapOf(z.boolean()).optional(),
  notSpecified: z.boolean().optional(),
});
/** The progress of artifact garbage collection: the processed strategies, and the pods whose results were read. */
export type ArtGCStatus = z.infer<typeof ArtGCStatus>;

/** The status of a workflow: its phase, nodes and outputs, and the state that the controller stores. */
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
/** The status of a workflow: its phase, nodes and outputs, and the state that the controller stores. */
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

/** A template of whole workflows in a namespace. */
export const WorkflowTemplate = object({ ...typeMeta, metadata: ObjectMeta, spec: WorkflowSpec });
/** A template of whole workflows in a namespace. */
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>;

/** A template of whole workflows for all namespaces. */
export const ClusterWorkflowTemplate = object({ ...typeMeta, metadata: ObjectMeta, spec: WorkflowSpec });
/** A template of whole workflows for all namespaces. */
export type ClusterWorkflowTemplate = z.infer<typeof ClusterWorkflowTemplate>;
