/** Cost curves of functions whose growth is known. */
import { assertEquals } from "@std/assert";
import { costCurve } from "./cost_curve.ts";

Deno.test("cost: a curve that grows as the square of the text is a problem, and so is one that retains too much", () => {
  const bounds = { shapes: {}, smallest: 500, largest: 8_000 };
  const shape = (size: number) => "x".repeat(size);
  const square = (text: string) => {
    let sum = 0;
    for (let a = 0; a < text.length; a++) for (let b = 0; b < text.length; b++) sum += text.charCodeAt(b) ^ a;
    return sum;
  };
  const linear = (text: string) => Array.from({ length: 100 }, () => [...text].length);
  const large = (text: string) => Array(400 * text.length).fill(0.5);
  const problemOf = (run: (text: string) => unknown) => costCurve({ ...bounds, run }, shape).problem;
  assertEquals(/^work grows as n\^[12]/.test(problemOf(square) ?? ""), true);
  assertEquals(problemOf(linear), undefined);
  assertEquals(/MiB are held of a text of/.test(problemOf(large) ?? ""), true);
});
