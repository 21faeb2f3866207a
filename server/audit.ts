/** The audit log: a line for each change with its caller, permissions, object, and outcome. */
import type { Log } from "@tiphys/base/log";
import type { Caller } from "./gate/caller.ts";
import type { Right } from "./gate/rights.ts";
import type { Route } from "./routes/route.ts";
import { wireErrorOf } from "./wire/errors.ts";

/** A request to log. Its query and body are not logged, because they may contain secrets. */
export interface AuditedRequest {
  readonly log: Log;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly rights: readonly Right[];
}

/** Runs an operation and logs it if it is a change. Errors are rethrown. */
export async function runAudited<T>(request: AuditedRequest, act: () => Promise<T>): Promise<T> {
  if (request.route.method === "GET" || request.route.isStream) return await act();
  try {
    const answer = await act();
    logOutcome(request, "done");
    return answer;
  } catch (error) {
    // The handler of the request logs the cause of an internal error.
    const { code, status } = wireErrorOf(error, () => {});
    logOutcome(request, `refused with ${status} (code ${code})`);
    throw error;
  }
}

function logOutcome({ log, route, params, caller: { claims }, rights }: AuditedRequest, outcome: string): void {
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
