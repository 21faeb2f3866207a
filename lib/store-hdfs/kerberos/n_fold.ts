/** Folds a text to a number of bytes (RFC 3961, 5.1), for the constants of key derivation. */
import type { Bytes } from "@tiphys/base/net";

/** Folds bytes to `size` bytes. */
export function nFold(bytes: Uint8Array, size: number): Bytes {
  const bits = BigInt(bytes.length * 8);
  const value = numberOf(bytes);
  // Concatenates copies, each rotated by 13 more bits, until the length is a multiple of both sizes.
  let copies = "";
  for (let turn = 0n; copies.length === 0 || copies.length / 2 % size !== 0; turn += 13n) {
    const by = turn % bits;
    const turned = BigInt.asUintN(Number(bits), value >> by | value << bits - by);
    copies += turned.toString(16).padStart(bytes.length * 2, "0");
  }
  let sum = 0n;
  for (let offset = 0; offset < copies.length; offset += size * 2) {
    sum += BigInt(`0x${copies.slice(offset, offset + size * 2)}`);
  }
  // The carry is added at the other end.
  const width = BigInt(size * 8);
  while (sum >> width > 0n) sum = BigInt.asUintN(size * 8, sum) + (sum >> width);
  return Uint8Array.fromHex(sum.toString(16).padStart(size * 2, "0"));
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toHex()}`);
}
