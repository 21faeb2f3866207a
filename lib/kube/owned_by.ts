/** Checks the owner of an object, which must happen before any other action on it. */

interface OwnedObject {
  readonly metadata: { readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[] };
}

/**
 * Whether an object belongs to this owner of this kind. Names, labels and statuses are not sufficient, because users
 * can write them. UIDs are never reused, so an object of an earlier owner with the same name does not belong to this
 * one.
 */
export function isOwnedBy(
  { metadata }: OwnedObject,
  kind: string,
  owner: { readonly metadata: { readonly uid?: string } },
): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined &&
    (metadata.ownerReferences ?? []).some((reference) => reference.kind === kind && reference.uid === uid);
}
