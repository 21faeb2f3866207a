import { assertEquals, assertRejects } from "@std/assert";
import { boundedText } from "./bounded_text.ts";

/** A stream of the same bytes, over and over; `ended` tells when its reader goes away. */
function endless(bytes: Uint8Array<ArrayBuffer>, ended: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(bytes), cancel: ended });
}

Deno.test("boundedText() reads letters that two chunks share", async () => {
  const bytes = new TextEncoder().encode("aé€");
  const stream = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
  assertEquals(await boundedText(stream, bytes.length), "aé€");
});

Deno.test("boundedText() leaves a stream without an end at the limit, and says which that is", async () => {
  let left = false;
  const stream = endless(new Uint8Array(1000), () => left = true);
  await assertRejects(() => boundedText(stream, 5000), Error, "it has more than the 5000 bytes that are read");
  assertEquals(left, true);
});
