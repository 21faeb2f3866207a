import { assertEquals } from "@std/assert";
import { LineQueue } from "./line_queue.ts";
import { SortedLines, type StreamedLine } from "./sorted_lines.ts";

/**
 * Makes lines from `TIME text`, with the text as value. A text that does not begin with a digit continues the previous
 * line.
 */
function lines(...texts: readonly string[]): StreamedLine<string>[] {
  return texts.map((text) => ({
    value: text,
    time: /^\d/.test(text) ? text.split(" ")[0] : undefined,
    characters: text.length,
  }));
}

Deno.test("SortedLines: orders lines of several streams within a second by time, with continuations after their lines", async () => {
  const queue = new LineQueue<string>();
  using sorted = new SortedLines(queue);
  const [a, b] = [sorted.open(), sorted.open()];
  await b.push(lines("2 b", "rest of b"));
  await a.push(lines("1 a", "2 a", "3 a"));
  await b.push(lines("4 b"));
  const begun = performance.now();
  const { value } = await queue[Symbol.asyncIterator]().next();
  assertEquals(value, ["1 a", "2 a", "2 b", "rest of b", "3 a", "4 b"]);
  const waited = performance.now() - begun;
  assertEquals(waited > 500, true, `${waited} ms`);
});

Deno.test("SortedLines: a single stream passes its lines on immediately, also after the others have ended", async () => {
  const queue = new LineQueue<string>();
  using sorted = new SortedLines(queue);
  const reader = queue[Symbol.asyncIterator]();
  const a = sorted.open();
  await a.push(lines("1 a"));
  assertEquals((await reader.next()).value, ["1 a"]);
  a.close();
  const b = sorted.open();
  await b.push(lines("2 b"));
  assertEquals((await reader.next()).value, ["2 b"]);
  const c = sorted.open();
  await c.push(lines("3 c"));
  b.close();
  await c.push(lines("2 c"));
  await sorted.flush();
  assertEquals((await reader.next()).value, ["2 c", "3 c"]);
});

Deno.test("SortedLines: passes lines on early when too many wait, and writers wait for the reader", async () => {
  const queue = new LineQueue<string>();
  using sorted = new SortedLines(queue, 1000);
  const [a] = [sorted.open(), sorted.open()];
  await a.push(lines(...Array.from({ length: 999 }, (_, index) => `${2000 - index} a`)));
  let isThrough = false;
  const pushed = a.push(lines("1 a")).then(() => isThrough = true);
  await Promise.resolve();
  assertEquals(isThrough, false);
  const reader = queue[Symbol.asyncIterator]();
  const { value } = await reader.next();
  assertEquals([value?.length, value?.[0], value?.[1]], [1000, "1 a", "1002 a"]);
  await reader.return(undefined);
  await pushed;
});

Deno.test("SortedLines: streams wait for a reader that does not read, also after a second has passed", async () => {
  const queue = new LineQueue<string>();
  using sorted = new SortedLines(queue);
  const [a, b] = [sorted.open(), sorted.open()];
  await a.push(lines(...Array.from({ length: 1000 }, () => "1 a")));
  // After a second, all streams wait for the reader.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  let through = 0;
  const pushed = [a, b].map((stream) => stream.push(lines("2")).then(() => through++));
  await new Promise((resolve) => setTimeout(resolve, 1200));
  assertEquals(through, 0);
  const seen: string[] = [];
  for await (const batch of queue) {
    seen.push(...batch);
    if (seen.length === 1002) break;
  }
  await Promise.all(pushed);
  assertEquals([seen.length, through], [1002, 2]);
});
