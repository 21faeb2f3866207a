import { assertEquals, assertRejects } from "@std/assert";
import { ImageError } from "./image_error.ts";
import { resumed } from "./resumed.ts";

const TEXT = "0123456789";

/**
 * Content that is interrupted after the given number of bytes each time it is opened, and the offsets at which it was
 * opened.
 */
function breaking(lengths: readonly number[], text = TEXT) {
  const opened: number[] = [];
  const openAt = (from: number) => {
    const length = lengths[Math.min(opened.push(from), lengths.length) - 1]!;
    let given = false;
    return Promise.resolve(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (given) return controller.error(new TypeError("connection reset"));
          given = true;
          if (length > 0) controller.enqueue(new TextEncoder().encode(text.slice(from, from + length)));
          else controller.close();
        },
      }),
    );
  };
  return { openAt, opened };
}

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

Deno.test("resumed: continues at the offset of the interruption", async () => {
  const { openAt, opened } = breaking([4, 3, 3]);
  assertEquals(await read(resumed(openAt, TEXT.length)), TEXT);
  assertEquals(opened, [0, 4, 7]);
});

Deno.test("resumed: fails without progress and reports the received bytes", async () => {
  const { openAt, opened } = breaking([4, 0]);
  await assertRejects(() => read(resumed(openAt, TEXT.length)), ImageError, "after 4 of 10 bytes");
  assertEquals(opened, [0, 4, 4, 4]);
});

Deno.test("resumed: a connection without data counts as broken", async () => {
  let opened = 0;
  const openAt = () => Promise.resolve(opened++ === 0 ? new ReadableStream<Uint8Array>() : new Blob([TEXT]).stream());
  assertEquals(await read(resumed(openAt, TEXT.length, { silenceMs: 1 })), TEXT);
});

Deno.test("resumed: the minimum speed applies to all connections together, also if each of them breaks", async () => {
  const { openAt, opened } = breaking([1]);
  const late = -60_000;
  await assertRejects(() => read(resumed(openAt, TEXT.length, { slowForMs: late })), ImageError, "it arrives at less");
  assertEquals(opened, []);
});

Deno.test("resumed: rejects content that is larger than announced", async () => {
  const { openAt } = breaking([100], TEXT + TEXT);
  await assertRejects(() => read(resumed(openAt, TEXT.length)), ImageError, "larger than its 10 bytes");
});
