import { assert, assertEquals, assertRejects } from "@std/assert";
import { mergeLines, type TimedLog } from "./merge_lines.ts";

/** A log of lines `TIME text`. A line that does not begin with a digit continues the previous one. */
function logOf(
  lines: readonly string[],
  counts: { open: number; max: number } = { open: 0, max: 0 },
  size = 1,
): TimedLog<string> {
  return {
    from: lines[0]?.split(" ")[0] ?? "",
    async *open() {
      counts.max = Math.max(counts.max, ++counts.open);
      try {
        for (let offset = 0; offset < lines.length; offset += size) yield lines.slice(offset, offset + size);
      } finally {
        counts.open--;
      }
    },
    timeOf: (line) => /^\d/.test(line) ? line.split(" ")[0] : undefined,
  };
}

Deno.test("mergeLines: orders lines of several logs by time, with any number of fraction digits", async () => {
  const merged = mergeLines([
    logOf(["2026-01-01T00:00:01.12Z a2", "2026-01-01T00:00:03Z a4"]),
    logOf(["2026-01-01T00:00:01.1Z b1", "2026-01-01T00:00:02Z b3", "2026-01-01T00:00:03.5Z b5"]),
    logOf([]),
  ]);
  assertEquals((await Array.fromAsync(merged)).flat().map((line) => line.split(" ")[1]), [
    "b1",
    "a2",
    "b3",
    "a4",
    "b5",
  ]);
});

Deno.test("mergeLines: keeps continuations after their line, and the order of the logs for equal times", async () => {
  const merged = mergeLines([logOf(["1 a", "rest of a", "2 a"]), logOf(["1 b", "rest of b", "2 b"])]);
  assertEquals((await Array.fromAsync(merged)).flat(), ["1 a", "rest of a", "1 b", "rest of b", "2 a", "2 b"]);
});

Deno.test("mergeLines: the order does not depend on the batch sizes", async () => {
  const written = [["1 a", "2 a", "rest", "5 a", "6 a"], ["2 b", "3 b", "5 b"], ["4 c", "5 c", "rest", "7 c"], ["9 d"]];
  const orderOf = async (size: number) =>
    (await Array.fromAsync(mergeLines(written.map((lines) => logOf(lines, undefined, size))))).flat();
  const first = await orderOf(1);
  const order = ["1 a", "2 a", "rest", "2 b", "3 b", "4 c", "5 a", "5 b", "5 c", "rest", "6 a", "7 c", "9 d"];
  assertEquals(first, order);
  for (const size of [2, 3, 10]) assertEquals(await orderOf(size), order, `${size} at a time`);
});

Deno.test("mergeLines: lines that arrive together and precede all others are yielded together", async () => {
  const lines = Array.from({ length: 10 }, (_, index) => `${index} a`);
  assertEquals((await Array.fromAsync(mergeLines([logOf(lines, undefined, 5)]))).map(({ length }) => length), [5, 5]);
});

Deno.test("mergeLines: opens a log shortly before its time, and closes it at its end", async () => {
  const counts = { open: 0, max: 0 };
  const logs = Array.from(
    { length: 500 },
    (_, index) => logOf([`${1000 + index}Z begin`, `${1000 + index}.5Z end`], counts),
  );
  assertEquals((await Array.fromAsync(mergeLines(logs))).flat().length, 1000);
  assertEquals(counts.open, 0);
  assert(counts.max < 20, `${counts.max} were open at a time`);
});

Deno.test("mergeLines: logs without timestamps that begin at the same time are open one after the other", async () => {
  const counts = { open: 0, max: 0 };
  const logs = Array.from({ length: 500 }, (_, index) => ({
    ...logOf([`${index} first`, `${index} second`], counts),
    from: "2026-01-01T00:00:00Z",
    timeOf: () => undefined,
  }));
  const lines = (await Array.fromAsync(mergeLines(logs))).flat();
  assertEquals(lines.length, 1000);
  assertEquals(lines.slice(0, 4), ["0 first", "0 second", "1 first", "1 second"]);
  assert(counts.max < 20, `${counts.max} were open at a time`);
});

Deno.test("mergeLines: closes all logs when the reader stops, and throws the error of a log when its turn comes", async () => {
  const counts = { open: 0, max: 0 };
  for await (const _ of mergeLines([logOf(["1 a", "2 a"], counts), logOf(["1 b"], counts)])) break;
  assertEquals(counts.open, 0);
  const failing: TimedLog<string> = {
    from: "2",
    // deno-lint-ignore require-yield
    async *open() {
      await Promise.resolve();
      throw new Error("gone");
    },
    timeOf: () => undefined,
  };
  const seen: string[] = [];
  await assertRejects(
    async () => {
      for await (const lines of mergeLines([logOf(["1 a", "3 a"]), failing])) seen.push(...lines);
    },
    Error,
    "gone",
  );
  assertEquals(seen, ["1 a"]);
});
