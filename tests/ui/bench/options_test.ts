/** The command-line options of the bench, and its table of budgets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BUDGETS, isWithinBudget } from "./budgets.ts";
import { isWanted, readOptions } from "./options.ts";
import { SCENES } from "./scenes/mod.ts";

Deno.test("budgets: each budget from B-02 to B-15 has a measurement, and each measurement has a scene", () => {
  const ids = new Set(BUDGETS.flatMap(({ id }) => id === undefined ? [] : [id]));
  assertEquals([...ids].sort(), Array.from({ length: 14 }, (_, index) => `B-${String(index + 2).padStart(2, "0")}`));
  const scenes = SCENES.map(({ name }) => name);
  assertEquals(new Set(scenes).size, scenes.length);
  assertEquals([...new Set(BUDGETS.map(({ scene }) => scene))], scenes);
});

Deno.test("budgets: a measurement is unique in its scene, and has a bound exactly if it has a budget ID", () => {
  const names = BUDGETS.map(({ scene, what }) => `${scene}: ${what}`);
  assertEquals(new Set(names).size, names.length);
  for (const { id, scene, what, maximum, minimum } of BUDGETS) {
    assertEquals(id !== undefined, maximum !== undefined || minimum !== undefined, `${scene}: ${what}`);
  }
});

Deno.test("isWithinBudget: a value at the bound is within the budget, and Infinity is not", () => {
  assertEquals(isWithinBudget({ maximum: 50 }, 50), true);
  assertEquals(isWithinBudget({ maximum: 50 }, 50.1), false);
  assertEquals(isWithinBudget({ maximum: 50 }, Infinity), false);
  assertEquals(isWithinBudget({ maximum: 50 }, NaN), false);
  assertEquals(isWithinBudget({ minimum: 40 }, 39), false);
  assertEquals(isWithinBudget({}, 39), undefined);
});

Deno.test("options: the defaults are all scenes and 3 rounds, and a name may be a prefix", () => {
  assertEquals(readOptions([]), { names: [], rounds: 3, isShort: false, output: "text" });
  assertEquals(readOptions(["--once", "-o", "json", "graph"]), {
    names: ["graph"],
    rounds: 1,
    isShort: true,
    output: "json",
  });
  assertEquals(SCENES.filter(({ name }) => isWanted(name, ["graph"])).length, 3);
  assertEquals(SCENES.filter(({ name }) => isWanted(name, [])).length, SCENES.length);
});

Deno.test("options: an unknown scene or flag is an error that lists the known ones", () => {
  const faultOf = (...args: string[]) => {
    const read = readOptions(args);
    assert("fault" in read, args.join(" "));
    return read.fault;
  };
  assertStringIncludes(faultOf("color"), 'Unknown scene "color": expected sizes, cold, reload');
  assertStringIncludes(faultOf("-o", "yaml"), 'got "yaml"');
  assertStringIncludes(faultOf("--fast"), "--fast");
  const help = readOptions(["--help"]);
  assert("help" in help);
  for (const { name } of SCENES) assertStringIncludes(help.help, `\n  ${name} `);
});
