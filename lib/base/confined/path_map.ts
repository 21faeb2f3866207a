/** Values by paths: taking a path away takes all below it away, at the same price whatever there is below. */
export class PathMap<T> {
  readonly #root: PathNode<T> = {};
  #parts = 0;

  /** The number of parts of paths that were ever kept, which tells the memory that the map takes. */
  get parts(): number {
    return this.#parts;
  }

  /** The root of the tree of paths. */
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

  /** Takes the value of a path away; those below it stay. */
  unset(path: readonly string[]): void {
    const node = this.#find(path);
    if (node) node.value = undefined;
  }

  /** Takes away the value of a path and all values below it. */
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

/** One part of a path: its value, if it has one, and what is below it by name. */
export interface PathNode<T> {
  value?: T | undefined;
  below?: Map<string, PathNode<T>>;
}
