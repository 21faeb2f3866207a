/**
 * The images that a stand-in may replace without permission on a machine without a network: images of Docker Hub that workflows
 * use for their shell and common tools. Other images have content that a stand-in lacks, so that a run could succeed wrongly.
 */
import { canonicalName, parseReference } from "@tiphys/registry/reference";

/** The names of the images at Docker Hub; any tag. */
export const BASE_IMAGES: readonly string[] = ["alpine", "bash", "busybox", "debian", "golang", "python", "ubuntu"];

/** Whether a stand-in may replace an image without permission. False for an image with a digest, which requires exact content. */
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
