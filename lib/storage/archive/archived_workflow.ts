/** An archived workflow: what is asked of its fields, and the label that it is read with. */
import * as z from "zod";
import { LABEL } from "@tiphys/base/constants";
import { UserError } from "@tiphys/base/user_error";

/** A workflow as it is archived. Its other fields are stored as they are. */
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
/** A workflow as it is archived. */
export type ArchivedWorkflow = z.infer<typeof Archived>;

/** The workflow with the label that says where it was read. */
export function asPersisted(workflow: ArchivedWorkflow): ArchivedWorkflow {
  const labels = { ...workflow.metadata.labels, [LABEL.archivingStatus]: "Persisted" };
  return { ...workflow, metadata: { ...workflow.metadata, labels } };
}

/** The refusal of a workflow whose stored JSON cannot be read. */
export function unreadable(error: SyntaxError): UserError {
  return new UserError(`Could not read a workflow of the archive: ${error.message}`, { cause: error });
}

/**
 * Reads a workflow of the archive, or for it.
 * @throws {UserError} naming the field that is wrong.
 */
export function parsed(object: unknown): ArchivedWorkflow {
  const { success, data, error } = Archived.safeParse(object);
  if (success) return data;
  const [issue] = error.issues;
  throw new UserError(`Could not read a workflow of the archive: ${issue?.path.join(".")}: ${issue?.message}`);
}
