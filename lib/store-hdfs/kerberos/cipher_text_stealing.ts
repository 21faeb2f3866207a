/** AES in CBC mode with ciphertext stealing (RFC 3962): the output has the length of the input. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Bytes } from "@tiphys/base/net";
import { joinedBytes } from "@tiphys/base/joined_bytes";

const BLOCK_BYTES = 16;
const ZERO = new Uint8Array(BLOCK_BYTES);

/** Encrypts at least one block. The initialization vector is zero. */
export function encryptStealing(key: Uint8Array, plain: Uint8Array): Bytes {
  const padded = new Uint8Array(Math.ceil(plain.length / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(plain);
  const chained = chain(createCipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), padded);
  const last = chained.length - BLOCK_BYTES;
  if (last === 0) return chained;
  // The last two blocks are swapped, and the block that is now last is truncated.
  return joinedBytes([
    chained.subarray(0, last - BLOCK_BYTES),
    chained.subarray(last),
    chained.subarray(last - BLOCK_BYTES, plain.length - BLOCK_BYTES),
  ]);
}

/** Decrypts the output of {@link encryptStealing}: at least one block. */
export function decryptStealing(key: Uint8Array, sealed: Uint8Array): Bytes {
  const open = (bytes: Uint8Array) => chain(createDecipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), bytes);
  if (sealed.length === BLOCK_BYTES) return open(sealed);
  const cut = Math.ceil(sealed.length / BLOCK_BYTES - 1) * BLOCK_BYTES;
  const stolen = sealed.subarray(cut);
  const last = sealed.subarray(cut - BLOCK_BYTES, cut);
  // The truncated part of the block before the last is in the last one, below the padding of zeros.
  const filled = joinedBytes([stolen, open(last).subarray(stolen.length)]);
  return open(joinedBytes([sealed.subarray(0, cut - BLOCK_BYTES), filled, last])).subarray(0, sealed.length);
}

/** Encrypts a single block. */
export function encryptBlock(key: Uint8Array, block: Uint8Array): Bytes {
  return chain(createCipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), block);
}

function chain(cipher: ReturnType<typeof createCipheriv>, bytes: Uint8Array): Bytes {
  cipher.setAutoPadding(false);
  return joinedBytes([cipher.update(bytes), cipher.final()]);
}
