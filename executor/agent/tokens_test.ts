import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { ENV, PATH } from "../../lib/constants.ts";
import { testWorld } from "../testing/world.ts";
import { makeTokens, tokenOf } from "./tokens.ts";

Deno.test("Init that is run twice leaves every plugin the same token (T-AG-14)", async () => {
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

Deno.test("A name that leads out of the folder of tokens is none of a plugin", async () => {
  await using world = await testWorld({ env: { [ENV.pluginNames]: '["../../etc"]' } });
  assertThrows(() => makeTokens(world), Error, "is no name of a container");
});
