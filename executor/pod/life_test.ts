import { assertEquals } from "@std/assert";
import { PATH } from "../../lib/constants.ts";
import { fakeClock } from "../../lib/clock/testing/fake_clock.ts";
import { untilFile } from "../../lib/watch/mod.ts";
import { untilExited, writeExitCode } from "../command/exit_code.ts";
import { hasLived, holdLife, tellDeath } from "./life.ts";
import { startProgram } from "../testing/process.ts";
import { PLAIN_FILES } from "./shared_files.ts";
import { containerFolder } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

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
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
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
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const life = holdLife(world, "main");
  const telling = tellDeath(world, "main", never);
  writeExitCode(world, "main", 3);
  life[Symbol.dispose]();
  await telling;
  assertEquals(await world.read(`${PATH.containers}/main/exitcode`), "3");
});

Deno.test("tellDeath() tries again while its disk has no room, as the end of main may make some", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ container: "supervisor", clock });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const life = holdLife(world, "main");
  let refused = 0;
  world.files = {
    ...PLAIN_FILES,
    write(...args) {
      if (refused++ < 3) throw new Error("No space left on device (os error 28)");
      PLAIN_FILES.write(...args);
    },
  };
  const telling = tellDeath(world, "main", never);
  life[Symbol.dispose]();
  await clock.runUntil(telling);
  assertEquals([await world.read(`${PATH.containers}/main/exitcode`), refused], ["137", 4]);
});

Deno.test("hasLived() tells a container that was started from one that others only wait for", async () => {
  await using world = await testWorld();
  for (const name of ["main", "late"]) PLAIN_FILES.makeFolder(containerFolder(world, name));
  using _ = holdLife(world, "main");
  assertEquals([await hasLived(world, "main"), await hasLived(world, "late")], [true, false]);
});
