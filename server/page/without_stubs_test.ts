import { assertEquals } from "@std/assert";
import { withoutStubs } from "./without_stubs.ts";

function removeStubs(scripts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(withoutStubs(new Map(Object.entries(scripts))));
}

Deno.test("withoutStubs: the target of a stub takes over the stub's name", () => {
  assertEquals(
    removeStubs({
      "main.js": 'import("./run.js").then(({Run:a})=>a);',
      "run.js": 'import{b as o}from"./chunk.js";import"./main.js";export{o as Run};\n',
      "chunk.js": 'import"./main.js";var a=1,x=2;export{x,a as b};\n',
      "tab.js": 'import{x}from"./chunk.js";x();export{};',
    }),
    {
      "main.js": 'import("./run.js").then(({Run:a})=>a);',
      "run.js": 'import"./main.js";var a=1,x=2;export{x,a as b,a as Run};\n',
      "tab.js": 'import{x}from"./run.js";x();export{};',
    },
  );
});

Deno.test("withoutStubs: a script that only imports another one is merged with it", () => {
  assertEquals(
    removeStubs({ "main.js": 'import"./chunk.js";\n', "chunk.js": "start();", "run.js": 'import"./chunk.js";run();' }),
    { "main.js": "start();", "run.js": 'import"./main.js";run();' },
  );
});

Deno.test("withoutStubs: the target imports the stub's dependencies if all its users already load them", () => {
  const stub = 'import{a}from"./chunk.js";import"./more.js";export{a};\n';
  const scripts = { "run.js": stub, "chunk.js": "var a;export{a};\n", "more.js": "more();" };
  assertEquals(removeStubs(scripts), {
    "run.js": 'import"./more.js";var a;export{a};\n',
    "more.js": "more();",
  });
  const user = { ...scripts, "other.js": 'import{a}from"./chunk.js";a();' };
  assertEquals(removeStubs(user), user);
  const brought = { ...scripts, "other.js": 'import{a}from"./chunk.js";import"./more.js";a();' };
  assertEquals(Object.keys(removeStubs(brought)), ["run.js", "more.js", "other.js"]);
});

Deno.test("withoutStubs: keeps re-exports of several scripts, and of dynamically imported ones", () => {
  const all: readonly Record<string, string>[] = [
    { "run.js": 'import{a}from"./one.js";import{b}from"./two.js";export{a,b};\n', "one.js": "", "two.js": "" },
    { "run.js": 'import{a}from"./one.js";export{a};\n', "one.js": "export{a};", "main.js": 'import("./one.js")' },
    { "run.js": 'import{a}from"./one.js";a();export{a};\n', "one.js": "export{a};" },
  ];
  for (const scripts of all) assertEquals(removeStubs(scripts), scripts);
});
