import { assertEquals } from "@std/assert";
import { CrashGuard } from "./crash_guard.ts";

const object = (name: string, version: number) => ({
  metadata: { name, namespace: "ns", uid: `uid-${name}`, resourceVersion: String(version) },
});

/** Runs a test over a data folder. A run that is not closed simulates a process that was killed. */
async function withFolder(test: (run: (now?: () => number) => CrashGuard, notices: string[]) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir();
  const notices: string[] = [];
  try {
    test((now) => new CrashGuard({ dataDir, onNotice: (text) => notices.push(text), ...(now && { now }) }), notices);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("CrashGuard: an object that ends the process in every run is set aside until it is changed", async () => {
  await withFolder((run, notices) => {
    for (const killed of [true, true, true]) assertEquals(run().beginPass("workflow", object("killer", 7)), killed);
    assertEquals(notices, []);
    const guard = run();
    assertEquals(notices, [
      "The workflow ns/killer is set aside: this process ended repeatedly during its passes. Change it to release it",
    ]);
    assertEquals(guard.beginPass("workflow", object("killer", 7)), false);
    assertEquals(guard.beginPass("workflow", object("other", 7)), true);
    assertEquals(guard.beginPass("workflow", object("killer", 8)), true);
    guard.close();
    // It stays set aside after a run that was closed, and is reported only once.
    assertEquals(run().beginPass("workflow", object("killer", 7)), false);
    assertEquals(notices.length, 1);
  });
});

Deno.test("CrashGuard: a process that is killed at any moment sets nothing aside as long as its objects change", async () => {
  await withFolder((run, notices) => {
    for (let version = 1; version < 10; version++) run().beginPass("workflow", object("busy", version));
    assertEquals(run().beginPass("workflow", object("busy", 10)), true);
    assertEquals(notices, []);
  });
});

Deno.test("CrashGuard: passes that ended before the process did are not counted, nor are those of a run that was closed", async () => {
  await withFolder((run, notices) => {
    for (let times = 0; times < 5; times++) {
      const guard = run();
      guard.beginPass("workflow", object("fine", 1));
      guard.endPass("workflow", object("fine", 1));
    }
    for (let times = 0; times < 5; times++) {
      const guard = run();
      guard.beginPass("workflow", object("open", 1));
      guard.close();
    }
    assertEquals(notices, []);
  });
});

Deno.test("CrashGuard: passes are recorded for ten minutes after a run that was not closed, and otherwise never", async () => {
  const dataDir = await Deno.makeTempDir();
  const written = () => JSON.parse(Deno.readTextFileSync(`${dataDir}/passes.json`)).passes.length;
  let now = 0;
  const run = () => new CrashGuard({ dataDir, onNotice: () => {}, now: () => now });
  const usual = run();
  usual.beginPass("workflow", object("a", 1));
  assertEquals(written(), 0);
  const careful = run();
  careful.beginPass("workflow", object("a", 1));
  assertEquals(written(), 1);
  now += 600_000;
  careful.beginPass("workflow", object("b", 1));
  assertEquals(written(), 0);
  await Deno.remove(dataDir, { recursive: true });
});
