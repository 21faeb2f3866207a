/** Scheduled workflows. */
import * as z from "zod";
import { ObjectReference } from "./core/reference.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { Int32, Int64, limits, object, Time } from "./schema.ts";
import { Condition, WorkflowSpec } from "./workflow.ts";

/**
 * The behavior at a scheduled time while an earlier workflow is running: the new one runs in parallel, is skipped, or
 * replaces the earlier one.
 */
export const ConcurrencyPolicy = z.enum(["Allow", "Forbid", "Replace"]);
/**
 * The behavior at a scheduled time while an earlier workflow is running: the new one runs in parallel, is skipped, or
 * replaces the earlier one.
 */
export type ConcurrencyPolicy = z.infer<typeof ConcurrencyPolicy>;

/** The schedules of a cron workflow, and the workflow that it creates. */
export const CronWorkflowSpec = object({
  workflowSpec: WorkflowSpec,
  concurrencyPolicy: ConcurrencyPolicy.optional(),
  suspend: z.boolean().optional(),
  startingDeadlineSeconds: z.int().register(limits, { minimum: 0 }).optional(),
  successfulJobsHistoryLimit: Int32.optional(),
  failedJobsHistoryLimit: Int32.optional(),
  timezone: z.string().optional(),
  workflowMetadata: ObjectMeta.optional(),
  stopStrategy: object({ expression: z.string() }).optional(),
  schedules: z.array(z.string()).register(limits, { minItems: 1 }),
  when: z.string().optional(),
});
/** The schedules of a cron workflow, and the workflow that it creates. */
export type CronWorkflowSpec = z.infer<typeof CronWorkflowSpec>;

/**
 * The status of a cron workflow: its active workflows, the last scheduled time, and the numbers of successes and
 * failures.
 */
export const CronWorkflowStatus = object({
  active: z.array(ObjectReference).optional(),
  lastScheduledTime: Time.optional(),
  conditions: z.array(Condition).optional(),
  succeeded: Int64.optional(),
  failed: Int64.optional(),
  phase: z.enum(["", "Active", "Stopped"]).optional(),
});
/**
 * The status of a cron workflow: its active workflows, the last scheduled time, and the numbers of successes and
 * failures.
 */
export type CronWorkflowStatus = z.infer<typeof CronWorkflowStatus>;

/** A workflow that runs on a schedule. */
export const CronWorkflow = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: CronWorkflowSpec,
  status: CronWorkflowStatus.optional(),
});
/** A workflow that runs on a schedule. */
export type CronWorkflow = z.infer<typeof CronWorkflow>;
