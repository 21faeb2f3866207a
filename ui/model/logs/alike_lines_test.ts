import { assertEquals } from "@std/assert";
import { AlikeLines, shapeOf } from "./alike_lines.ts";

function linesOf(texts: string[]) {
  return {
    get count() {
      return texts.length;
    },
    text: (number: number) => texts[number]!,
    texts,
  };
}

const always = () => true;
const NONE: ReadonlySet<number> = new Set();

Deno.test("shapeOf: lines are similar if they differ in numbers, hashes and colors only", () => {
  const retrying = shapeOf("retrying 3 of 10 after 1.5s, request deadbeef01");
  assertEquals(shapeOf("\u001b[31mretrying 4 of 10 after 12.25s, request 0123456789abcdef\u001b[0m"), retrying);
  assertEquals(shapeOf("retrying 4 of 10 after a while, request deadbeef01") === retrying, false);
});

Deno.test("AlikeLines: groups four similar lines, and shows three separately", () => {
  const alike = new AlikeLines(linesOf(["a 1", "a 2", "a 3", "b", "c 1", "c 2", "c 3", "c 4", "d"]));
  alike.step(always);
  assertEquals(alike.shown(NONE), [0, 1, 2, 3, 4, 8]);
  assertEquals([alike.countAt(0), alike.countAt(3), alike.countAt(4), alike.countAt(5)], [0, 0, 4, 0]);
});

Deno.test("AlikeLines: an opened group shows all its lines, and each line knows its group", () => {
  const alike = new AlikeLines(linesOf(["x", "a 1", "a 2", "a 3", "a 4", "y"]));
  alike.step(always);
  assertEquals(alike.shown(NONE), [0, 1, 5]);
  assertEquals([alike.groupOf(0), alike.groupOf(3), alike.groupOf(5)], [0, 1, 5]);
  assertEquals(alike.shown(new Set([1])), [0, 1, 2, 3, 4, 5]);
});

Deno.test("AlikeLines: continues when the log grows, also within the last group", () => {
  const lines = linesOf(["a 1", "a 2"]);
  const alike = new AlikeLines(lines);
  alike.step(always);
  assertEquals([alike.isDone, alike.shown(NONE)], [true, [0, 1]]);
  lines.texts.push("a 3", "a 4", "b");
  assertEquals(alike.isDone, false);
  alike.step(always);
  assertEquals([alike.shown(NONE), alike.countAt(0)], [[0, 4], 4]);
});

Deno.test("AlikeLines: stops after a hundred lines when time is up, and resumes there", () => {
  const alike = new AlikeLines(linesOf(Array.from({ length: 250 }, (_, i) => `a ${i}`)));
  alike.step(() => false);
  assertEquals([alike.isDone, alike.countAt(0)], [false, 100]);
  alike.step(always);
  assertEquals([alike.isDone, alike.shown(NONE), alike.countAt(0)], [true, [0], 250]);
});
