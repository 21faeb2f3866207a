/** The representation of objects in a response: complete, metadata only, or rows of a table; in JSON or YAML. */

import { fieldsOf } from "@tiphys/base/fields_of";
import { apiVersionOf } from "@tiphys/kube/resources";
import { stringifyYaml } from "@tiphys/model/yaml";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { listText, type Page } from "./list.ts";
import type { StoredObject } from "../store.ts";
import { type IncludedObject, tableText } from "./table.ts";
import type { Rendering } from "./watch.ts";

/** A supported form. */
export type Form = "object" | "metadata" | "table";

/** The form of a response, and its format. */
export interface Representation {
  readonly form: Form;
  readonly isYaml: boolean;
}

/** The default representation. */
export const PLAIN: Representation = { form: "object", isYaml: false };

const MEDIA_TYPES = ["application/json", "application/yaml"];
const ANY = new Set(["*/*", "application/*", "application/json"]);
const METADATA = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" } as const;

/**
 * Returns the first supported representation in an Accept header. `many` is true for a list.
 * @throws {StatusError} 406 if none is supported.
 */
export function representationOf(accept: string | null, many: boolean): Representation {
  if (accept === null || accept.trim() === "") return PLAIN;
  let asked: string | undefined;
  for (const clause of accept.split(",")) {
    const [type = "", ...parameters] = clause.split(";").map((part) => part.trim().toLowerCase());
    const isYaml = type === "application/yaml";
    if (!isYaml && !ANY.has(type)) continue;
    const wish = new Map(parameters.map((parameter) => parameter.split("=", 2) as [string, string | undefined]));
    const form = parseForm(wish.get("as"), many);
    if (form !== undefined) return { form, isYaml };
    asked = wish.get("as");
  }
  if (asked === "partialobjectmetadata") {
    throw notAcceptableError("you requested PartialObjectMetadata, but the requested object is a list");
  }
  throw notAcceptableError(`only the following media types are accepted: ${MEDIA_TYPES.join(", ")}`);
}

function parseForm(as: string | undefined, many: boolean): Form | undefined {
  switch (as) {
    case undefined:
      return "object";
    case "table":
      return "table";
    case "partialobjectmetadata":
      return many ? undefined : "metadata";
    case "partialobjectmetadatalist":
      return many ? "metadata" : undefined;
  }
}

function notAcceptableError(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** Serializes a page in a form. */
export function pageText(
  form: Form,
  resource: ServedResource,
  page: Page,
  now: Date,
  included?: IncludedObject,
): string {
  switch (form) {
    case "object":
      return listText(resource, page);
    case "table":
      return tableText(resource, page, now, included);
    case "metadata": {
      const items = page.items.map(metadataOf);
      return JSON.stringify({ ...METADATA, kind: `${METADATA.kind}List`, metadata: page.metadata, items });
    }
  }
}

/** Serializes one object in a form. */
export function objectText(
  form: Form,
  resource: ServedResource,
  stored: StoredObject,
  now: Date,
  included?: IncludedObject,
): string {
  switch (form) {
    case "object":
      return stored.text;
    case "metadata":
      return JSON.stringify(metadataOf(stored));
    case "table": {
      const page = { items: [stored], metadata: { resourceVersion: String(stored.version) } };
      return tableText(resource, page, now, included);
    }
  }
}

/** The form of the objects in a watch. */
export function renderingOf(
  form: Form,
  resource: ServedResource,
  now: () => Date,
  included: IncludedObject,
): Rendering {
  return {
    text: (stored) => objectText(form, resource, stored, now(), included),
    bookmark: form === "metadata" ? METADATA : { apiVersion: apiVersionOf(resource), kind: resource.kind },
  };
}

/** The metadata of a serialized object, serialized as well. */
export function metadataText(text: string): string {
  return JSON.stringify({ ...METADATA, metadata: fieldsOf(JSON.parse(text)).metadata });
}

function metadataOf({ object }: StoredObject) {
  return { ...METADATA, metadata: object.metadata };
}

/** The response with a text, in the requested format. */
export function textResponse(text: string, { isYaml }: Representation, status = 200): Response {
  return new Response(isYaml ? stringifyYaml(JSON.parse(text)) : text, {
    status,
    headers: { "content-type": isYaml ? "application/yaml" : "application/json" },
  });
}
