import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { testWorld } from "../testing/world.ts";
import { makeTokens, tokenOf } from "./tokens.ts";

Deno.test("agent init: a second run keeps the tokens (T-AG-14)", async () => {
  await using world = await testWorld({ env: { [ENV.pluginNames]: '["slack","jira"]' } });
  assertEquals(makeTokens(world), 0);
  const [slack, jira] = [tokenOf(world, "slack"), tokenOf(world, "jira")];
  assertMatch(slack, /^[A-Za-z0-9]{32}$/);
  assertNotEquals(slack, jira);
  assertEquals(makeTokens(world), 0);
  assertEquals([tokenOf(world, "slack"), tokenOf(world, "jira")], [slack, jira]);
  const { mode } = Deno.statSync(`${world.root}${PATH.varRunArgo}/slack/token`);
  assertEquals((mode ?? 0) & 0o777, 0o440);
});

Deno.test("agent init: a plugin name with a path out of the token folder is rejected", async () => {
  await using world = await testWorld({ env: { [ENV.pluginNames]: '["../../etc"]' } });
  assertThrows(() => makeTokens(world), Error, "is not a valid container name");
});
