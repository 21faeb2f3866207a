import { assertEquals, assertThrows } from "@std/assert";
import { decodeBase32, decodeBase64, DecodeError, encodeBase32 } from "./base64.ts";
import { fromBytes, toBytes } from "./utf8.ts";

/** Returns the position in the message of the error. */
function faultAt(decode: (text: string) => unknown, text: string): number {
  return Number(/\d+$/.exec(assertThrows(() => decode(text), DecodeError).message)![0]);
}

Deno.test("decodeBase64: requires padding and skips line breaks", () => {
  assertEquals(fromBytes(decodeBase64("aGVs\r\nbG8=\n")), "hello");
  assertEquals(faultAt(decodeBase64, "aGVsbG8"), 4);
});

Deno.test("decodeBase64: reports the position of invalid padding", () => {
  const faults = ["aG=-=A=", "AA\n= Gs", "AA=", "A=", "AA==x", "AAA=x", "AA=s+"];
  assertEquals(faults.map((text) => faultAt(decodeBase64, text)), [2, 3, 3, 1, 4, 4, 2]);
});

Deno.test("decodeBase32: skips line breaks and ignores text after the padding", () => {
  assertEquals(fromBytes(decodeBase32(encodeBase32(toBytes("hi")))), "hi");
  assertEquals(fromBytes(decodeBase32("NB\nUQ====x")), "hi");
  const faults = ["QG\nZ", "VA\n8VV+", "GZV=Gb+", "\n=GsQ\ns", "GZV====="];
  assertEquals(faults.map((text) => faultAt(decodeBase32, text)), [0, 2, 7, 0, 3]);
});
