import { assertEquals } from "@std/assert";
import { hasComments } from "./comments.ts";
import { parseYaml } from "./parse.ts";

Deno.test("hasComments: detects comments at any position, and ignores text that only looks like one", () => {
  const found = (text: string) => hasComments(parseYaml(text)[0]!);
  for (
    const text of ["# a\na: 1", "a: 1 # b", "a:\n  # c\n  b: 1", "a: 1\n# d\n", "a:\n- 1\n# e\n- 2", "a: | # f\n  b"]
  ) {
    assertEquals(found(text), true, text);
  }
  for (const text of ["a: 1", "a: b#c", 'a: "# b"', "a: |\n  # b\n", '{"a": "#"}']) {
    assertEquals(found(text), false, text);
  }
});
