/**
 * Artifacts: one driver per kind of store behind one interface, and the archive formats. A driver is loaded only when a
 * template uses it.
 */
export {
  type BegunUploads,
  type ContentInfo,
  type Driver,
  type Item,
  type MakeDriver,
  MOST_ADDED_TO_BYTES,
  type Part,
  type Place,
  StoreError,
  type StoreErrorKind,
  type Surroundings,
  type TreeDriver,
} from "@tiphys/model/artifact";
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
} from "@tiphys/model/artifact/location";
export { hasStore, secretSelectors, storeOf, STORES } from "@tiphys/model/artifact/stores";
export { notDeletable } from "@tiphys/model/artifact/unsupported";
export * from "@tiphys/artifacts/formats";
export * from "@tiphys/artifacts/transfer";
