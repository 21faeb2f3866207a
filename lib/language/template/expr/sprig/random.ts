/** sprig's random functions. */
import { encodeBase64, INT, STRING } from "@tiphys/base/go";
import { currentBudget } from "../budget.ts";
import { fail } from "../failure.ts";
import { define, type Functions } from "./define.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
const MAX_LENGTH = 1_000_000;

export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  // The platform returns at most 64 KiB per call.
  for (let offset = 0; offset < count; offset += 65_536) {
    crypto.getRandomValues(bytes.subarray(offset, offset + 65_536));
  }
  return bytes;
}

/**
 * Returns a uniform random number below `limit`. Numbers in the incomplete last range are drawn again. NaN for a limit
 * of 0.
 */
export function randomBelow(limit: number): number {
  const fair = Math.floor(0x1_0000_0000 / limit) * limit;
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (!(drawn >= fair)) return drawn % limit;
  }
}

function randomText(alphabet: string) {
  return (count: bigint) => {
    if (count > BigInt(MAX_LENGTH)) fail("memory budget exceeded");
    currentBudget().charge(Number(count) * 1_500);
    return Array.from({ length: Math.max(0, Number(count)) }, () => alphabet.charAt(randomBelow(alphabet.length))).join(
      "",
    );
  };
}

function shuffle(text: string): string {
  const characters = [...text];
  for (let i = characters.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1);
    const [here = "", there = ""] = [characters[i], characters[j]];
    characters[i] = there;
    characters[j] = here;
  }
  return characters.join("");
}

function uuid(): string {
  const bytes = randomBytes(16);
  const marked = bytes.map((byte, i) => i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte);
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const RANDOM: Functions = {
  randAlpha: define("int", STRING, randomText(LETTERS)),
  randAlphaNum: define("int", STRING, randomText(LETTERS + DIGITS)),
  randNumeric: define("int", STRING, randomText(DIGITS)),
  randAscii: define("int", STRING, randomText(PRINTABLE)),
  randInt: define("int int", INT, (min: bigint, bound: bigint) => {
    const width = bound - min;
    if (width <= 0n) fail("invalid argument to Intn");
    return min + (width < 0x1_0000_0000n ? BigInt(randomBelow(Number(width))) : randomInt64() % width);
  }),
  randBytes: define("int", STRING, (count: bigint) => {
    if (count < 0n) fail("runtime error: makeslice: len out of range");
    if (count > BigInt(MAX_LENGTH)) fail("memory budget exceeded");
    currentBudget().charge(Number(count) * 300);
    return encodeBase64(randomBytes(Number(count)));
  }, { fails: true }),
  shuffle: define("string", STRING, shuffle),
  uuidv4: define("", STRING, uuid),
};

function randomInt64(): bigint {
  return randomBytes(8).reduce((total, byte) => (total << 8n) | BigInt(byte), 0n);
}
