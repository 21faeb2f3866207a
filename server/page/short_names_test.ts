import { assertEquals, assertThrows } from "@std/assert";
import { withShortNames } from "./short_names.ts";

Deno.test("withShortNames: a piece exports its local names, and importers use them", () => {
  const scripts = new Map([
    ["main.js", 'import"./other.js";import{start as t,stop as a}from"./piece.js";t(a);\n'],
    ["piece.js", "var a=1,b=2;export{a as stop,b as start};\n"],
  ]);
  assertEquals(Object.fromEntries(withShortNames(scripts)), {
    "main.js": 'import"./other.js";import{b as t,a}from"./piece.js";t(a);\n',
    "piece.js": "var a=1,b=2;export{a,b};\n",
  });
});

Deno.test("withShortNames: a value exported under two names gets one", () => {
  const scripts = new Map([
    ["main.js", 'import{one as t,same as a}from"./piece.js";t(a);\n'],
    ["piece.js", "var a=1;export{a as one,a as same};\n"],
  ]);
  assertEquals(withShortNames(scripts).get("main.js"), 'import{a as t,a}from"./piece.js";t(a);\n');
  assertEquals(withShortNames(scripts).get("piece.js"), "var a=1;export{a};\n");
});

Deno.test("withShortNames: a dynamically imported script keeps its names, also for static imports", () => {
  const scripts = new Map([
    ["main.js", 'import("./run.js").then(t=>t.Run);\n'],
    ["other.js", 'import{Run as t}from"./run.js";t();\n'],
    ["run.js", "var a=1;export{a as Run};\n"],
  ]);
  assertEquals(withShortNames(scripts), scripts);
});

Deno.test("withShortNames: strings that look like imports and exports are unchanged", () => {
  const text = 'var t=`import{start as a}from"./piece.js"; export{a as b};\n`;t();\n';
  const scripts = new Map([["main.js", text], ["piece.js", "var a=1;export{a as start};\n"]]);
  assertEquals(withShortNames(scripts).get("main.js"), text);
});

Deno.test("withShortNames: an import that no script exports fails with an error that names both", () => {
  const scripts = new Map([["main.js", 'import{gone as t}from"./piece.js";\n'], ["piece.js", "export{a as b};\n"]]);
  assertThrows(() => withShortNames(scripts), Error, "main.js: no script exports the imported name gone");
});
