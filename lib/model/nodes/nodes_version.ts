/** The version of offloaded nodes: the FNV-1 hash (32 bits) of their JSON, as in Argo. */

const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/** An incremental hash. */
export class NodesVersion {
  #hash = OFFSET;

  /** Adds bytes to the hash. */
  read(bytes: Uint8Array): void {
    let hash = this.#hash;
    for (const byte of bytes) hash = Math.imul(hash, PRIME) ^ byte;
    this.#hash = hash;
  }

  /** Returns the version of all bytes so far: `fnv:` and a number. */
  toString(): string {
    return `fnv:${this.#hash >>> 0}`;
  }
}
