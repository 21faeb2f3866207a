/** Runs every scenario of `testdata/`. UPDATE=1 writes the actual results, so that the diff can be reviewed. */
import { assertEquals } from "@std/assert";
import { runScenario } from "./scenario.ts";

const folder = new URL("testdata/", import.meta.url);

for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name.localeCompare(b.name))) {
  Deno.test(`scenario: ${name.replace(/\.txt$/, "").replaceAll("_", " ")}`, () => {
    const file = new URL(name, folder);
    const text = Deno.readTextFileSync(file);
    const real = runScenario(text);
    if (Deno.env.get("UPDATE")) Deno.writeTextFileSync(file, real);
    else assertEquals(real, text);
  });
}
