/** Workflows made by events. */
import { z } from "zod";
import { Arguments } from "./arguments.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { object } from "./schema.ts";
import { WorkflowTemplateRef } from "./workflow.ts";

/** Which events make which workflow. */
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
/** Which events make which workflow. */
export type WorkflowEventBinding = z.infer<typeof WorkflowEventBinding>;
