import { expectResults } from "../testing/run.ts";

Deno.test("default: replaces an empty value", () => {
  expectResults({
    "sprig.default(1, 0)": "1",
    "sprig.default(1, 2)": "2",
    "sprig.empty('')": "true",
    "sprig.empty([0])": "false",
    "sprig.coalesce('', nil, 2)": "2",
    "sprig.all(1, 'a')": "true",
    "sprig.all(1, 0)": "false",
    "sprig.any('', 0)": "false",
    "sprig.ternary('a', 'b', true)": '"a"',
    "sprig.fail('why')": "!run: why",
  });
});

Deno.test("typeOf and kindOf: return Go's names", () => {
  expectResults({
    "sprig.typeOf(1)": '"int"',
    "sprig.typeIs('int', 1)": "true",
    "sprig.typeIsLike('int', 1)": "true",
    "sprig.kindOf({a: 1})": '"map"',
    "sprig.kindIs('slice', [])": "true",
    "sprig.deepEqual([1], [1])": "true",
    "sprig.deepEqual(1, 1.0)": "false",
  });
});

Deno.test("toJson and fromJson: only the must functions fail", () => {
  expectResults({
    "sprig.fromJson('[1]')": "[1]",
    "sprig.fromJson('[')": "null",
    "sprig.mustFromJson('[')": "!run: unexpected end of JSON input",
    "sprig.toJson({a: '<'})": '"{\\"a\\":\\"\\\\u003c\\"}"',
    "sprig.toPrettyJson({a: 1})": '"{\\n  \\"a\\": 1\\n}"',
    "sprig.toRawJson('<')": '"\\"\\u003c\\""',
    "sprig.mustToJson(1)": '"1"',
    "sprig.mustToPrettyJson([1])": '"[\\n  1\\n]"',
    "sprig.mustToRawJson('<')": '"\\"\\u003c\\""',
  });
});
