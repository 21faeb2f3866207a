import { assertEquals, assertMatch } from "@std/assert";
import { ENV, PATH } from "../lib/constants.ts";
import { readResult } from "./outputs.ts";
import { testWorld } from "./world_for_tests.ts";

const SCRIPT = { script: {} };
const asked = { env: { [ENV.includeScriptOutput]: "true" } };

Deno.test("readResult() is what main printed, without one newline at its end", async () => {
  await using world = await testWorld(asked);
  await world.write(`${PATH.containers}/main/stdout`, "a\nb\n\n");
  assertEquals(await readResult(world, SCRIPT), "a\nb\n");
});

Deno.test("readResult() keeps the last 256 KiB of a long output, and says so", async () => {
  await using world = await testWorld(asked);
  await world.write(`${PATH.containers}/main/stdout`, "begin" + "x".repeat(256 * 1024 - 3) + "end");
  const result = await readResult(world, SCRIPT);
  assertEquals(result?.length, 256 * 1024);
  assertEquals(result?.slice(-5), "xxend");
  assertMatch(world.logged.join(), /has 262149 bytes/);
});

Deno.test("readResult() has nothing to read where nobody asks for it, main printed nothing, or there is no main", async () => {
  await using world = await testWorld(asked);
  assertEquals(await readResult(world, SCRIPT), undefined);
  await world.write(`${PATH.containers}/main/stdout`, "text");
  assertEquals(await readResult(world.as("supervisor", { [ENV.includeScriptOutput]: "false" }), SCRIPT), undefined);
  assertEquals(await readResult(world, { containerSet: { containers: [{ name: "a" }] } }), undefined);
});
