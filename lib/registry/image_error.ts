/** Errors of images, and the configuration of an image for its containers. */
import { LIMITS } from "@tiphys/base/limits";

/** The maximum number of characters of the end of a long message that are kept: the reason follows what is quoted. */
const MESSAGE_END = 1024;

/**
 * The error of an image that is not available. `reason` is the kubelet's: ErrImagePull, InvalidImageName,
 * ErrImageNeverPull.
 */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly reason: string;
  /** Whether no server responded, so that a retry may succeed. */
  readonly isUnreachable: boolean = false;
  /** The number of pulls of the image that have failed in a row. Set by the backoff of pulls. */
  attempts = 1;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(shortened(message), options);
    this.reason = reason;
  }
}

/** Shortens a message in the middle: it may quote a registry, and becomes a part of the pod's status. */
function shortened(message: string): string {
  if (message.length <= LIMITS.message) return message;
  return `${message.slice(0, LIMITS.message - MESSAGE_END)}…${message.slice(-MESSAGE_END)}`;
}

/** The configuration of an image that applies to its containers. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  /** `NAME[:GROUP]` or `UID[:GID]`; empty for root. */
  readonly user: string;
  /** Whether the image could not be pulled and a stand-in replaces it. */
  readonly isStandIn?: boolean | undefined;
}
