import { assertEquals, assertRejects } from "@std/assert";
import { PATH } from "@tiphys/base/constants";
import { ExecutorError } from "../failure.ts";
import { testWorld } from "../testing/world.ts";
import { reportEnded } from "./ended.ts";
import { waitForExit } from "../process/exit_code.ts";

Deno.test("ended: ends the wait for a container whose executor never started (IL-84)", async () => {
  await using world = await testWorld({ container: "supervisor" });
  const waiting = waitForExit(world, "main");
  assertEquals(await reportEnded(world, ["main=1"]), 0);
  assertEquals(await waiting, 1);
});

Deno.test("ended: keeps an exit code that the container wrote", async () => {
  await using world = await testWorld({ container: "supervisor" });
  await world.write(`${PATH.containers}/main/exitcode`, "3");
  await reportEnded(world, ["main=137", "other=1"]);
  assertEquals(await world.read(`${PATH.containers}/main/exitcode`), "3");
  assertEquals(await world.read(`${PATH.containers}/other/exitcode`), "1");
});

Deno.test("ended: rejects arguments that are not CONTAINER=CODE", async () => {
  await using world = await testWorld({ container: "supervisor" });
  for (const word of ["main", "../main=1", "main=-1", "=1", "main=1x"]) {
    await assertRejects(() => reportEnded(world, [word]), ExecutorError, `got "${word}"`);
  }
});
