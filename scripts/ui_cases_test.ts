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

Deno.test("UI journeys: each has a test, or a reason for having none", async () => {
  const ids = await journeyNumbers();
  assertEquals(UI_JOURNEYS.filter((id) => !ids.has(id) && !Object.hasOwn(UNTESTED_JOURNEYS, id)), []);
});

Deno.test("UI journeys: each test is on the list, and none of them has a reason for having none", async () => {
  const ids = await journeyNumbers();
  assertEquals([...ids].filter((id) => !UI_JOURNEYS.includes(id)), []);
  assertEquals(Object.keys(UNTESTED_JOURNEYS).filter((id) => ids.has(id) || !UI_JOURNEYS.includes(id)), []);
});
