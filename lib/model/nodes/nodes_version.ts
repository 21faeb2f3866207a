/** The version of offloaded nodes: a hash of their JSON, as Argo's (FNV-1 of 32 bits). */

const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/** A hash that is fed as the text comes. */
export class NodesVersion {
  #hash = OFFSET;

  /** Takes the next bytes. */
  read(bytes: Uint8Array): void {
    let hash = this.#hash;
    for (const byte of bytes) hash = Math.imul(hash, PRIME) ^ byte;
    this.#hash = hash;
  }

  /** The version of what was read: `fnv:` and a number. */
  toString(): string {
    return `fnv:${this.#hash >>> 0}`;
  }
}
