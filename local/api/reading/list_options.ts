/** The options of lists and watches that go with each other, or do not. */

import { badRequest, StatusError } from "../status_error.ts";

/** Reads a parameter that is true or false; undefined where it is not there. */
function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text === "true" || text === "1";
}

/** Whether a request for a collection is a watch. */
export function isWatch(query: URLSearchParams): boolean {
  return flag(query, "watch") === true;
}

/**
 * Whether a watch begins with the objects that are there; undefined where it does not say.
 * @throws {StatusError} 422 for options that do not go together.
 */
export function initialEvents(query: URLSearchParams): boolean | undefined {
  const wanted = flag(query, "sendInitialEvents");
  const match = query.get("resourceVersionMatch") ?? "";
  if (wanted === undefined) {
    if (match === "") return undefined;
    throw refused(
      "resourceVersionMatch",
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    );
  }
  if (match !== "NotOlderThan") {
    throw refused("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  return wanted;
}

/** @throws {StatusError} 422 for options of a list that do not go together. */
export function checkListOptions(query: URLSearchParams): void {
  if (query.get("sendInitialEvents") !== null) {
    throw refused("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  const match = query.get("resourceVersionMatch") ?? "";
  const version = query.get("resourceVersion") ?? "";
  if (match === "") return;
  if (version === "") {
    throw refused("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (query.get("continue")) {
    throw refused("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
  }
  if (match === "Exact" && version === "0") {
    throw refused("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`);
  }
}

function refused(field: string, why: string): StatusError {
  const cause = { reason: "FieldValueForbidden", field, message: `Forbidden: ${why}` };
  const message = `ListOptions.meta.k8s.io "" is invalid: ${field}: ${cause.message}`;
  return new StatusError(422, "Invalid", message, { group: "meta.k8s.io", kind: "ListOptions", causes: [cause] });
}
