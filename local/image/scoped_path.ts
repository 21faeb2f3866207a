/** Resolves paths of an unpacked image. Links are resolved within the image. */
import { Folder, resolveEntry } from "@tiphys/base/confined";

/**
 * Resolves the links of an absolute path of the image. The last part is only resolved with `followLast`. The result
 * must only be used within the root of the image, as a launcher does: elsewhere it could be replaced by a link in the
 * meantime.
 * @throws {OutsideError} for too many links, or if an intermediate part is not a folder.
 */
export function resolveWithin(root: string, path: string, followLast: boolean): string {
  using folder = Folder.open(root);
  using found = resolveEntry(folder, path, { links: "follow", last: followLast });
  return `/${found.parts.join("/")}`;
}
