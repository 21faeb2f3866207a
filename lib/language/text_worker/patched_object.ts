/** Parses a patch and applies it to a stored object: a task of the thread. */
import { parseJson } from "@tiphys/base/bounded_json";
import { LIMITS } from "@tiphys/base/limits";
import { applyPatch, JsonPatchError, type PatchOptions, StrategicPatchError } from "@tiphys/kube/patch";
import type { Json } from "@tiphys/model/api";
import { jsonBody } from "./body_value.ts";

/** A stored object and a patch, both as JSON. */
export interface PatchInput extends Pick<PatchOptions, "type" | "kind"> {
  readonly object: string;
  readonly patch: string;
  /** Maximum length of the patched object as JSON. */
  readonly characters: number;
}

/**
 * The reason why there is no patched object: a body that cannot be parsed or is too large, a patch that does not apply,
 * its result.
 */
export type PatchFailure = "body" | "bodySize" | "patch" | "objectSize";

/** The patched object, or the error. */
export type PatchedObject = { readonly value: Json } | { readonly error: string; readonly reason: PatchFailure };

/** The nesting of a body: a JSON patch has its values two levels deeper. */
export function patchDepth(type: PatchInput["type"]): number {
  return type === "json" ? LIMITS.depth + 2 : LIMITS.depth;
}

/** Returns the patched object, with the bounds of `jsonBody` for the patch and `characters` for the result. */
export function patchedObject({ object, patch, type, kind, characters }: PatchInput): PatchedObject {
  const body = jsonBody({ text: patch, depth: patchDepth(type) });
  if ("error" in body) return { error: body.error, reason: body.isTooLarge ? "bodySize" : "body" };
  try {
    const value = applyPatch(parseJson(object), body.value, { type, kind }) as Json;
    if (JSON.stringify(value).length <= characters) return { value };
    return { error: `the patched object has more than ${characters} characters`, reason: "objectSize" };
  } catch (error) {
    if (!(error instanceof JsonPatchError || error instanceof StrategicPatchError)) throw error;
    return { error: error.message, reason: "patch" };
  }
}
