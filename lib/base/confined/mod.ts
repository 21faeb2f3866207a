/**
 * Work below one folder and never outside of it, whatever lies there and whoever changes it meanwhile: archives and
 * images are unpacked through this, and what a container left in a volume is read through it. A path is taken one step
 * at a time; each step is opened and held, and a link is never followed by the kernel: it is refused, or read and
 * resolved as if the folder were `/`.
 *
 * - `held.ts`: something that is held by its descriptor
 * - `folder.ts`: a folder that is held; everything in it by a name that is no path
 * - `walk.ts`: the way to a path below a folder
 * - `tree.ts`: making files, folders and links below a folder, as an archive says
 * - `limits.ts`: how much an archive may bring
 * - `bounded.ts`: reading no more than a limit
 */
export { NoFileError, openFile, readBounded, TooLargeError } from "./bounded.ts";
export { DEEPEST, Folder } from "./folder.ts";
export { Held } from "./held.ts";
export { type TreeLimits, treeLimits, UnpackedTooMuchError } from "./limits.ts";
export { Tree, type TreeOptions } from "./tree.ts";
export { type Found, OutsideError, walk, type WalkOptions } from "./walk.ts";
