import { assert, assertEquals } from "@std/assert";
import { lastLines } from "./last_lines.ts";
import type { ReadLine } from "./log_lines.ts";

/** Returns the last lines of a log with lines of 100 characters, and how often it was opened. */
async function lastOf(count: number, batch: number, limit: number | undefined, maxKept?: number) {
  let opened = 0;
  const open = async function* (): AsyncGenerator<readonly ReadLine[]> {
    opened++;
    for (let offset = 0; offset < count; offset += batch) {
      const length = Math.min(batch, count - offset);
      yield await Promise.resolve(
        Array.from({ length }, (_, index) => ({ text: String(offset + index).padStart(100, "0"), isRest: false })),
      );
    }
  };
  const lines: number[] = [];
  let largest = 0;
  for await (const part of lastLines(open, limit, maxKept)) {
    lines.push(...part.map(({ text }) => Number(text)));
    largest = Math.max(largest, part.length);
  }
  return { lines, opened, largest };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

Deno.test("lastLines: returns the last lines, or all lines without a limit or with a larger one", async () => {
  for (const [most, first] of [[undefined, 0], [1, 99], [33, 67], [100, 0], [1e9, 0], [0, 100]] as const) {
    const { lines, opened } = await lastOf(100, 7, most);
    assertEquals(lines, numbers(first, 100), `${most}`);
    assert(opened <= 1);
  }
});

Deno.test("lastLines: reads the log twice instead of keeping more than the limit of characters", async () => {
  for (const [most, first] of [[1, 999], [300, 700], [999, 1], [1000, 0], [1e9, 0]] as const) {
    const { lines, opened, largest } = await lastOf(1000, 10, most, 10_000);
    assertEquals(lines, numbers(first, 1000), `${most}`);
    assertEquals([opened, largest], [most === 1 ? 1 : 2, most === 1 ? 1 : 10]);
  }
});
