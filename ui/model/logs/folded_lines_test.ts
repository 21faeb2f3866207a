import { assertEquals } from "@std/assert";
import { FoldedLines, shapeOf } from "./folded_lines.ts";

function linesOf(texts: string[]) {
  return {
    get count() {
      return texts.length;
    },
    text: (number: number) => texts[number]!,
    firstByte: (number: number) => texts[number] === "" ? undefined : texts[number]!.charCodeAt(0),
    texts,
  };
}

const always = () => true;
const SIMILAR = { withSimilar: true };

function visibleLines(folded: FoldedLines, opened: ReadonlySet<number> = new Set()): number[] {
  const { count, lineAt } = folded.rows(opened);
  return Array.from({ length: count }, (_, row) => lineAt(row));
}

function sizeAt(folded: FoldedLines, line: number): number {
  const fold = folded.foldOf(line);
  return fold?.from === line ? fold.to - fold.from : 0;
}

Deno.test("shapeOf: lines are similar if they differ in numbers, hashes and colors only", () => {
  const retrying = shapeOf("retrying 3 of 10 after 1.5s, request deadbeef01");
  assertEquals(shapeOf("\u001b[31mretrying 4 of 10 after 12.25s, request 0123456789abcdef\u001b[0m"), retrying);
  assertEquals(shapeOf("retrying 4 of 10 after a while, request deadbeef01") === retrying, false);
});

Deno.test("FoldedLines: folds four similar lines on request, and shows three separately", () => {
  const texts = ["a 1", "a 2", "a 3", "b", "c 1", "c 2", "c 3", "c 4", "d"];
  const folded = new FoldedLines(linesOf(texts), SIMILAR);
  folded.step(always);
  assertEquals(visibleLines(folded), [0, 1, 2, 3, 4, 8]);
  assertEquals([0, 3, 4, 5].map((line) => sizeAt(folded, line)), [0, 0, 4, 0]);
  const plain = new FoldedLines(linesOf(texts));
  plain.step(always);
  assertEquals(visibleLines(plain), texts.map((_, line) => line));
});

Deno.test("FoldedLines: an opened fold shows all its lines, and each line knows its fold", () => {
  const folded = new FoldedLines(linesOf(["x", "a 1", "a 2", "a 3", "a 4", "y"]), SIMILAR);
  folded.step(always);
  assertEquals(visibleLines(folded), [0, 1, 5]);
  assertEquals([0, 3, 5].map((line) => folded.foldOf(line)?.from), [undefined, 1, undefined]);
  assertEquals(visibleLines(folded, new Set([1])), [0, 1, 2, 3, 4, 5]);
});

Deno.test("FoldedLines: continues when the log grows, also within the last fold", () => {
  const lines = linesOf(["a 1", "a 2"]);
  const folded = new FoldedLines(lines, SIMILAR);
  folded.step(always);
  assertEquals([folded.isDone, visibleLines(folded)], [true, [0, 1]]);
  lines.texts.push("a 3", "a 4", "b");
  // Lines that were not read yet are visible.
  assertEquals([folded.isDone, visibleLines(folded)], [false, [0, 1, 2, 3, 4]]);
  folded.step(always);
  assertEquals([visibleLines(folded), sizeAt(folded, 0)], [[0, 4], 4]);
  lines.texts.push("c", "c", "c", "c", "d");
  folded.step(always);
  assertEquals(visibleLines(folded), [0, 4, 5, 9]);
});

Deno.test("FoldedLines: stops after a hundred lines when time is up, and resumes there", () => {
  const folded = new FoldedLines(linesOf(Array.from({ length: 250 }, (_, i) => `a ${i}`)), SIMILAR);
  folded.step(() => false);
  assertEquals([folded.isDone, sizeAt(folded, 0)], [false, 100]);
  folded.step(always);
  assertEquals([folded.isDone, visibleLines(folded), sizeAt(folded, 0)], [true, [0], 250]);
});

/** Traces of common languages: lines before the frames, frames, lines after them. */
const TRACES: Readonly<Record<string, readonly [before: number, frames: number, lines: readonly string[]]>> = {
  Python: [1, 5, [
    "Traceback (most recent call last):",
    '  File "/app/load.py", line 12, in <module>',
    "    main()",
    "    ~~~~^^",
    '  File "/app/load.py", line 8, in main',
    "    raise ValueError(ids)",
    "ValueError: two rows have no id",
  ]],
  Java: [1, 4, [
    "java.io.IOException: broken pipe",
    "\tat java.base/sun.nio.ch.FileDispatcherImpl.write0(Native Method)",
    "\tat com.example.Load.run(Load.java:12)",
    "\tat com.example.Main.main(Main.java:3)",
    "\t... 12 more",
    "Caused by: java.lang.NullPointerException",
  ]],
  JavaScript: [1, 4, [
    "TypeError: x is not a function",
    "    at load (file:///app/load.js:12:3)",
    "    at async main (file:///app/main.js:3:1)",
    "    at Object.<anonymous> (node:internal/main:1:1)",
    "    at node:internal/process/task_queues:95:5",
    "",
  ]],
  Go: [3, 4, [
    "goroutine 1 [running]:",
    "",
    "main.load(0x0)",
    "\t/app/load.go:12 +0x1d",
    "main.main()",
    "\t/app/main.go:3 +0x2a",
    "created by main.start(...)",
    "exit status 2",
  ]],
  Rust: [1, 5, [
    "thread 'main' panicked at src/load.rs:4:5:",
    "stack backtrace:",
    "   0: rust_begin_unwind",
    "             at /rustc/library/std/src/panicking.rs:1",
    "   1: load::main",
    "             at ./src/load.rs:4:5",
    "note: Some details are omitted",
  ]],
  "Python with repeated frames": [1, 5, [
    "Traceback (most recent call last):",
    '  File "/app/load.py", line 12, in f',
    "    f()",
    '  File "/app/load.py", line 12, in f',
    "    f()",
    "  [Previous line repeated 990 more times]",
    "RecursionError: maximum recursion depth exceeded",
  ]],
  PHP: [1, 4, [
    "PHP Fatal error:  Uncaught Exception: no id in /app/load.php:4",
    "#0 /app/load.php(8): load()",
    "#1 /app/load.php(12): main()",
    "#2 /app/run.php(3): require('...')",
    "#3 {main}(0)",
    "  thrown in /app/load.php on line 4",
  ]],
  "C++": [1, 4, [
    "==1==ERROR: AddressSanitizer: heap-use-after-free",
    "    #0 0x4f3a21 in load /app/load.cc:4:5",
    "    #1 0x4f3b00 in main /app/main.cc:3:1",
    "    #2 0x7f00aa in __libc_start_main",
    "    #3 0x41f00a in _start",
    "SUMMARY: AddressSanitizer",
  ]],
  Ruby: [1, 4, [
    "load.rb:4:in 'Object#load': no id (RuntimeError)",
    "\tfrom load.rb:8:in 'block in <main>'",
    "\tfrom load.rb:7:in 'each'",
    "\tfrom load.rb:7:in '<main>'",
    "\tfrom load.rb:1:in 'require'",
    "done",
  ]],
};

Deno.test("FoldedLines: folds the frames of stack traces, and shows the error", () => {
  for (const [language, [before, frames, texts]] of Object.entries(TRACES)) {
    const folded = new FoldedLines(linesOf([...texts]));
    folded.step(always);
    assertEquals(folded.foldOf(before), { from: before, to: before + frames, kind: "frames" }, language);
    assertEquals(visibleLines(folded).length, texts.length - frames + 1, language);
  }
});

Deno.test("FoldedLines: indented lines, lists and short traces are shown", () => {
  const texts = [
    ...["usage:", "    load FILE", "    load -h", "    load -v", "    load -q", "        at the end", "f()"],
    ...["Error", "    at a (b.js:1)", "    at c (d.js:1)", "#1", "#2", "#3", "#4", "# a(", "s"],
  ];
  const folded = new FoldedLines(linesOf(texts));
  folded.step(always);
  assertEquals(visibleLines(folded), texts.map((_, line) => line));
});
