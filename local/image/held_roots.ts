/** Roots of images that are used as long as a runtime exists: each is held once, regardless of the number of uses. */

import type { ImageRoot } from "./image_store.ts";

/** Image roots by folder. Disposing this releases all of them. */
export class HeldRoots implements Disposable {
  readonly #roots = new Map<string, ImageRoot>();

  /** Holds a root until all are released. @returns its folder. */
  hold(root: ImageRoot): string {
    if (this.#roots.has(root.folder)) root[Symbol.dispose]();
    else this.#roots.set(root.folder, root);
    return root.folder;
  }

  [Symbol.dispose](): void {
    for (const root of this.#roots.values()) root[Symbol.dispose]();
    this.#roots.clear();
  }
}
