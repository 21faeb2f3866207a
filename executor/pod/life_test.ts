import { assertEquals } from "@std/assert";
import { PATH } from "@tiphys/base/constants";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { waitForFile } from "@tiphys/base/watch";
import { waitForExit, writeExitCode } from "../process/exit_code.ts";
import { hasStarted, markAlive, recordDeath } from "./life.ts";
import { startProgram } from "../testing/process.ts";
import { PLAIN_FILES } from "./shared_files.ts";
import { containerFolder } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

const never = new AbortController().signal;

/** A long-running executor of the container `main`. */
async function livingProcess(world: TestWorld): Promise<Deno.ChildProcess> {
  const process = await startProgram(world, ["emissary", "--", "sleep", "60"]);
  const file = `${containerFolder(world, "main")}/alive`;
  await waitForFile(file, () => Deno.stat(file).then(() => true, () => undefined));
  return process;
}

Deno.test("recordDeath: writes 137 for a container that the kernel killed", async () => {
  await using world = await testWorld({ container: "supervisor", template: { container: {} } });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const main = await livingProcess(world);
  const waiting = waitForExit(world, "main");
  const telling = recordDeath(world, "main", never);
  main.kill("SIGKILL");
  assertEquals(await waiting, 137);
  await telling;
  await main.status;
});

Deno.test("recordDeath: keeps an exit code that the container wrote", async () => {
  await using world = await testWorld({ container: "supervisor" });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const life = markAlive(world, "main");
  const telling = recordDeath(world, "main", never);
  writeExitCode(world, "main", 3);
  life[Symbol.dispose]();
  await telling;
  assertEquals(await world.read(`${PATH.containers}/main/exitcode`), "3");
});

Deno.test("recordDeath: retries while the disk is full", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ container: "supervisor", clock });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const life = markAlive(world, "main");
  let refused = 0;
  world.files = {
    ...PLAIN_FILES,
    write(...args) {
      if (refused++ < 3) throw new Error("No space left on device (os error 28)");
      PLAIN_FILES.write(...args);
    },
  };
  const telling = recordDeath(world, "main", never);
  life[Symbol.dispose]();
  await clock.runUntil(telling);
  assertEquals([await world.read(`${PATH.containers}/main/exitcode`), refused], ["137", 4]);
});

Deno.test("hasStarted: distinguishes a started container from one that others only wait for", async () => {
  await using world = await testWorld();
  for (const name of ["main", "late"]) PLAIN_FILES.makeFolder(containerFolder(world, name));
  using _ = markAlive(world, "main");
  assertEquals([await hasStarted(world, "main"), await hasStarted(world, "late")], [true, false]);
});
