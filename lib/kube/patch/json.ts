/** JSON patches (RFC 6902). */

import { UserError } from "../../user_error.ts";
import jsonpatch from "fast-json-patch";

/** The patch cannot be applied: it is malformed, names a place that is not there, or a test of it failed. */
export class JsonPatchError extends UserError {
  override readonly name = "JsonPatchError";
}

/**
 * The document with every operation applied in order; the document itself is left as it is.
 * @throws {JsonPatchError}
 */
export function applyJsonPatch<T>(document: T, patch: unknown): T {
  if (!Array.isArray(patch)) throw new JsonPatchError("Expected a JSON patch to be a list of operations");
  try {
    return jsonpatch.applyPatch(structuredClone(document), patch, true, true, true).newDocument;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const details = error as Error & { index?: number; operation?: { op?: string; path?: string }; code?: string };
    const { op = "?", path = "?" } = details.operation ?? {};
    throw new JsonPatchError(`Operation ${details.index ?? 0} (${op} ${path}) cannot be applied: ${reason(error)}`, {
      cause: error,
    });
  }
}

/** The library's message carries the whole document behind its first line; that may hold a Secret. */
function reason(error: Error): string {
  return error.message.split("\n")[0]!;
}
