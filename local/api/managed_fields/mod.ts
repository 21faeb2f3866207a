/**
 * The owners of an object's fields, as `metadata.managedFields` records them, and server-side apply, which relies on
 * them.
 *
 * - field_set.ts: sets of fields, and their serialization
 * - shape.ts: how values of a type are divided into fields
 * - field_values.ts: converts values to sets of fields and back
 * - managers.ts: the entries of managedFields, and the effect of writes on them
 * - apply.ts: server-side apply
 *
 * All of it is pure. update.ts and create.ts use it.
 */
export { applyConfiguration, ApplyConflictError } from "./apply.ts";
export { managedAfterUpdate, type ManagedFieldsEntry, withManagedFields, type Writer } from "./managers.ts";
