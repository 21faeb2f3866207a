/**
 * The images that a stand-in may replace unasked on a machine without a network: images of Docker Hub that workflows use for
 * their shell and common tools. Any other image has content that a stand-in lacks, and a run that is green without it would
 * be wrong.
 */
import { canonicalName, parseReference } from "@tiphys/registry/reference";

/** The names of the images at Docker Hub; any tag. */
export const BASE_IMAGES: readonly string[] = ["alpine", "bash", "busybox", "debian", "golang", "python", "ubuntu"];

/** Whether a stand-in may replace an image unasked. An image with a digest is this very content and nothing else. */
export function isBaseImage(name: string): boolean {
  try {
    const reference = parseReference(name);
    if (reference.digest !== undefined) return false;
    const [, repository] = /^docker\.io\/library\/([^:@]+)/.exec(canonicalName(reference)) ?? [];
    return repository !== undefined && BASE_IMAGES.includes(repository);
  } catch {
    return false;
  }
}
