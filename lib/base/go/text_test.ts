import { assertEquals } from "@std/assert";
import { fnv1a32 } from "./hash.ts";
import { escapeAscii, quote } from "./quote.ts";
import {
  byteIndex,
  byteLength,
  compareText,
  replaceText,
  runeCount,
  sliceBytes,
  splitText,
  toUpper,
  trimCharacters,
  trimSpace,
} from "./text.ts";
import { toBytes } from "./utf8.ts";

Deno.test("text: positions and slices count bytes, lengths count characters", () => {
  assertEquals([byteLength("é☃😀"), runeCount("é☃😀")], [9, 3]);
  assertEquals(sliceBytes("日本", 0, 3), "日");
  assertEquals(byteIndex("é☃", 1), 2);
});

Deno.test("compareText: orders by bytes, astral characters last", () => {
  assertEquals(["😀", "\uffff", "a", "é"].sort(compareText), ["a", "é", "\uffff", "😀"]);
});

Deno.test("splitText: returns null for zero, all parts for a negative count, and characters without a separator", () => {
  assertEquals(splitText("a,b,c", ",", 0), null);
  assertEquals(splitText("a,b,c", ",", 2), ["a", "b,c"]);
  assertEquals(splitText("a,b", ",", -1, true), ["a,", "b"]);
  assertEquals(splitText("é☃", ""), ["é", "☃"]);
});

Deno.test("replaceText: an empty text matches around every character", () => {
  assertEquals(replaceText("aaa", "a", "b", 2), "bba");
  assertEquals(replaceText("ab", "", "-"), "-a-b-");
  assertEquals(replaceText("ab", "", "-", 2), "-a-b");
});

Deno.test("trimming: uses Go's white space and cutsets", () => {
  assertEquals(trimSpace("\u00a0 a\u3000"), "a");
  assertEquals(trimSpace("\ufeffa"), "\ufeffa");
  assertEquals(trimCharacters("abcba", "ab"), "c");
});

Deno.test("toUpper, toLower: never change the number of characters", () => {
  assertEquals(toUpper("aßé"), "AßÉ");
});

Deno.test("quote: equals JSON for printable text and differs for control characters", () => {
  assertEquals(quote('a"b\\é😀'), '"a\\"b\\\\é😀"');
  assertEquals(quote("\x1b\x07\x00\u00a0\u{e0001}"), '"\\x1b\\a\\x00\\u00a0\\U000e0001"');
  assertEquals(escapeAscii("é😀"), "\\u00e9\\U0001f600");
});

Deno.test("FNV hashes: use UTF-8 bytes", () => {
  assertEquals(fnv1a32(""), 2166136261);
  assertEquals(fnv1a32("a"), 3826002220);
  assertEquals(fnv1a32("é"), fnv1a32("\u00e9"));
});

Deno.test("sliceBytes: a slice that splits a character keeps the bytes unchanged", () => {
  assertEquals(toBytes(sliceBytes("日本", 1, 4)), Uint8Array.of(0x97, 0xa5, 0xe6));
  assertEquals(sliceBytes("日本", 1, 4).toWellFormed(), "\ufffd\ufffd\ufffd");
  assertEquals(runeCount(sliceBytes("日本", 1, 3)), 2);
  assertEquals(quote(sliceBytes("é", 1, 2)), '"\\xa9"');
});

Deno.test("compareText: orders by bytes, also for invalid UTF-8", () => {
  const halves = sliceBytes("é", 1, 2);
  assertEquals([compareText(halves, "é") < 0, compareText(halves, "z") > 0, compareText("😀", "\uffff") > 0], [
    true,
    true,
    true,
  ]);
});
