/** Errors with the messages and codes of Kubernetes, which clients match on. */

import { KubeError, type Resource } from "@tiphys/kube";
import type { KubeStatus } from "@tiphys/kube/errors";
import type { ApplyConflictError } from "./managed_fields/mod.ts";
import { JournalError } from "./store.ts";

/** One error of an object. */
export interface Cause {
  readonly reason:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueDuplicate"
    | "FieldValueNotFound"
    | "FieldValueForbidden"
    | "FieldValueNotSupported"
    | "FieldValueTooLong"
    | "FieldValueTypeInvalid";
  readonly message: string;
  readonly field: string;
}

/** An error whose response is a Status object. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: KubeStatus;

  constructor(code: number, reason: string, message: string, details?: KubeStatus["details"]) {
    super(message);
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason,
      ...(details && { details }),
      code,
    };
  }
}

function detailsOf(resource: Resource, name: string): KubeStatus["details"] {
  return { name, ...(resource.group && { group: resource.group }), kind: resource.plural };
}

function qualified(resource: Resource): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

export function notFound(resource: Resource, name: string): StatusError {
  return new StatusError(404, "NotFound", `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
}

export function alreadyExists(resource: Resource, name: string): StatusError {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new StatusError(409, "AlreadyExists", message, detailsOf(resource, name));
}

/** The error of a write to an object that has changed since it was read, or is another one with the same name. */
export function conflict(resource: Resource, name: string, reason?: string): StatusError {
  const because = reason ??
    "the object has been modified; please apply your changes to the latest version and try again";
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${because}`;
  return new StatusError(409, "Conflict", message, detailsOf(resource, name));
}

/** The error of an apply that would change fields of other owners. */
export function applyConflict({ message, conflicts }: ApplyConflictError): StatusError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${owner}`,
    field: path,
  }));
  return new StatusError(409, "Conflict", message, { causes });
}

/** The error of a caller that must wait: clients retry after a second. */
export function tooManyRequests(message: string): StatusError {
  return new StatusError(429, "TooManyRequests", message, { retryAfterSeconds: 1 });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/** The maximum number of causes in an error: a large object may have one for each of its values. */
const LISTED_CAUSES = 100;

/** Returns the first texts, and the number of the others. `more` others were not given. */
export function listedTexts(texts: readonly string[], more = 0): string[] {
  const listed = texts.slice(0, LISTED_CAUSES);
  const others = texts.length - listed.length + more;
  return others === 0 ? listed : [...listed, `and ${others} more`];
}

/** The error of an invalid object. It has `more` causes than the given ones. */
export function invalid(resource: Resource, name: string, causes: readonly Cause[], more = 0): StatusError {
  const texts = listedTexts(causes.map((cause) => `${cause.field}: ${cause.message}`), more);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const kind = resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
  return new StatusError(422, "Invalid", `${kind} "${name}" is invalid: ${all}`, {
    name,
    ...(resource.group && { group: resource.group }),
    kind: resource.kind,
    causes: causes.slice(0, LISTED_CAUSES),
  });
}

export function forbidden(resource: Resource, name: string, reason: string): StatusError {
  const message = `${qualified(resource)} "${name}" is forbidden: ${reason}`;
  return new StatusError(403, "Forbidden", message, detailsOf(resource, name));
}

export function methodNotAllowed(): StatusError {
  return new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

/** The refusal of a path that is not there, or of a resource that nobody serves. */
export function pathNotFound(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** The refusal of a resourceVersion or continue token from before the events that are still remembered. */
export function expired(message: string): StatusError {
  return new StatusError(410, "Expired", message);
}

/** The Status for anything that was thrown. */
export function statusOf(error: unknown): KubeStatus {
  if (error instanceof StatusError) return error.status;
  if (error instanceof KubeError && error.status > 0) {
    return new StatusError(error.status, error.reason, error.message, error.details).status;
  }
  if (error instanceof JournalError) return new StatusError(503, "ServiceUnavailable", error.message).status;
  const message = error instanceof Error ? error.message : String(error);
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`).status;
}

/** The answer that carries a Status. */
export function statusResponse(status: KubeStatus, headers: Record<string, string> = {}): Response {
  const { retryAfterSeconds } = status.details ?? {};
  return new Response(JSON.stringify(status), {
    status: status.code ?? 200,
    headers: {
      "content-type": "application/json",
      ...(retryAfterSeconds !== undefined && { "retry-after": `${retryAfterSeconds}` }),
      ...headers,
    },
  });
}
