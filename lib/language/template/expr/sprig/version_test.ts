import { assertMatch, assertThrows } from "@std/assert";
import { environment } from "../environment.ts";
import { ExpressionError } from "../error.ts";
import { evaluate } from "../expression.ts";
import { expectResults } from "../testing/run.ts";

Deno.test("semverCompare: compares versions by constraints", () => {
  expectResults({
    "sprig.semverCompare('>=1.2', '1.2.3')": "true",
    "sprig.semverCompare('^1', 'x')": "!run: invalid semantic version",
    "sprig.semver('1.2.3').Minor()": "2",
  });
});

Deno.test("semverCompare: a constraint full of blanks takes linear time", () => {
  const hostile = [
    "1 ".repeat(250) + "x!",
    "1" + " ".repeat(500) + "!",
    " ".repeat(511) + "!",
    ">=1   ".repeat(80) + "!",
    "1.x   - ".repeat(60) + "!",
    "1-a.".repeat(120) + "!",
  ];
  for (const constraint of hostile) {
    const source = `sprig.semverCompare('${constraint}', '1.2.3')`;
    const error = assertThrows(() => evaluate(source, environment(new Map())), ExpressionError);
    assertMatch(error.reason, /^improper constraint: /);
  }
});
