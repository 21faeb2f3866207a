/** The restriction of workflows, said to who makes one: the controller, which enforces it, would end the workflow at once. */
import type { Workflow } from "@tiphys/model/api";
import { refusalOf } from "@tiphys/language/restrictions";
import type { Served } from "../served.ts";
import { badRequest } from "../wire/errors.ts";

/** @throws {WireError} for a workflow that may not run, in the words that its status would have. */
export function checkRestriction({ restriction }: Pick<Served, "restriction">, { spec }: Workflow): void {
  const current = restriction?.();
  const refusal = current && refusalOf(spec, current);
  if (refusal) throw badRequest(refusal);
}
