/** Cron workflows as they enter: read as their kind, or a problem in the words that are shown to the author. */
import { type CronWorkflow, isProblem, parseCronWorkflow, Problem, type Read, readAs } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { UserError } from "@tiphys/base/user_error";

/** A cron workflow that cannot be read as one. The message is for its author. */
export class UnreadableCronError extends UserError {
  override readonly name = "UnreadableCronError";
}

const POLICIES: readonly unknown[] = [undefined, null, "", "Allow", "Forbid", "Replace"];

/** Reads a cron workflow. */
export function readCron(found: KubeObject): Read<CronWorkflow> {
  const { concurrencyPolicy, ...spec } = fieldsOf(found.spec);
  // An empty policy is none.
  const object = concurrencyPolicy === "" ? { ...found, spec } : found;
  const read = readAs(parseCronWorkflow(object, "lenient"), "malformed cron workflow");
  if (!isProblem(read) || POLICIES.includes(concurrencyPolicy)) return read;
  return new Problem(`'${String(concurrencyPolicy)}' is not a valid concurrencyPolicy`);
}

/** The cron workflow of a reading. @throws {UnreadableCronError} when it could not be read. */
export function readable(read: Read<CronWorkflow>): CronWorkflow {
  if (isProblem(read)) throw new UnreadableCronError(read.message);
  return read;
}
