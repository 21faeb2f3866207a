/** The folding of a text to a number of bytes (RFC 3961, 5.1): the constants that keys are derived by. */
import type { Bytes } from "../../../net/mod.ts";

/** Folds bytes to `size` of them. */
export function nFold(bytes: Uint8Array, size: number): Bytes {
  const bits = BigInt(bytes.length * 8);
  const value = numberOf(bytes);
  // Copies, each turned by 13 bits more than the one before, until their length divides by both sizes.
  let copies = "";
  for (let turn = 0n; copies.length === 0 || copies.length / 2 % size !== 0; turn += 13n) {
    const by = turn % bits;
    const turned = BigInt.asUintN(Number(bits), value >> by | value << bits - by);
    copies += turned.toString(16).padStart(bytes.length * 2, "0");
  }
  let sum = 0n;
  for (let at = 0; at < copies.length; at += size * 2) sum += BigInt(`0x${copies.slice(at, at + size * 2)}`);
  // What does not fit is added at the other end.
  const width = BigInt(size * 8);
  while (sum >> width > 0n) sum = BigInt.asUintN(size * 8, sum) + (sum >> width);
  return Uint8Array.fromHex(sum.toString(16).padStart(size * 2, "0"));
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toHex()}`);
}
