/** The version of this release; the images of executor and controller carry it as their tag. */
export const VERSION = "0.1.0";
