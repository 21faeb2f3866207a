/** The record of field owners of an object (`metadata.managedFields`). */

/** Metadata of an object as received from an API server. */
interface OwnedMetadata {
  readonly managedFields?: readonly unknown[] | undefined;
}

/**
 * The value of `metadata.managedFields` that makes a server drop the record and keep none until somebody applies the
 * object server-side. Maintaining it takes a server more time than the rest of a small write, and as much space as the
 * object.
 */
export const NO_FIELD_OWNERS: readonly Record<string, never>[] = [{}];

/** Whether somebody applies the object server-side, which requires the record. */
export function isServerSideApplied({ managedFields }: OwnedMetadata): boolean {
  return managedFields?.some((entry) => (entry as { readonly operation?: unknown })?.operation === "Apply") ?? false;
}
