import { assertEquals } from "@std/assert";
import { manifestFiles } from "./input/manifest_files.ts";
import { FakeWorld } from "./testing/fake_world.ts";

const EXAMPLES = new URL("../examples", import.meta.url).pathname;

Deno.test("examples: lint reports no problems", async () => {
  const names = (await manifestFiles([EXAMPLES])).files;
  const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await Deno.readTextFile(name)])));
  using world = new FakeWorld({ files });
  for (const name of names) {
    assertEquals(await world.run("lint", "--offline", name), 0, `${name}: ${world.output}${world.errors}`);
  }
});
