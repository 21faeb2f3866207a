/** Errors about images, and the settings that an image brings along: what whoever runs containers hears of images. */

/** An image cannot be had. `reason` is the kubelet's: ErrImagePull, InvalidImageName, ErrImageNeverPull. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly reason: string;
  /** Whether nobody answered: another time somebody may. */
  readonly isUnreachable: boolean = false;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The part of an image's configuration that concerns containers made of it. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  /** `NAME[:GROUP]` or `UID[:GID]`; empty: root. */
  readonly user: string;
  /** Whether the image could not be pulled and a stand-in replaces it. */
  readonly isStandIn?: boolean | undefined;
}
