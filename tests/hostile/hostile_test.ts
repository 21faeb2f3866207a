/** A share of the hostile table, which differs for each commit; `deno task hostile` runs all of it. */
import { assertEquals } from "@std/assert";
import { HostileWorld } from "./hostile_world.ts";
import { SETTINGS, TABLE } from "./table.ts";

const SHARES = 16;

async function commitNumber(): Promise<number> {
  const { success, stdout } = await new Deno.Command("git", { args: ["rev-parse", "HEAD"], stderr: "null" }).output();
  return success ? parseInt(new TextDecoder().decode(stdout).slice(0, 6), 16) : 0;
}

Deno.test("hostile objects: have the required outcome, and a concurrent canary ends", async () => {
  const share = await commitNumber() % SHARES;
  const cases = Object.values(TABLE).flat().filter((_, index) => index % SHARES === share);
  await using world = await HostileWorld.start();
  const problems: string[] = [];
  for (const hostile of cases) {
    const { problem } = await world.run(hostile, SETTINGS);
    if (problem !== undefined) problems.push(`${hostile.name}: ${problem}`);
  }
  assertEquals(problems, []);
});

Deno.test("hostile objects: the table has at least a hundred cases with unique names", () => {
  const names = Object.values(TABLE).flat().map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  assertEquals(names.length >= 100, true);
});
