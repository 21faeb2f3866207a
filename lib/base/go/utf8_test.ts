import { assertEquals } from "@std/assert";
import { fromBytes, toBytes } from "./utf8.ts";

Deno.test("utf8: decoding the bytes of a text returns the text", () => {
  for (const text of ["", "abc", "é☃😀", "\ufeffx", "\ufffd"]) assertEquals(fromBytes(toBytes(text)), text);
});

Deno.test("utf8: preserves any bytes and prints one U+FFFD for each invalid one", () => {
  const cases: [number[], string][] = [
    [[0x61, 0xff, 0x62], "a\ufffdb"],
    [[0xe6, 0x97], "\ufffd\ufffd"],
    [[0xc0, 0x80], "\ufffd\ufffd"],
    [[0xed, 0xa0, 0x80], "\ufffd\ufffd\ufffd"],
    [[0xf4, 0x90, 0x80, 0x80], "\ufffd\ufffd\ufffd\ufffd"],
    [[0xc3, 0xa9, 0xc3], "é\ufffd"],
  ];
  for (const [bytes, shown] of cases) {
    const text = fromBytes(Uint8Array.from(bytes));
    assertEquals(text.toWellFormed(), shown);
    assertEquals([...toBytes(text)], bytes);
  }
});

Deno.test("utf8: a text with unpaired surrogates has the bytes of its valid characters, and of U+FFFD", () => {
  const bytesOf = (text: string) => [...new TextEncoder().encode(text)];
  for (const text of ["a\ud83d", "\ud83d\ud83d", "\ude00é☃😀\ud83d", "\udc00\uffff"]) {
    assertEquals([...toBytes(text)], bytesOf(text));
  }
  assertEquals([...toBytes("é☃😀\udc80")], [...bytesOf("é☃😀"), 0x80]);
});
