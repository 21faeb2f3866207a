/** Artifact garbage collection: its facts, its pods and their reports, and its finalizer. */
export type { GarbageFacts, GarbageReport, GarbageTaskReport } from "../types.ts";
export { garbageRefusalKey } from "./collect.ts";
export { belongsToRound } from "./collector.ts";
export { hasGarbageFinalizer } from "./finalizer.ts";
