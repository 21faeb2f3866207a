import { assertEquals } from "@std/assert";
import { UI_JOURNEYS, UNTESTED_JOURNEYS } from "./ui_cases.ts";

const JOURNEYS = new URL("../tests/ui/journeys/", import.meta.url);

/** The numbers at the beginning of the names of journeys. */
async function journeyNumbers(): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(JOURNEYS)) {
    const source = await Deno.readTextFile(new URL(name, JOURNEYS));
    for (const [, id = ""] of source.matchAll(/\(\s*"(UI-\d+) /g)) found.add(id);
  }
  return found;
}

Deno.test("UI journeys: each journey has a test, or a reason why it has no test", async () => {
  const ids = await journeyNumbers();
  assertEquals(UI_JOURNEYS.filter((id) => !ids.has(id) && !Object.hasOwn(UNTESTED_JOURNEYS, id)), []);
});

Deno.test("UI journeys: each tested journey is on the list, and is not listed as untested", async () => {
  const ids = await journeyNumbers();
  assertEquals([...ids].filter((id) => !UI_JOURNEYS.includes(id)), []);
  assertEquals(Object.keys(UNTESTED_JOURNEYS).filter((id) => ids.has(id) || !UI_JOURNEYS.includes(id)), []);
});
