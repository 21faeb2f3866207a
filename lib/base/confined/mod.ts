/**
 * File access below one folder that never leaves it, whatever the folder contains and whichever process changes it at
 * the same time. Archives and images are unpacked with it, and volumes of containers are read with it. A path is
 * resolved segment by segment; each segment is opened as a handle, and the kernel never follows a link: a link is
 * rejected, or resolved as if the folder were `/`.
 *
 * - `handle.ts`: an entry, as a descriptor
 * - `folder.ts`: a folder and its entries by plain name
 * - `walk.ts`: resolves a path below a folder
 * - `tree.ts`: creates the files, folders and links of an archive
 * - `limits.ts`: the limits of an archive
 * - `bounded.ts`: reads no more than a limit
 */
export { NotAFileError, openFile, readBounded, TooLargeError } from "./bounded.ts";
export { Folder, MAX_DEPTH } from "./folder.ts";
export { Handle } from "./handle.ts";
export { type TreeLimits, treeLimits, UnpackCounter, UnpackLimitError } from "./limits.ts";
export { Tree, type TreeOptions } from "./tree.ts";
export { type EntryLocation, OutsideError, resolveEntry, type ResolveOptions } from "./walk.ts";
