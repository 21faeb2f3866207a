import { expectAnswers } from "../testing/run.ts";

Deno.test("versions are compared by constraints", () => {
  expectAnswers({
    "sprig.semverCompare('>=1.2', '1.2.3')": "true",
    "sprig.semverCompare('^1', 'x')": "!run: invalid semantic version",
    "sprig.semver('1.2.3').Minor()": "2",
  });
});
