/** Parses responses of Google Cloud Storage: JSON of the server, or of a proxy. */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type ErrorBody, parseJsonResponse } from "@tiphys/artifacts/store_request";

/** An object of a bucket, with the used fields. */
export interface Resource {
  readonly name: string;
  /** A decimal number as text. */
  readonly size?: string;
  readonly generation?: string;
  readonly contentEncoding?: string;
}

/**
 * Returns the resource of a response, which may have no name if it was not requested.
 * @throws {StoreError} for a response that is not JSON.
 */
export function parseResource(operation: string, text: string): Resource {
  return toResource(parseJsonResponse(text, `gcs: ${operation}`));
}

/**
 * Returns the resources of a list, and the token of its next page.
 * @throws {StoreError} for a response that is not JSON.
 */
export function pageOf(
  operation: string,
  text: string,
): { readonly items: readonly Resource[]; readonly next?: string } {
  const { items, nextPageToken } = fieldsOf(parseJsonResponse(text, `gcs: ${operation}`));
  return {
    items: Array.isArray(items) ? items.map(toResource).filter(({ name }) => name !== "") : [],
    ...pickText("next", nextPageToken),
  };
}

/** Returns the error of a response. */
export function errorBody(text: string): ErrorBody {
  let error: unknown;
  try {
    error = fieldsOf(parseJson(text)).error;
  } catch {
    // Downloads respond with text, and proxies with HTML.
    return text.startsWith("<") ? {} : { message: text };
  }
  if (typeof error === "string") return { code: error };
  const { errors, message } = fieldsOf(error);
  const { reason } = fieldsOf(Array.isArray(errors) ? errors[0] : undefined);
  return { ...pickText("code", reason), ...pickText("message", message) };
}

function toResource(value: unknown): Resource {
  const { name, size, generation, contentEncoding } = fieldsOf(value);
  return {
    name: typeof name === "string" ? name : "",
    ...pickText("size", size),
    ...pickText("generation", generation),
    ...pickText("contentEncoding", contentEncoding),
  };
}

function pickText<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const fields: { [name in Name]?: string } = {};
  if (typeof value === "string" && value !== "") fields[name] = value;
  return fields;
}
