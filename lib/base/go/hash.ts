/** The FNV hashes Argo derives names from, over the UTF-8 bytes of a text. */

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

/** FNV-1a, 32 bits: the number in the usual node IDs and pod names. */
export function fnv1a32(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/** FNV-1a, 64 bits: the number in the ID of a node whose usual ID belongs to another node. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of encoder.encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
