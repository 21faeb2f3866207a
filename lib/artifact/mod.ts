/**
 * Artifacts: one driver per kind of store behind one interface, and the archives they travel in. A driver is loaded only
 * when a template uses it.
 */
export { type ArtifactLocation, type Driver, NotListableError } from "./driver.ts";
export { driverFor, NoDriverError } from "./driver_for.ts";
export { keyOf, withKey } from "./key.ts";
export { packTarGz } from "./tar.ts";
export { isTarGz, untar } from "./untar.ts";
export { unzip } from "./unzip.ts";
export { packZip } from "./zip.ts";
