/** The fields of archived workflows that are read, and the label that marks them. */
import * as z from "zod";
import { LABEL } from "@tiphys/base/constants";
import { UserError } from "@tiphys/base/user_error";

/** An archived workflow. Fields that are not listed are stored unchanged. */
const Archived = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string(),
    uid: z.string().min(1),
    creationTimestamp: z.string().nullish(),
    labels: z.record(z.string(), z.string()).nullish(),
  }),
  status: z.looseObject({
    phase: z.string().optional(),
    startedAt: z.string().nullish(),
    finishedAt: z.string().nullish(),
  }).optional(),
});
/** An archived workflow. */
export type ArchivedWorkflow = z.infer<typeof Archived>;

/** Returns the workflow with the label that marks it as archived. */
export function markAsPersisted(workflow: ArchivedWorkflow): ArchivedWorkflow {
  const labels = { ...workflow.metadata.labels, [LABEL.archivingStatus]: "Persisted" };
  return { ...workflow, metadata: { ...workflow.metadata, labels } };
}

/** Returns the error of a workflow whose stored JSON is invalid. */
export function unreadableWorkflowError(error: SyntaxError): UserError {
  return new UserError(`Could not read a workflow of the archive: ${error.message}`, { cause: error });
}

/**
 * Validates a workflow read from the archive, or to be archived.
 * @throws {UserError} with the invalid field.
 */
export function parseArchived(object: unknown): ArchivedWorkflow {
  const { success, data, error } = Archived.safeParse(object);
  if (success) return data;
  const [issue] = error.issues;
  throw new UserError(`Could not read a workflow of the archive: ${issue?.path.join(".")}: ${issue?.message}`);
}
