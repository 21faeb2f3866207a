/** The line in the log for each change: its caller, the right, the object, and the outcome. */
import type { Log } from "../lib/log.ts";
import type { Caller } from "./gate/caller.ts";
import type { Right } from "./gate/rights.ts";
import type { Route } from "./routes/route.ts";
import { wireErrorOf } from "./wire/errors.ts";

/** A request that is told of. Nothing of its query and body is: anything may stand there. */
export interface AuditedRequest {
  readonly log: Log;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly rights: readonly Right[];
}

/** Does something, and tells of it where it changes anything; what it throws is thrown on. */
export async function audited<T>(request: AuditedRequest, act: () => Promise<T>): Promise<T> {
  if (request.route.method === "GET" || request.route.isStream) return await act();
  try {
    const answer = await act();
    tell(request, "done");
    return answer;
  } catch (error) {
    // The handler that answers the request logs the cause of a mistake of the server.
    const { code, status } = wireErrorOf(error, () => {});
    tell(request, `refused with ${status} (code ${code})`);
    throw error;
  }
}

function tell({ log, route, params, caller: { claims }, rights }: AuditedRequest, outcome: string): void {
  log.info("Audit", {
    operation: route.id,
    caller: claims.subject,
    ...(claims.serviceAccountName
      ? { serviceAccount: `${claims.serviceAccountNamespace}/${claims.serviceAccountName}` }
      : {}),
    rights: rights.map(({ verb, resource, subresource }) =>
      `${verb} ${resource}${subresource ? `/${subresource}` : ""}`
    ).join(", "),
    ...params,
    outcome,
  });
}
