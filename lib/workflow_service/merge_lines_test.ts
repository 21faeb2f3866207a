import { assert, assertEquals, assertRejects } from "@std/assert";
import { mergeLines, type TimedLog } from "./merge_lines.ts";

/** A log of lines `TIME text`; what has no digit at its front goes on with the line before. */
function logOf(
  lines: readonly string[],
  told: { open: number; most: number } = { open: 0, most: 0 },
): TimedLog<string> {
  return {
    from: lines[0]?.split(" ")[0] ?? "",
    async *open() {
      told.most = Math.max(told.most, ++told.open);
      try {
        yield* lines;
      } finally {
        told.open--;
      }
    },
    timeOf: (line) => /^\d/.test(line) ? line.split(" ")[0] : undefined,
  };
}

Deno.test("lines of several logs come by their times, whatever the digits of their fractions", async () => {
  const merged = mergeLines([
    logOf(["2026-01-01T00:00:01.12Z a2", "2026-01-01T00:00:03Z a4"]),
    logOf(["2026-01-01T00:00:01.1Z b1", "2026-01-01T00:00:02Z b3", "2026-01-01T00:00:03.5Z b5"]),
    logOf([]),
  ]);
  assertEquals((await Array.fromAsync(merged)).map((line) => line.split(" ")[1]), ["b1", "a2", "b3", "a4", "b5"]);
});

Deno.test("the rest of a line stays behind its beginning, and equal times keep the order of the logs", async () => {
  const merged = mergeLines([logOf(["1 a", "rest of a", "2 a"]), logOf(["1 b", "rest of b", "2 b"])]);
  assertEquals(await Array.fromAsync(merged), ["1 a", "rest of a", "1 b", "rest of b", "2 a", "2 b"]);
});

Deno.test("a log is opened shortly before its time has come, and closed at its end", async () => {
  const told = { open: 0, most: 0 };
  const logs = Array.from({ length: 500 }, (_, at) => logOf([`${1000 + at}Z begin`, `${1000 + at}.5Z end`], told));
  assertEquals((await Array.fromAsync(mergeLines(logs))).length, 1000);
  assertEquals(told.open, 0);
  assert(told.most < 20, `${told.most} were open at a time`);
});

Deno.test("a reader that stops closes all logs; a log that fails says so when its turn comes", async () => {
  const told = { open: 0, most: 0 };
  for await (const _ of mergeLines([logOf(["1 a", "2 a"], told), logOf(["1 b"], told)])) break;
  assertEquals(told.open, 0);
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
      for await (const line of mergeLines([logOf(["1 a", "3 a"]), failing])) seen.push(line);
    },
    Error,
    "gone",
  );
  assertEquals(seen, ["1 a"]);
});
