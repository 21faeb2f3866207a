/** Reports a violated restriction to the client: the controller enforces it, and would fail the workflow at once. */
import type { Workflow } from "@tiphys/model/api";
import { rejectionReason } from "@tiphys/language/restrictions";
import type { ServerContext } from "../served.ts";
import { badRequest } from "../wire/errors.ts";

/** @throws {WireError} if the workflow may not run, with the message that the controller would write to its status. */
export function checkRestriction({ restriction }: Pick<ServerContext, "restriction">, { spec }: Workflow): void {
  const current = restriction?.();
  const refusal = current && rejectionReason(spec, current);
  if (refusal) throw badRequest(refusal);
}
