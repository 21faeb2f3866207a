/** Checking written objects of our own kinds against their schemas, as strictly as the writer asked. */

import { isKindName } from "../../lib/api/kinds.ts";
import type { FieldError } from "../../lib/api/field_error.ts";
import { parseKind } from "../../lib/api/parse.ts";
import type { KubeObject } from "../../lib/kube/mod.ts";
import type { ServedResource } from "./served_resource.ts";
import { badRequest, type Cause, invalid } from "./status_error.ts";

/** What to do about fields the schema does not know. */
export type Strictness = "Ignore" | "Warn" | "Strict";

/** Reads the fieldValidation parameter; the server's default is to warn. */
export function parseStrictness(text: string | null): Strictness {
  switch (text) {
    case null:
    case "":
      return "Warn";
    case "Ignore":
    case "Warn":
    case "Strict":
      return text;
    default:
      throw badRequest(`fieldValidation: Unsupported value: "${text}": supported values: "Ignore", "Warn", "Strict"`);
  }
}

/**
 * Checks an object; gives the warnings for its writer. Throws StatusError: 422 where a value does not fit the schema,
 * 400 where a field is unknown and the writer is strict.
 */
export function checkFields(object: KubeObject, resource: ServedResource, strictness: Strictness): string[] {
  if (resource.builtIn || resource.group !== "argoproj.io" || !isKindName(resource.kind)) return [];
  const name = object.metadata.name ?? "";
  const lenient = parseKind(resource.kind, object, "lenient");
  if (!lenient.ok) throw invalid(resource, name, lenient.errors.map(cause));
  if (strictness === "Ignore") return [];
  const strict = parseKind(resource.kind, object, "strict");
  if (strict.ok) return [];
  const unknown = strict.errors.map((error) => `unknown field "${error.path}"`);
  if (strictness === "Warn") return unknown;
  throw badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ` +
      `strict decoding error: ${unknown.join(", ")}`,
  );
}

function cause(error: FieldError): Cause {
  return { reason: "FieldValueInvalid", field: error.path || "<root>", message: `Invalid value: ${error.message}` };
}
