/** The answers of Google's storage, read where they enter: JSON of a server, or of whatever stands before it. */
import { parseJson } from "../../bounded_json.ts";
import { fieldsOf } from "../../fields_of.ts";
import { type ErrorBody, jsonOf } from "../store_request.ts";

/** An object of a bucket, as far as it is looked at. */
export interface Resource {
  readonly name: string;
  /** A number in words. */
  readonly size?: string;
  readonly generation?: string;
  readonly contentEncoding?: string;
}

/**
 * The resource of an answer, which may have no name where it was not asked for.
 * @throws {StoreError} for what is no JSON.
 */
export function resourceOf(what: string, text: string): Resource {
  return asResource(jsonOf(text, `gcs: ${what}`));
}

/**
 * The resources of a list, and the token of its next page.
 * @throws {StoreError} for what is no JSON.
 */
export function pageOf(what: string, text: string): { readonly items: readonly Resource[]; readonly next?: string } {
  const { items, nextPageToken } = fieldsOf(jsonOf(text, `gcs: ${what}`));
  return {
    items: Array.isArray(items) ? items.map(asResource).filter(({ name }) => name !== "") : [],
    ...textAt("next", nextPageToken),
  };
}

/** The error that a refusal tells. */
export function errorBody(text: string): ErrorBody {
  let error: unknown;
  try {
    error = fieldsOf(parseJson(text)).error;
  } catch {
    // Downloads answer in words, and proxies in HTML.
    return text.startsWith("<") ? {} : { message: text };
  }
  if (typeof error === "string") return { code: error };
  const { errors, message } = fieldsOf(error);
  const { reason } = fieldsOf(Array.isArray(errors) ? errors[0] : undefined);
  return { ...textAt("code", reason), ...textAt("message", message) };
}

function asResource(value: unknown): Resource {
  const { name, size, generation, contentEncoding } = fieldsOf(value);
  return {
    name: typeof name === "string" ? name : "",
    ...textAt("size", size),
    ...textAt("generation", generation),
    ...textAt("contentEncoding", contentEncoding),
  };
}

function textAt<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const fields: { [name in Name]?: string } = {};
  if (typeof value === "string" && value !== "") fields[name] = value;
  return fields;
}
