/**
 * Artifacts: one driver per kind of store behind one interface, and the archive they travel in. A driver is loaded only
 * when a template uses it.
 */
export { type Driver, driverFor, hasStore, NoDriverError } from "./driver.ts";
export { packTarGz } from "./tar.ts";
