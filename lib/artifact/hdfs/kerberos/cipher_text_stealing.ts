/** AES in chained blocks with stolen cipher text (RFC 3962): what comes out is as long as what went in. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Bytes } from "../../../net/mod.ts";
import { joinedBytes } from "../../../joined_bytes.ts";

const BLOCK_BYTES = 16;
const ZERO = new Uint8Array(BLOCK_BYTES);

/** Encrypts a block or more; the chain begins at zero. */
export function encryptStealing(key: Uint8Array, plain: Uint8Array): Bytes {
  const padded = new Uint8Array(Math.ceil(plain.length / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(plain);
  const chained = chain(createCipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), padded);
  const last = chained.length - BLOCK_BYTES;
  if (last === 0) return chained;
  // The last two blocks change places, and of the one that is the last then only so much is told as is needed.
  return joinedBytes([
    chained.subarray(0, last - BLOCK_BYTES),
    chained.subarray(last),
    chained.subarray(last - BLOCK_BYTES, plain.length - BLOCK_BYTES),
  ]);
}

/** Decrypts what {@link encryptStealing} made: a block or more. */
export function decryptStealing(key: Uint8Array, sealed: Uint8Array): Bytes {
  const open = (bytes: Uint8Array) => chain(createDecipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), bytes);
  if (sealed.length === BLOCK_BYTES) return open(sealed);
  const cut = Math.ceil(sealed.length / BLOCK_BYTES - 1) * BLOCK_BYTES;
  const stolen = sealed.subarray(cut);
  const last = sealed.subarray(cut - BLOCK_BYTES, cut);
  // What was left out of the block before the last lies in the last one, below the zeros that filled it up.
  const filled = joinedBytes([stolen, open(last).subarray(stolen.length)]);
  return open(joinedBytes([sealed.subarray(0, cut - BLOCK_BYTES), filled, last])).subarray(0, sealed.length);
}

/** One block, by itself. */
export function encryptBlock(key: Uint8Array, block: Uint8Array): Bytes {
  return chain(createCipheriv(`aes-${key.length * 8}-cbc`, key, ZERO), block);
}

function chain(cipher: ReturnType<typeof createCipheriv>, bytes: Uint8Array): Bytes {
  cipher.setAutoPadding(false);
  return joinedBytes([cipher.update(bytes), cipher.final()]);
}
