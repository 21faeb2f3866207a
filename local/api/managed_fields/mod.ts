/**
 * The owners of an object's fields, as `metadata.managedFields` records them, and server-side apply, which relies on
 * them.
 *
 * - field_set.ts: sets of fields, and how they are written down
 * - shape.ts: where a value of some type parts into fields of their own
 * - field_values.ts: from values to sets of fields and back
 * - managers.ts: the entries of managedFields: what a write does to them
 * - apply.ts: server-side apply
 *
 * All of it is pure; update.ts and create.ts use it.
 */
export { type Applied, applyConfiguration, ApplyConflictError } from "./apply.ts";
export { managedAfterUpdate, type ManagedFieldsEntry, withManagedFields, type Writer } from "./managers.ts";
