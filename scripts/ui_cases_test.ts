import { assertEquals } from "@std/assert";
import { NOT_WALKED, UI_JOURNEYS } from "./ui_cases.ts";

const JOURNEYS = new URL("../tests/ui/journeys/", import.meta.url);

/** The numbers at the beginning of the names of journeys. */
async function walked(): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(JOURNEYS)) {
    const source = await Deno.readTextFile(new URL(name, JOURNEYS));
    for (const [, id = ""] of source.matchAll(/\(\s*"(UI-\d+) /g)) found.add(id);
  }
  return found;
}

Deno.test("every journey is walked, or says why not", async () => {
  const ids = await walked();
  assertEquals(UI_JOURNEYS.filter((id) => !ids.has(id) && !Object.hasOwn(NOT_WALKED, id)), []);
});

Deno.test("no journey is walked that is on no list, and none says why it is not walked although it is", async () => {
  const ids = await walked();
  assertEquals([...ids].filter((id) => !UI_JOURNEYS.includes(id)), []);
  assertEquals(Object.keys(NOT_WALKED).filter((id) => ids.has(id) || !UI_JOURNEYS.includes(id)), []);
});
