import { assertEquals } from "@std/assert";
import { withoutClosureNames } from "./closure_names.ts";

/** What the bundler makes of names: the helper, functions at the top and inside, closures, and a class. */
const BUNDLED = `var __defProp = Object.defineProperty;
var __name = (target2, value) => __defProp(target2, "name", { value, configurable: true });
function outer2() {
  function inner2() {
  }
  __name(inner2, "inner");
  const closure2 = /* @__PURE__ */ __name(() => inner2, "closure");
  return [inner2, closure2];
}
__name(outer2, "outer");
var Made2 = class {
  static {
    __name(this, "Made");
  }
};
`;

function namesIn(text: string): string[] {
  const [inner, closure, outer, made] = new Function(`${text}; return [...outer2(), outer2, Made2]`)() as {
    name: string;
  }[];
  return [inner!.name, closure!.name, outer!.name, made!.name];
}

Deno.test("withoutClosureNames() leaves their names to functions at the top and to classes, and names no closure", () => {
  assertEquals(namesIn(BUNDLED), ["inner", "closure", "outer", "Made"]);
  assertEquals(namesIn(withoutClosureNames(BUNDLED)), ["inner2", "", "outer", "Made"]);
});

Deno.test("withoutClosureNames() leaves a text as it is that names no closure", () => {
  const text = 'function one() {}\n__name(one, "one");\n';
  assertEquals(withoutClosureNames(text), text);
});
