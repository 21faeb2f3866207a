/**
 * Artifacts: one driver per kind of store behind one interface, and the archive they travel in. A driver is loaded only
 * when a template uses it.
 */
export type { ArtifactLocation, Driver } from "./driver.ts";
export { driverFor, NoDriverError } from "./driver_for.ts";
export { packTarGz } from "./tar.ts";
