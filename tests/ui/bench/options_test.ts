/** The command line of the bench, and its table of budgets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BUDGETS, isKept } from "./budgets.ts";
import { isWanted, readOptions } from "./options.ts";
import { SCENES } from "./scenes/mod.ts";

Deno.test("every budget from B-02 to B-15 has a figure, and every figure a scene that measures it", () => {
  const ids = new Set(BUDGETS.flatMap(({ id }) => id === undefined ? [] : [id]));
  assertEquals([...ids].sort(), Array.from({ length: 14 }, (_, at) => `B-${String(at + 2).padStart(2, "0")}`));
  const scenes = SCENES.map(({ name }) => name);
  assertEquals(new Set(scenes).size, scenes.length);
  assertEquals([...new Set(BUDGETS.map(({ scene }) => scene))], scenes);
});

Deno.test("a figure is named once in its scene, and has a bound where it has the name of a budget, and only there", () => {
  const names = BUDGETS.map(({ scene, what }) => `${scene}: ${what}`);
  assertEquals(new Set(names).size, names.length);
  for (const { id, scene, what, most, least } of BUDGETS) {
    assertEquals(id !== undefined, most !== undefined || least !== undefined, `${scene}: ${what}`);
  }
});

Deno.test("a figure keeps its budget at the bound, and not where it never came", () => {
  assertEquals(isKept({ most: 50 }, 50), true);
  assertEquals(isKept({ most: 50 }, 50.1), false);
  assertEquals(isKept({ most: 50 }, Infinity), false);
  assertEquals(isKept({ most: 50 }, NaN), false);
  assertEquals(isKept({ least: 40 }, 39), false);
  assertEquals(isKept({}, 39), undefined);
});

Deno.test("without arguments all scenes are measured in 3 rounds, and a name may be the beginning of several", () => {
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

Deno.test("what is not known is told, with what there is", () => {
  const faultOf = (...args: string[]) => {
    const read = readOptions(args);
    assert("fault" in read, args.join(" "));
    return read.fault;
  };
  assertStringIncludes(faultOf("colour"), 'There is no scene "colour"; there are sizes, cold, reload');
  assertStringIncludes(faultOf("-o", "yaml"), 'got "yaml"');
  assertStringIncludes(faultOf("--fast"), "--fast");
  const help = readOptions(["--help"]);
  assert("help" in help);
  for (const { name } of SCENES) assertStringIncludes(help.help, `\n  ${name} `);
});
