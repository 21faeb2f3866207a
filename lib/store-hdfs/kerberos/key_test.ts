import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { decryptStealing, encryptStealing } from "./cipher_text_stealing.ts";
import { ENCRYPTION_TYPES, Key, KeyMismatchError } from "./key.ts";
import { nFold } from "./n_fold.ts";
import { newKey } from "./testing/kdc.ts";

const hex = (text: string) => Uint8Array.fromHex(text);
const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("encryptStealing() computes the examples of RFC 3962, and decryptStealing() inverts it", () => {
  const key = utf8("chicken teriyaki");
  const text = "I would like the General Gau's Chicken, please, and wonton soup.";
  for (
    const [size, sealed] of [
      [17, "c6353568f2bf8cb4d8a580362da7ff7f97"],
      [31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"],
      [32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"],
      [
        47,
        "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
      ],
      [
        48,
        "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8",
      ],
      [
        64,
        "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a84807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
      ],
    ] as const
  ) {
    const plain = utf8(text.slice(0, size));
    assertEquals(encryptStealing(key, plain).toHex(), sealed);
    assertEquals(decryptStealing(key, hex(sealed)), plain);
  }
});

Deno.test("nFold() computes the examples of RFC 3961", () => {
  for (
    const [text, size, folded] of [
      ["012345", 8, "be072631276b1955"],
      ["password", 7, "78a07b6caf85fa"],
      ["Rough Consensus, and Running Code", 8, "bb6ed30870b7f0e0"],
      ["password", 21, "59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e"],
      ["Q", 21, "518a54a215a8452a518a54a215a8452a518a54a215"],
      ["kerberos", 16, "6b65726265726f737b9b5b2b93132b93"],
    ] as const
  ) assertEquals(nFold(utf8(text), size).toHex(), folded);
});

Deno.test("Key: decrypts and sums the examples of RFC 8009", () => {
  const aes128 = new Key(19, hex("3705d96080c17728a0e800eab6e0d23c"));
  const aes256 = new Key(20, hex("6d404d37faf79f9df0d33568d320669800eb4836472ea8a026d16b7182460c52"));
  for (
    const [key, sealed, plain] of [
      [aes128, "ef85fb890bb8472f4dab20394dca781dad877eda39d50c870c0d5a0a8e48c718", ""],
      [
        aes128,
        "84d7f30754ed987bab0bf3506beb09cfb55402cef7e6877ce99e247e52d16ed4421dfdf8976c",
        "000102030405",
      ],
      [aes256, "41f53fa5bfe7026d91faf9be959195a058707273a96a40f0a01960621ac612748b9bbfbe7eb4ce3c", ""],
    ] as const
  ) assertEquals(key.decrypt(2, hex(sealed)).toHex(), plain);
  const text = hex("000102030405060708090a0b0c0d0e0f1011121314");
  assertEquals(aes128.checksum(2, text).toHex(), "d78367186643d67b411cba9139fc1dee");
  assertEquals(aes256.checksum(2, text).toHex(), "45ee791567eefca37f4ac1e0222de80d43c3bfa06699672a");
});

Deno.test("Key: decrypts its own output of any size, but rejects another usage or a changed bit", () => {
  for (const number of ENCRYPTION_TYPES) {
    const key = newKey(number);
    for (const size of [0, 1, 15, 16, 17, 100]) {
      const plain = crypto.getRandomValues(new Uint8Array(size));
      const sealed = key.encrypt(7, plain);
      assertEquals(key.decrypt(7, sealed), plain);
      assertThrows(() => key.decrypt(8, sealed), KeyMismatchError, "does not match its checksum");
      sealed[size] = sealed[size]! ^ 1;
      assertThrows(() => key.decrypt(7, sealed), KeyMismatchError, "does not match its checksum");
    }
    assertThrows(() => key.decrypt(7, new Uint8Array(20)), KeyMismatchError);
    key.verify(7, utf8("a"), key.checksum(7, utf8("a")));
    assertThrows(() => key.verify(7, utf8("b"), key.checksum(7, utf8("a"))), KeyMismatchError);
  }
});

Deno.test("Key: other types are rejected by name, and a printed key shows no bytes", () => {
  assertThrows(
    () => new Key(23, new Uint8Array(16)),
    KeyMismatchError,
    "unsupported encryption type of a key: rc4-hmac",
  );
  assertThrows(() => new Key(18, new Uint8Array(16)), KeyMismatchError, "does not have the length");
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const shown = `${Deno.inspect(new Key(18, bytes), { depth: 9 })}${JSON.stringify(new Key(18, bytes))}`;
  assertStringIncludes(shown, "18");
  assertEquals(shown.includes(bytes.toHex()) || shown.includes(`${bytes[0]}, ${bytes[1]}`), false);
});
