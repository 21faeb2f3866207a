/** The FNV hashes of a text's UTF-8 bytes, from which Argo derives names. */

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

/** FNV-1a, 32 bits: the number in node IDs and pod names. */
export function fnv1a32(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/** FNV-1a, 64 bits: the number in a node's ID when its 32-bit ID collides with that of another node. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of encoder.encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
