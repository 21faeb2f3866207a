import { assertEquals, assertRejects } from "@std/assert";
import { boundedText } from "./bounded_text.ts";

/** Returns an endless stream of the same bytes. @param onCancel called when the reader cancels it. */
function endlessStream(bytes: Uint8Array<ArrayBuffer>, onCancel: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(bytes), cancel: onCancel });
}

Deno.test("boundedText: decodes characters that are split between chunks", async () => {
  const bytes = new TextEncoder().encode("aé€");
  const stream = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
  assertEquals(await boundedText(stream, bytes.length), "aé€");
});

Deno.test("boundedText: cancels an endless stream at the limit, with an error that names the limit", async () => {
  let isCanceled = false;
  const stream = endlessStream(new Uint8Array(1000), () => isCanceled = true);
  await assertRejects(() => boundedText(stream, 5000), Error, "it is larger than 5000 bytes");
  assertEquals(isCanceled, true);
});

Deno.test("boundedText: decodes UTF-16 with a byte order mark", async () => {
  for (const bytes of [[0xff, 0xfe, 0x61, 0, 0x3b, 0x26], [0xfe, 0xff, 0, 0x61, 0x26, 0x3b]]) {
    assertEquals(await boundedText(ReadableStream.from([Uint8Array.from(bytes)])), "a☻");
  }
});

Deno.test("boundedText: bytes that are not text are an error", async () => {
  const latin1 = [0x61, 0xe9, 0x62];
  const utf16WithoutMark = [0x61, 0, 0x62, 0];
  for (const bytes of [latin1, utf16WithoutMark]) {
    const stream = ReadableStream.from([Uint8Array.from(bytes)]);
    await assertRejects(() => boundedText(stream), Error, "it is not text in UTF-8");
  }
});
