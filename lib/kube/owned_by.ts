/** The owner of an object: the one question that comes before anything is done to it. */

interface Owned {
  readonly metadata: { readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[] };
}

/**
 * Whether an object was made for this very owner, which is of that kind. Its name, its labels and what a status says of it
 * prove nothing: people write those. A UID never comes back, so an object of an earlier owner of the name is not of this one.
 */
export function isOwnedBy(
  { metadata }: Owned,
  kind: string,
  owner: { readonly metadata: { readonly uid?: string } },
): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined &&
    (metadata.ownerReferences ?? []).some((reference) => reference.kind === kind && reference.uid === uid);
}
