/** The takeover of an installed Argo: its plan, the replacement of images with a canary, and the rollback. */
export type { InstalledProgram, Manager } from "../deployments.ts";
export type { PodsInFlight } from "./in_flight.ts";
export { imagesOf, instructionsFor, planOf, type Replacement } from "./plan.ts";
export { type Rehearsal, type Takeover, type TakeoverFailure, takeoverOf } from "./takeover.ts";
