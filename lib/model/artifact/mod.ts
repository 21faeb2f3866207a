/**
 * Artifacts as values. This module has the interface of drivers (`driver.ts`); the table of stores and their fields
 * (`stores.ts`, `fields.ts`), locations (`location.ts`) and paths (`artifact_path.ts`) are separate entry points, since
 * the page and the controller need no driver. The drivers themselves are in `@tiphys/stores`.
 */
export {
  type ContentInfo,
  type Driver,
  type DriverEnvironment,
  type Item,
  type MakeDriver,
  MAX_APPENDED_BYTES,
  type Part,
  type Place,
  type StartedUploads,
  StoreError,
  type StoreErrorKind,
  type TreeDriver,
  type WriteOptions,
} from "./driver.ts";
export { type SecretField, secretOf } from "./secret_fields.ts";
