/** Roots of images that are read for as long as a back end is there: each is held once, however often it is asked for. */

import type { ImageRoot } from "./image_store.ts";

/** Roots by their folders. */
export class HeldRoots implements Disposable {
  readonly #roots = new Map<string, ImageRoot>();

  /** Holds a root until all are let go of. @returns its folder. */
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
