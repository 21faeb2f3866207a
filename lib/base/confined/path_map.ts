/** A map by path. Deleting a path with everything below it takes constant time. */
export class PathMap<T> {
  readonly #root: PathNode<T> = {};
  #parts = 0;

  /** The number of path segments that were ever added: a measure of the map's memory. */
  get parts(): number {
    return this.#parts;
  }

  /** The root of the tree of segments. */
  get root(): PathNode<T> {
    return this.#root;
  }

  set(path: readonly string[], value: T): void {
    let node = this.#root;
    for (const part of path) {
      node.below ??= new Map();
      let next = node.below.get(part);
      if (!next) {
        node.below.set(part, next = {});
        this.#parts++;
      }
      node = next;
    }
    node.value = value;
  }

  /** Removes the value of a path; values below it remain. */
  unset(path: readonly string[]): void {
    const node = this.#find(path);
    if (node) node.value = undefined;
  }

  /** Removes the value of a path and all values below it. */
  delete(path: readonly string[]): void {
    const name = path.at(-1);
    if (name !== undefined) this.#find(path.slice(0, -1))?.below?.delete(name);
  }

  #find(path: readonly string[]): PathNode<T> | undefined {
    let node: PathNode<T> | undefined = this.#root;
    for (const part of path) node = node?.below?.get(part);
    return node;
  }
}

/** A path segment: its value, if any, and the segments below it by name. */
export interface PathNode<T> {
  value?: T | undefined;
  below?: Map<string, PathNode<T>>;
}
