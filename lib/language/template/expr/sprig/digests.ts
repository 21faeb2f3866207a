/** sprig's hashes, passwords and ciphers. */
import { cbc } from "@noble/ciphers/aes.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { hashSync } from "bcryptjs";
import {
  byteLength,
  decodeBase64,
  encodeBase64,
  fromBytes,
  STRING,
  toBytes,
  UINT32,
  type Value,
} from "@tiphys/base/go";
import { asRunFailure, fail } from "../failure.ts";
import { define, type Functions } from "./define.ts";
import { randomBytes } from "./random.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function adler32(text: string): string {
  let [a, b] = [1, 0];
  for (const byte of toBytes(text)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
}

const BCRYPT_COST = 10;

function bcrypt(password: string): string {
  if (byteLength(password) > 72) {
    return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
  }
  return hashSync(password, BCRYPT_COST).replace(/^\$2[by]/, "$2a");
}

function htpasswd(user: string, password: string): string {
  return user.includes(":") ? `invalid username: ${user}` : `${user}:${bcrypt(password)}`;
}

const BLOCK = 16;

/** Returns the AES-256 key: the password's first 32 bytes, padded with zeros. */
function aesKey(password: string): Uint8Array {
  const key = new Uint8Array(32);
  key.set(toBytes(password).subarray(0, 32));
  return key;
}

function encryptAes(password: string, text: string): string {
  if (text === "") return "";
  const iv = randomBytes(BLOCK);
  const sealed = cbc(aesKey(password), iv).encrypt(toBytes(text));
  const both = new Uint8Array(BLOCK + sealed.length);
  both.set(iv);
  both.set(sealed, BLOCK);
  return encodeBase64(both);
}

function decryptAes(password: string, sealed: string): string {
  if (sealed === "") return "";
  const bytes = asRunFailure(() => decodeBase64(sealed));
  if (bytes.length < BLOCK) fail("runtime error: slice bounds out of range");
  const body = bytes.subarray(BLOCK);
  if (body.length % BLOCK !== 0) fail("crypto/cipher: input not full blocks");
  if (body.length === 0) fail("runtime error: index out of range [-1]");
  const plain = cbc(aesKey(password), bytes.subarray(0, BLOCK), { disablePadding: true }).decrypt(body);
  const padding = plain.at(-1) ?? 0;
  if (padding > plain.length) fail("runtime error: slice bounds out of range");
  return fromBytes(plain.subarray(0, plain.length - padding));
}

const SEED = "com.lyndir.masterpassword";
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  maximum: ["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"],
  long: (
    "CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv " +
    "CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv " +
    "CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno"
  ).split(" "),
  medium: ["CvcnoCvc", "CvcCvcno"],
  short: ["Cvcn"],
  basic: ["aaanaaan", "aannaaan", "aaannaaa"],
  pin: ["nnnn"],
};
const CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ";
const CHARACTERS: Readonly<Record<string, string>> = {
  V: "AEIOU",
  C: CONSONANTS,
  v: "aeiou",
  c: CONSONANTS.toLowerCase(),
  A: "AEIOU" + CONSONANTS,
  a: "AEIOUaeiou" + CONSONANTS + CONSONANTS.toLowerCase(),
  n: "0123456789",
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: "AEIOUaeiou" + CONSONANTS + CONSONANTS.toLowerCase() + "0123456789!@#$%^&*()",
};

function bigEndian(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** The Master Password algorithm. A counter other than nil is impossible, because its type has no literal. */
function derivePassword(counter: Value, kind: string, password: string, user: string, site: string): string {
  const templates = Object.hasOwn(TEMPLATES, kind) ? TEMPLATES[kind] : undefined;
  if (templates === undefined) return `cannot find password template ${kind}`;
  const salt = joinedBytes([toBytes(SEED), bigEndian(byteLength(user)), toBytes(user)]);
  const key = scrypt(toBytes(password), salt, { N: 32_768, r: 8, p: 2, dkLen: 64 });
  const count = (counter as { value: bigint }).value;
  const message = joinedBytes([toBytes(SEED), bigEndian(byteLength(site)), toBytes(site), bigEndian(Number(count))]);
  const [choice = 0, ...draws] = hmac(sha256, key, message);
  const template = templates[choice % templates.length] ?? "";
  return Array.from(template, (letter, i) => characterAt(CHARACTERS[letter] ?? "", draws[i] ?? 0)).join("");
}

function characterAt(characters: string, draw: number): string {
  return characters.charAt(draw % characters.length);
}

const digest = (hash: (bytes: Uint8Array) => Uint8Array) =>
  define("string", STRING, (text: string) => hex(hash(toBytes(text))));

export const DIGESTS: Functions = {
  sha1sum: digest(sha1),
  sha256sum: digest(sha256),
  sha512sum: digest(sha512),
  adler32sum: define("string", STRING, adler32),
  bcrypt: define("string", STRING, bcrypt),
  htpasswd: define("string string", STRING, htpasswd),
  encryptAES: define("string string", STRING, encryptAes, { fails: true }),
  decryptAES: define("string string", STRING, decryptAes, { fails: true }),
  derivePassword: define("counter string string string string", STRING, derivePassword, { types: { counter: UINT32 } }),
};
