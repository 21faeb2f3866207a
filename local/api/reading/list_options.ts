/** Validates combinations of options of lists and watches. */

import { badRequest, StatusError } from "../status_error.ts";

/** Parses a boolean parameter; undefined if it is absent. */
function parseFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text === "true" || text === "1";
}

/** Reports whether a request for a collection is a watch. */
export function isWatch(query: URLSearchParams): boolean {
  return parseFlag(query, "watch") === true;
}

/**
 * Returns whether a watch begins with the existing objects; undefined if it is not specified.
 * @throws {StatusError} 422 for an invalid combination of options.
 */
export function parseInitialEvents(query: URLSearchParams): boolean | undefined {
  const wanted = parseFlag(query, "sendInitialEvents");
  const match = query.get("resourceVersionMatch") ?? "";
  if (wanted === undefined) {
    if (match === "") return undefined;
    throw refusalOf(
      "resourceVersionMatch",
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    );
  }
  if (match !== "NotOlderThan") {
    throw refusalOf("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  return wanted;
}

/** @throws {StatusError} 422 for an invalid combination of options of a list. */
export function checkListOptions(query: URLSearchParams): void {
  if (query.get("sendInitialEvents") !== null) {
    throw refusalOf("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  const match = query.get("resourceVersionMatch") ?? "";
  const version = query.get("resourceVersion") ?? "";
  if (match === "") return;
  if (version === "") {
    throw refusalOf("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (query.get("continue")) {
    throw refusalOf("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
  }
  if (match === "Exact" && version === "0") {
    throw refusalOf("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`);
  }
}

function refusalOf(field: string, reason: string): StatusError {
  const cause = { reason: "FieldValueForbidden", field, message: `Forbidden: ${reason}` };
  const message = `ListOptions.meta.k8s.io "" is invalid: ${field}: ${cause.message}`;
  return new StatusError(422, "Invalid", message, { group: "meta.k8s.io", kind: "ListOptions", causes: [cause] });
}
