import { assertEquals, assertNotEquals } from "@std/assert";
import { withContentNames } from "./script_names.ts";

const SCRIPTS = {
  "main.js": 'import"./piece-AAAAAAAA.js";import("./run-BBBBBBBB.js");\n',
  "piece-AAAAAAAA.js": "var a=1;export{a};\n",
  "run-BBBBBBBB.js": 'import{a}from"./piece-AAAAAAAA.js";export{a as Run};\n',
  "workers/lint.js": 'postMessage("./piece.js");\n',
};

function nameScripts(scripts: Readonly<Record<string, string>>) {
  return withContentNames(new Map(Object.entries(scripts)), async (name, text) => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return name.replace(/\.js$/, `-${digest.subarray(0, 4).toHex()}.js`);
  });
}

Deno.test("withContentNames: scripts refer to each other by new names, and other text is unchanged", async () => {
  const { names, texts } = await nameScripts(SCRIPTS);
  const [main, piece, run, lint] = [...names.values()];
  assertEquals([...names.keys()], Object.keys(SCRIPTS));
  assertEquals([main, piece, run, lint].map((name) => name?.replace(/-[0-9a-f]{8}\.js$/, "")), [
    "main",
    "piece",
    "run",
    "lint",
  ]);
  assertEquals(texts.get(main!), `import"./${piece}";import("./${run}");\n`);
  assertEquals(texts.get(run!), `import{a}from"./${piece}";export{a as Run};\n`);
  assertEquals(texts.get(lint!), SCRIPTS["workers/lint.js"]);
});

Deno.test("withContentNames: a changed text renames exactly the scripts that load it", async () => {
  const before = (await nameScripts(SCRIPTS)).names;
  const after = (await nameScripts({ ...SCRIPTS, "run-BBBBBBBB.js": `${SCRIPTS["run-BBBBBBBB.js"]}//` })).names;
  for (const file of ["main.js", "run-BBBBBBBB.js"]) assertNotEquals(after.get(file), before.get(file), file);
  for (const file of ["piece-AAAAAAAA.js", "workers/lint.js"]) assertEquals(after.get(file), before.get(file), file);
});

Deno.test("withContentNames: names do not depend on the order of scripts", async () => {
  const { names } = await nameScripts(SCRIPTS);
  const { names: again } = await nameScripts(Object.fromEntries(Object.entries(SCRIPTS).reverse()));
  for (const file of Object.keys(SCRIPTS)) assertEquals(again.get(file), names.get(file), file);
});

Deno.test("withContentNames: two pieces that import each other get different names", async () => {
  const { names } = await nameScripts({
    "piece-AAAAAAAA.js": 'import"./piece-BBBBBBBB.js";\n',
    "piece-BBBBBBBB.js": 'import("./piece-AAAAAAAA.js");\n',
  });
  assertEquals(new Set(names.values()).size, 2);
});
