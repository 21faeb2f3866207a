/**
 * Artifacts: one driver per kind of store behind one interface, and the archive formats. A driver is loaded only when a
 * template uses it.
 */
export {
  type BegunUploads,
  type Driver,
  type Found,
  type Item,
  type MakeDriver,
  MOST_ADDED_TO_BYTES,
  type Part,
  type Place,
  StoreError,
  type StoreErrorKind,
  type Surroundings,
  type TreeDriver,
} from "./driver.ts";
export { driverFor } from "./driver_for.ts";
export {
  addressOf,
  DEFAULT_KEY,
  hasLocationOrKey,
  isFolder,
  isFull,
  joinKeys,
  keyOf,
  keyOnly,
  LocationError,
  locationOfRepository,
  placeOf,
  relocate,
  withKey,
  withSubPath,
} from "./location.ts";
export { hasStore, secretSelectors, storeOf, STORES } from "./stores.ts";
export { notDeletable } from "./unsupported.ts";
export * from "./formats/mod.ts";
export * from "./transfer/mod.ts";
