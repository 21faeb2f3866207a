/**
 * Keys of Kerberos, with their encryption and checksums: AES with SHA-1 (RFC 3962) or SHA-2 (RFC 8009). Older types are
 * rejected by name.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Bytes } from "@tiphys/base/net";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { decryptStealing, encryptBlock, encryptStealing } from "./cipher_text_stealing.ts";
import { nFold } from "./n_fold.ts";

const CONFOUNDER_BYTES = 16;

/** The constants of derived keys by purpose. */
const PURPOSE = { checksum: 0x99, encryption: 0xaa, integrity: 0x55 };

interface EncryptionType {
  readonly name: string;
  readonly keyBytes: number;
  readonly hash: "sha1" | "sha256" | "sha384";
  /** Size of a transmitted checksum. */
  readonly sumBytes: number;
  /** Size of keys for checksums. With SHA-1, that of the key itself. */
  readonly sumKeyBytes: number;
  /** The number of its checksum type. */
  readonly checksumType: number;
}

const TYPES: ReadonlyMap<number, EncryptionType> = new Map([
  [18, {
    name: "aes256-cts-hmac-sha1-96",
    keyBytes: 32,
    hash: "sha1",
    sumBytes: 12,
    sumKeyBytes: 32,
    checksumType: 16,
  }],
  [17, {
    name: "aes128-cts-hmac-sha1-96",
    keyBytes: 16,
    hash: "sha1",
    sumBytes: 12,
    sumKeyBytes: 16,
    checksumType: 15,
  }],
  [20, {
    name: "aes256-cts-hmac-sha384-192",
    keyBytes: 32,
    hash: "sha384",
    sumBytes: 24,
    sumKeyBytes: 24,
    checksumType: 20,
  }],
  [19, {
    name: "aes128-cts-hmac-sha256-128",
    keyBytes: 16,
    hash: "sha256",
    sumBytes: 16,
    sumKeyBytes: 16,
    checksumType: 19,
  }],
]);

/** The numbers of supported encryption types, in order of preference. */
export const ENCRYPTION_TYPES: readonly number[] = [...TYPES.keys()];

const OLD_NAMES: Readonly<Record<number, string>> = {
  1: "des-cbc-crc",
  3: "des-cbc-md5",
  16: "des3-cbc-sha1",
  23: "rc4-hmac",
  25: "camellia128-cts-cmac",
  26: "camellia256-cts-cmac",
};

/** Returns the name of an encryption type, as in `krb5.conf`. */
export function encryptionName(number: number): string {
  return TYPES.get(number)?.name ?? OLD_NAMES[number] ?? `the type of encryption ${number}`;
}

/** Error for bytes that were encrypted with another key or modified, or for an invalid key. */
export class KeyMismatchError extends Error {
  override readonly name = "KeyMismatchError";
}

/** A key. When it is printed, its bytes are not shown. */
export class Key {
  /** The number of its encryption type. */
  readonly number: number;
  readonly #type: EncryptionType;
  readonly #bytes: Uint8Array;
  readonly #derived = new Map<number, Bytes>();

  /** @throws {KeyMismatchError} when the encryption type is unsupported, or the length is wrong. */
  constructor(number: number, bytes: Uint8Array) {
    const type = TYPES.get(number);
    if (!type) throw new KeyMismatchError(`unsupported encryption type of a key: ${encryptionName(number)}`);
    if (bytes.length !== type.keyBytes) {
      throw new KeyMismatchError(`the key does not have the length of a ${type.name} key`);
    }
    this.number = number;
    this.#type = type;
    this.#bytes = bytes;
  }

  /** Returns a random key of the same type. */
  static random(like: Key): Key {
    return new Key(like.number, crypto.getRandomValues(new Uint8Array(like.#bytes.length)));
  }

  /** Returns the bytes, to be sent in an encrypted message. */
  exportBytes(): Uint8Array {
    return this.#bytes;
  }

  get checksumType(): number {
    return this.#type.checksumType;
  }

  get checksumBytes(): number {
    return this.#type.sumBytes;
  }

  /** Encrypts bytes for a usage number. */
  encrypt(usage: number, plain: Uint8Array): Bytes {
    const confounded = joinedBytes([crypto.getRandomValues(new Uint8Array(CONFOUNDER_BYTES)), plain]);
    const sealed = encryptStealing(this.#derive(usage, PURPOSE.encryption), confounded);
    return joinedBytes([sealed, this.#sealSum(usage, confounded, sealed)]);
  }

  /** @throws {KeyMismatchError} when they were encrypted with another key or usage, or modified. */
  decrypt(usage: number, bytes: Uint8Array): Bytes {
    const end = bytes.length - this.#type.sumBytes;
    if (end < CONFOUNDER_BYTES) throw new KeyMismatchError("the encrypted data is too short");
    const sealed = bytes.subarray(0, end);
    const confounded = decryptStealing(this.#derive(usage, PURPOSE.encryption), sealed);
    if (!timingSafeEqual(this.#sealSum(usage, confounded, sealed), bytes.subarray(end))) {
      throw new KeyMismatchError("the encrypted data does not match its checksum");
    }
    return confounded.subarray(CONFOUNDER_BYTES);
  }

  /** Returns a keyed checksum. */
  checksum(usage: number, bytes: Uint8Array): Bytes {
    return this.#hmac(this.#derive(usage, PURPOSE.checksum), bytes);
  }

  /** @throws {KeyMismatchError} when the checksum differs. */
  verify(usage: number, bytes: Uint8Array, sum: Uint8Array): void {
    const own = this.checksum(usage, bytes);
    if (own.length !== sum.length || !timingSafeEqual(own, sum)) {
      throw new KeyMismatchError("the signed data does not match its checksum");
    }
  }

  /** With SHA-1, the checksum covers the plaintext; with SHA-2, the initialization vector and the ciphertext. */
  #sealSum(usage: number, confounded: Uint8Array, sealed: Uint8Array): Bytes {
    const key = this.#derive(usage, PURPOSE.integrity);
    if (this.#type.hash === "sha1") return this.#hmac(key, confounded);
    return this.#hmac(key, joinedBytes([new Uint8Array(CONFOUNDER_BYTES), sealed]));
  }

  #hmac(key: Uint8Array, bytes: Uint8Array): Bytes {
    return new Uint8Array(createHmac(this.#type.hash, key).update(bytes).digest().subarray(0, this.#type.sumBytes));
  }

  #derive(usage: number, purpose: number): Bytes {
    const name = usage * 256 + purpose;
    const derived = this.#derived.get(name) ?? this.#computeDerived(numberBytes(usage, purpose), purpose);
    this.#derived.set(name, derived);
    return derived;
  }

  #computeDerived(label: Uint8Array, purpose: number): Bytes {
    const { hash, keyBytes, sumKeyBytes } = this.#type;
    const size = purpose === PURPOSE.encryption ? keyBytes : sumKeyBytes;
    if (hash !== "sha1") {
      const text = joinedBytes([numberBytes(1), label, new Uint8Array(1), numberBytes(size * 8)]);
      return new Uint8Array(createHmac(hash, this.#bytes).update(text).digest().subarray(0, size));
    }
    const first = encryptBlock(this.#bytes, nFold(label, 16));
    return joinedBytes([first, encryptBlock(this.#bytes, first)]).subarray(0, size);
  }
}

/** Returns a number in four bytes, followed by other bytes. */
function numberBytes(number: number, ...behind: readonly number[]): Uint8Array {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number, ...behind);
}
