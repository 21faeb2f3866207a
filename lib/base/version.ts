/** The version of this release; also the tag of the executor and controller images. */
export const VERSION = "0.1.0";
