import { assertEquals } from "@std/assert";
import { checkFaces, exportedNames } from "./check_faces.ts";

const constants = (count: number) =>
  Array.from({ length: count }, (_, index) => `export const C${index} = 1;\n`).join("");

Deno.test("exportedNames: has values and types, those of other files, and the new names of renamed ones", () => {
  const sources = new Map([
    [
      "lib/a/mod.ts",
      `export { one, type Two } from "./b.ts";\nexport { old as three } from "./b.ts";\nexport * from "./c.ts";\n` +
      "export async function four() {}\nexport interface Five {}\nconst six = 6;\n",
    ],
    ["lib/a/c.ts", "export const seven = 7;\n"],
  ]);
  assertEquals([...exportedNames("lib/a/mod.ts", sources)], ["four", "Five", "one", "Two", "three", "seven"]);
});

Deno.test("checkFaces: reports a face with more than 32 names, and an exception that is not needed", () => {
  const sources = new Map([["lib/a/mod.ts", constants(33)], ["lib/b/mod.ts", constants(32)]]);
  const faces = new Map([["@tiphys/a", "lib/a/mod.ts"], ["@tiphys/b", "lib/b/mod.ts"]]);
  assertEquals(checkFaces(sources, faces, {}), [
    "lib/a/mod.ts: the face @tiphys/a exports 33 names, more than 32: move some to a second face",
  ]);
  assertEquals(checkFaces(sources, faces, { "@tiphys/a": "a reason", "@tiphys/b": "a reason" }), [
    "scripts/check_faces.ts: @tiphys/b needs no exception",
  ]);
});
