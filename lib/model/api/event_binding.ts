/** Workflows that events trigger. */
import * as z from "zod";
import { Arguments } from "./arguments.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { object } from "./schema.ts";
import { WorkflowTemplateRef } from "./workflow.ts";

/** A rule that creates a workflow from a template for each event that its selector matches. */
export const WorkflowEventBinding = object({
  ...typeMeta,
  metadata: ObjectMeta,
  spec: object({
    event: object({ selector: z.string() }),
    submit: object({
      workflowTemplateRef: WorkflowTemplateRef,
      metadata: ObjectMeta.optional(),
      arguments: Arguments.optional(),
    }).optional(),
  }),
});
/** A rule that creates a workflow from a template for each event that its selector matches. */
export type WorkflowEventBinding = z.infer<typeof WorkflowEventBinding>;
