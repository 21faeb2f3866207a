/** Parsing of cron workflows: the object, or a problem with a message for its author. */
import { type CronWorkflow, isProblem, parseCronWorkflow, Problem, readAs, type ReadResult } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { UserError } from "@tiphys/base/user_error";

/** An invalid cron workflow. The message is for its author. */
export class UnreadableCronError extends UserError {
  override readonly name = "UnreadableCronError";
}

const POLICIES: readonly unknown[] = [undefined, null, "", "Allow", "Forbid", "Replace"];

/** Parses a cron workflow. */
export function readCron(stored: KubeObject): ReadResult<CronWorkflow> {
  const { concurrencyPolicy, ...spec } = fieldsOf(stored.spec);
  // An empty policy counts as unset.
  const object = concurrencyPolicy === "" ? { ...stored, spec } : stored;
  const read = readAs(parseCronWorkflow(object, "lenient"), "malformed cron workflow");
  if (!isProblem(read) || POLICIES.includes(concurrencyPolicy)) return read;
  return new Problem(`'${String(concurrencyPolicy)}' is not a valid concurrencyPolicy`);
}

/** Unwraps a parsed cron workflow. @throws {UnreadableCronError} if it is not valid. */
export function unwrapCron(read: ReadResult<CronWorkflow>): CronWorkflow {
  if (isProblem(read)) throw new UnreadableCronError(read.message);
  return read;
}
