/** Shapes of JSON, each of any size. */
import type { Shape } from "./shapes.ts";

function row(unit: string, begin: string, end: string): Shape {
  return (size) => begin + unit.repeat(Math.max(1, Math.floor(size / unit.length))) + end;
}

/** Shapes of JSON, by the part that grows. */
export const JSON_SHAPES: Readonly<Record<string, Shape>> = {
  "numbers": row("1,", "[", "1]"),
  "empty lists": row("[],", "[", "1]"),
  "empty objects": row("{},", "[", "1]"),
  "one key many times": row('"a":1,', "{", '"b":1}'),
  "different keys": (size) => `{${Array.from({ length: size / 10 }, (_, index) => `"k${index}":1`).join()}}`,
  "one long text": row("x", '"', '"'),
  "one long key": row("x", '{"', '":1}'),
  "escapes": row("\\u0041", '"', '"'),
  "backslashes": row("\\\\", '"', '"'),
  "unclosed quotes": row('"', "", ""),
  "backslashes in an unclosed string": row("\\\\", '"', ""),
  "unclosed brackets": row("[", "", ""),
  "unclosed braces": row('{"a":', "", ""),
  "closing brackets": row("]", "", ""),
  "deep lists, many times": row(`${"[".repeat(150)}${"]".repeat(150)},`, "[", "1]"),
  "spaces": row(" ", "[", "]"),
  "one long number": row("1", "", ""),
  "commas": row(",", "[", "]"),
  "lists that are too deep, behind many keys": (size) => `{${'"a":1,'.repeat(size / 6)}"b":${"[".repeat(300)}`,
};
