import { assertEquals } from "@std/assert";
import { PATH } from "../lib/constants.ts";
import { untilFile } from "../lib/watch/mod.ts";
import { untilExited, writeExitCode } from "./exit_code.ts";
import { hasLived, holdLife, tellDeath } from "./life.ts";
import { startProgram } from "./process_for_tests.ts";
import { containerFolder, makeSharedFolder } from "./world.ts";
import { type TestWorld, testWorld } from "./world_for_tests.ts";

const never = new AbortController().signal;

/** The executor of `main`, at work for a long time. */
async function livingProcess(world: TestWorld): Promise<Deno.ChildProcess> {
  const process = await startProgram(world, ["emissary", "--", "sleep", "60"]);
  const file = `${containerFolder(world, "main")}/alive`;
  await untilFile(file, () => Deno.stat(file).then(() => true, () => undefined));
  return process;
}

Deno.test("tellDeath() leaves 137 for a container that the kernel killed, so that nobody waits for it", async () => {
  await using world = await testWorld({ container: "supervisor", template: { container: {} } });
  await makeSharedFolder(containerFolder(world, "main"));
  const main = await livingProcess(world);
  const waiting = untilExited(world, "main");
  const telling = tellDeath(world, "main", never);
  main.kill("SIGKILL");
  assertEquals(await waiting, 137);
  await telling;
  await main.status;
});

Deno.test("tellDeath() leaves the exit code alone that a container wrote itself", async () => {
  await using world = await testWorld({ container: "supervisor" });
  await makeSharedFolder(containerFolder(world, "main"));
  const life = holdLife(world, "main");
  const telling = tellDeath(world, "main", never);
  await writeExitCode(world, "main", 3);
  life[Symbol.dispose]();
  await telling;
  assertEquals(await world.read(`${PATH.containers}/main/exitcode`), "3");
});

Deno.test("hasLived() tells a container that was started from one that others only wait for", async () => {
  await using world = await testWorld();
  for (const name of ["main", "late"]) await makeSharedFolder(containerFolder(world, name));
  using _ = holdLife(world, "main");
  assertEquals([await hasLived(world, "main"), await hasLived(world, "late")], [true, false]);
});
