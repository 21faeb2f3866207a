/** Decides whether an image is pulled again after a failure. */
import { ImageError } from "@tiphys/registry/image_error";

/**
 * Whether no pull follows a failure: the attempts are used up, or another attempt would fail as well (the name is invalid, or
 * the pod does not allow pulls).
 * @param attempts maximum number of attempts for an image; undefined for no maximum.
 */
export function isLastPull(error: unknown, attempts: number | undefined): error is ImageError {
  if (attempts === undefined || !(error instanceof ImageError)) return false;
  return error.reason !== "ErrImagePull" || error.attempts >= attempts;
}
