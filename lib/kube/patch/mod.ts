/**
 * Patches as pure functions: merge (RFC 7396), JSON (RFC 6902) and strategic merge with tables of the patched types.
 * The client sends them, the embedded API applies them, and the pod builder and workflow defaults use strategic merges.
 */

export { applyPatch } from "./apply.ts";
export type { PatchFormat, PatchOptions } from "./apply.ts";
export { applyJsonPatch, JsonPatchError } from "./json.ts";
export { applyMergePatch, createMergePatch, sameJson } from "./merge.ts";
export { mergeTable, mergeTypeOfKind } from "./merge_tables.ts";
export type { MergeTable, MergeType } from "./merge_tables.ts";
export { PatchWorkError } from "./patch_work.ts";
export { applyStrategicMergePatch, StrategicPatchError } from "./strategic.ts";
export { createThreeWayPatch } from "./three_way.ts";
export type { ThreeWay } from "./three_way.ts";
