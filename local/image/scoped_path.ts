/** Paths of an unpacked image: links in it are followed within it, wherever they claim to lead. */
import { Folder, walk } from "@tiphys/base/confined";

/**
 * A path of the image without links in it, the last one kept unless it is to be followed: `/` at least. It is for whoever looks
 * it up below that image again, as a launcher does: outside, nobody may use it in the place of something held.
 * @throws {OutsideError} when there are too many links, or something on the way is no folder.
 */
export function resolveWithin(root: string, path: string, followLast: boolean): string {
  using folder = Folder.open(root);
  using found = walk(folder, path, { links: "follow", last: followLast });
  return `/${found.parts.join("/")}`;
}
