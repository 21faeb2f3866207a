/** Applies a patch of any type. */

import { nestingError } from "@tiphys/base/nesting";
import { applyJsonPatch, JsonPatchError } from "./json.ts";
import { applyMergePatch } from "./merge.ts";
import { mergeTypeOfKind } from "./merge_tables.ts";
import { PatchWork } from "./patch_work.ts";
import { applyStrategicMergePatch } from "./strategic.ts";

/** The formats of patches. */
export type PatchFormat = "json" | "merge" | "strategic";

/** The options of {@link applyPatch}. */
export interface PatchOptions {
  readonly type: PatchFormat;
  /** The kind of the object, which determines how lists merge. */
  readonly kind: string;
  /** Maximum work; by default the maximum of the type. */
  readonly limit?: number;
}

/**
 * Returns the patched object; the given one is not modified.
 * @throws {JsonPatchError} also for a result that is nested too deeply, because repeated patches can deepen an object.
 * @throws {StrategicPatchError}
 * @throws {PatchWorkError} above `limit`.
 */
export function applyPatch(object: unknown, patch: unknown, { type, kind, limit }: PatchOptions): unknown {
  switch (type) {
    case "merge":
      return applyMergePatch(object, patch, limit === undefined ? undefined : new PatchWork(limit));
    case "strategic":
      return applyStrategicMergePatch(object, patch, mergeTypeOfKind(kind), limit);
    case "json": {
      const patched = applyJsonPatch(object, patch, limit);
      const nesting = nestingError(patched);
      if (nesting) throw new JsonPatchError(`${nesting.path}: ${nesting.message}`);
      return patched;
    }
  }
}
