/** The record of who wrote which field of an object (`metadata.managedFields`), as far as we care for it. */

/** The metadata of an object as it may have come from an API server. */
interface OwnedMetadata {
  readonly managedFields?: readonly unknown[] | undefined;
}

/**
 * The value of `metadata.managedFields` by which a server forgets that record, and keeps none until somebody applies the
 * object server-side. Keeping it takes a server more time than the rest of a small write, and as much room as the object.
 */
export const NO_FIELD_OWNERS: readonly Record<string, never>[] = [{}];

/** Whether somebody applies the object server-side: who does needs the record, and it must stay. */
export function isServerSideApplied({ managedFields }: OwnedMetadata): boolean {
  return managedFields?.some((entry) => (entry as { readonly operation?: unknown })?.operation === "Apply") ?? false;
}
