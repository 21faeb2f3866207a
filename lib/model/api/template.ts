/**
 * Templates, and the steps and tasks that call them. They are in one file because a step can contain a template inline.
 */
import * as z from "zod";
import { Arguments, Inputs, Outputs } from "./arguments.ts";
import { ArtifactLocation } from "./artifact.ts";
import { ResourceRequirements } from "./core/container.ts";
import { Affinity, HostAlias, PodResourceClaim, PodSecurityContext, Toleration } from "./core/scheduling.ts";
import { Volume } from "./core/volume.ts";
import { InitContainer, LEAF_TYPES, UserContainer } from "./leaf_template.ts";
import { Metadata } from "./metadata.ts";
import { Metrics } from "./metrics.ts";
import { RetryStrategy } from "./retry.ts";
import { CallName } from "./name.ts";
import { IntOrString, Json, limits, mapOf, object, StringMap } from "./schema.ts";
import { Memoize, Synchronization } from "./synchronization.ts";

/** A reference to a template of a WorkflowTemplate or ClusterWorkflowTemplate. */
export const TemplateRef = object({
  name: z.string().optional(),
  template: z.string().optional(),
  clusterScope: z.boolean().optional(),
});
/** A reference to a template of a WorkflowTemplate or ClusterWorkflowTemplate. */
export type TemplateRef = z.infer<typeof TemplateRef>;

/** The failures of a step or task, `Error` or `Failed`, after which the following steps or tasks still run. */
export const ContinueOn = object({ error: z.boolean().optional(), failed: z.boolean().optional() });
/** The failures of a step or task, `Error` or `Failed`, after which the following steps or tasks still run. */
export type ContinueOn = z.infer<typeof ContinueOn>;

/** A loop over numbers. */
export const Sequence = object({
  count: IntOrString.optional(),
  start: IntOrString.optional(),
  end: IntOrString.optional(),
  format: z.string().optional(),
}).register(limits, {
  rules: [{ rule: "!(has(self.count) && has(self.end))", message: "only one of count or end can be defined" }],
});
/** A loop over numbers. */
export type Sequence = z.infer<typeof Sequence>;

/** One element of a loop. */
export type Item = Json;

/** A template that runs when an expression becomes true, or (`exit`) at the end. */
export const LifecycleHook = object({
  template: z.string().optional(),
  arguments: Arguments.optional(),
  templateRef: TemplateRef.optional(),
  expression: z.string().optional(),
});
/** A template that runs when an expression becomes true, or (`exit`) at the end. */
export type LifecycleHook = z.infer<typeof LifecycleHook>;

/** Hooks by name. */
export const LifecycleHooks = mapOf(LifecycleHook);
/** Hooks by name. */
export type LifecycleHooks = z.infer<typeof LifecycleHooks>;

/** The service account of a template's executor. */
export const ExecutorConfig = object({ serviceAccountName: z.string().optional() });
/** The service account of a template's executor. */
export type ExecutorConfig = z.infer<typeof ExecutorConfig>;

const callShape = {
  name: CallName,
  template: z.string().optional(),
  inline: z.lazy((): z.ZodType<Template> => Template).optional(),
  arguments: Arguments.optional(),
  templateRef: TemplateRef.optional(),
  withItems: z.array(Json).optional(),
  withParam: z.string().optional(),
  withSequence: Sequence.optional(),
  when: z.string().optional(),
  continueOn: ContinueOn.optional(),
  onExit: z.string().optional(),
  hooks: LifecycleHooks.optional(),
};

/** A call of a template in a list of steps. */
export const WorkflowStep = object(callShape);
/** A call of a template in a list of steps. */
export type WorkflowStep = z.infer<typeof WorkflowStep>;

/** Steps that run in parallel. */
export const ParallelSteps = z.array(WorkflowStep);
/** Steps that run in parallel. */
export type ParallelSteps = z.infer<typeof ParallelSteps>;

/** A call of a template in a DAG. */
export const DAGTask = object({
  ...callShape,
  dependencies: z.array(z.string()).optional(),
  depends: z.string().optional(),
}).register(limits, {
  rules: [
    {
      rule: "!has(self.depends) || !has(self.dependencies)",
      message: "cannot use both 'depends' and 'dependencies'",
    },
    { rule: "!has(self.depends) || !has(self.continueOn)", message: "cannot use 'continueOn' when using 'depends'" },
    {
      // A comparison instead of a pattern, which would exceed the API server's cost budget for 200 tasks: ':' follows
      // '9'.
      rule: "!(has(self.depends) || has(self.dependencies)) || self.name < '0' || self.name >= ':'",
      message: "task name cannot begin with a digit when using 'depends' or 'dependencies'",
    },
  ],
});
/** A call of a template in a DAG. */
export type DAGTask = z.infer<typeof DAGTask>;

/** Tasks with dependencies. */
export const DAGTemplate = object({
  target: z.string().optional(),
  tasks: z.array(DAGTask).register(limits, { minItems: 1, maxItems: 2000 }),
  failFast: z.boolean().optional(),
});
/** Tasks with dependencies. */
export type DAGTemplate = z.infer<typeof DAGTemplate>;

/** The types of templates that call others. Declared here because an inline template makes `Template` recursive. */
interface CallingTypes {
  steps?: ParallelSteps[];
  dag?: DAGTemplate;
}

const plainShape = {
  name: CallName.optional(),
  inputs: Inputs.optional(),
  outputs: Outputs.optional(),
  nodeSelector: StringMap.optional(),
  affinity: Affinity.optional(),
  metadata: Metadata.optional(),
  daemon: z.boolean().optional(),
  ...LEAF_TYPES,
  volumes: z.array(Volume).optional(),
  initContainers: z.array(InitContainer).optional(),
  sidecars: z.array(UserContainer).optional(),
  archiveLocation: ArtifactLocation.optional(),
  activeDeadlineSeconds: IntOrString.optional(),
  retryStrategy: RetryStrategy.optional(),
  parallelism: z.int().register(limits, { minimum: 1 }).optional(),
  failFast: z.boolean().optional(),
  tolerations: z.array(Toleration).optional(),
  schedulerName: z.string().optional(),
  priorityClassName: z.string().optional(),
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  executor: ExecutorConfig.optional(),
  hostAliases: z.array(HostAlias).optional(),
  securityContext: PodSecurityContext.optional(),
  podSpecPatch: z.string().optional(),
  metrics: Metrics.optional(),
  synchronization: Synchronization.optional(),
  memoize: Memoize.optional(),
  timeout: z.string().optional(),
  annotations: StringMap.optional(),
  pendingTimeout: z.string().optional(),
  podResources: ResourceRequirements.optional(),
  resourceClaims: z.array(PodResourceClaim).optional(),
};

const plainTemplate = object(plainShape);

/** A unit of work that steps and tasks call by name. Exactly one of its type fields is present. */
export interface Template extends z.infer<typeof plainTemplate>, CallingTypes {}

/** A unit of work that steps and tasks call by name. Exactly one of its type fields is present. */
export const Template: z.ZodType<Template> = object({
  ...plainShape,
  steps: z.array(ParallelSteps).register(limits, { minItems: 1 }).optional(),
  dag: DAGTemplate.optional(),
});
