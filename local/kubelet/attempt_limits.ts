/** Decides whether an image is pulled again, or a container is prepared again, after a failure. */
import { ImageError } from "@tiphys/registry/image_error";
import type { SetupError } from "./setup_error.ts";

/** The number of failures after which a pod fails. Without limits it waits, as in a cluster. */
export interface AttemptLimits {
  /** Failed pulls of an image. */
  readonly pulls: number;
  /** Failures to prepare a container or volume for another reason, such as a missing Secret: one per second. */
  readonly setups: number;
}

/**
 * Whether no attempt follows a failure: the attempts are used up, or another pull would fail as well (the name is
 * invalid, or the pod does not allow pulls).
 * @param setups number of failures so far.
 */
export function isLastAttempt(
  error: SetupError | ImageError,
  setups: number,
  limits: AttemptLimits | undefined,
): boolean {
  if (limits === undefined) return false;
  if (!(error instanceof ImageError)) return setups >= limits.setups;
  return error.reason !== "ErrImagePull" || error.attempts >= limits.pulls;
}
