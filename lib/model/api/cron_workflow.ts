/** Workflows at set times. */
import * as z from "zod";
import { ObjectReference } from "./core/reference.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { Int32, Int64, limits, object, Time } from "./schema.ts";
import { Condition, WorkflowSpec } from "./workflow.ts";

/**
 * The rule for a scheduled time that comes while an earlier workflow still runs: start another one beside it, start
 * none, or stop the earlier one first.
 */
export const ConcurrencyPolicy = z.enum(["Allow", "Forbid", "Replace"]);
/**
 * The rule for a scheduled time that comes while an earlier workflow still runs: start another one beside it, start
 * none, or stop the earlier one first.
 */
export type ConcurrencyPolicy = z.infer<typeof ConcurrencyPolicy>;

/** The schedules of a cron workflow, and the workflow that it makes at these times. */
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
/** The schedules of a cron workflow, and the workflow that it makes at these times. */
export type CronWorkflowSpec = z.infer<typeof CronWorkflowSpec>;

/**
 * The state of a cron workflow: the workflows at work, the last time that was used, and the numbers of good and bad
 * ends.
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
 * The state of a cron workflow: the workflows at work, the last time that was used, and the numbers of good and bad
 * ends.
 */
export type CronWorkflowStatus = z.infer<typeof CronWorkflowStatus>;

/** Workflows at set times. */
export const CronWorkflow = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: CronWorkflowSpec,
  status: CronWorkflowStatus.optional(),
});
/** Workflows at set times. */
export type CronWorkflow = z.infer<typeof CronWorkflow>;
