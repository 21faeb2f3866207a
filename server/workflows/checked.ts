/** A workflow checked before it is created, as lint checks it, beside the templates that are stored. */
import { ClusterService, type Lintable } from "../../lib/workflow_service/mod.ts";
import { badRequest } from "../wire/errors.ts";
import type { Call } from "../routes/route.ts";

/** @throws {WireError} for the first thing that is wrong with it, with its place. */
export async function checkObject(
  { served }: Pick<Call, "served">,
  namespace: string,
  object: Lintable,
): Promise<void> {
  const service = new ClusterService(served.client, served.now);
  const problems = await service.lint(namespace, object);
  const errors = problems.filter(({ severity }) => severity !== "warning");
  if (errors.length === 0) return;
  throw badRequest(errors.slice(0, 3).map(({ path, message }) => path ? `${path}: ${message}` : message).join("; "));
}
