import { assert, assertEquals } from "@std/assert";
import { countsIn, PartsRunner } from "./run_parts.ts";

interface World {
  readonly runner: PartsRunner;
  readonly said: string[];
  /** Lets time pass. */
  readonly wait: (minutes: number) => void;
}

function world(budgetMinutes?: number): World {
  let now = 0;
  const said: string[] = [];
  const decoder = new TextDecoder();
  const runner = new PartsRunner({
    started: 0,
    budgetMinutes,
    now: () => now,
    say: (line) => said.push(line),
    write: (bytes) => said.push(decoder.decode(bytes)),
  });
  return { runner, said, wait: (minutes) => now += minutes * 60_000 };
}

function shell(name: string, script: string, minutes = 5) {
  return { name, command: ["sh", "-c", script], minutes };
}

/** The lines of the end, without the times. */
function endOf({ runner }: World): string[] {
  return runner.summary().filter((line) => !/^(== times|\s*\d+ s {2}.*)$/.test(line));
}

Deno.test("PartsRunner adds the counts of its parts, and its sum is the last line", async () => {
  const one = world();
  await one.runner.run(shell("a", "echo 3 passed, 0 failed, 1 skipped"));
  await one.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped; echo 4 passed, 0 failed, 2 skipped"));
  assertEquals(endOf(one), ["7 passed, 0 failed, 3 skipped"]);
  assert(!one.runner.failed);
  assert(one.said.includes("== a ended with 0 after 0 s"), one.said.join("\n"));
});

Deno.test("PartsRunner repeats at its end what failed, from both streams, and goes on", async () => {
  const one = world();
  await one.runner.run(
    shell("a", "echo FAIL x: late; echo 'FAIL y' >&2; echo '  why' >&2; echo 3 passed, 2 failed, 0 skipped; exit 1"),
  );
  await one.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  const end = endOf(one);
  assertEquals(end.slice(0, 2), ["== what failed", "a ended with 1"]);
  assertEquals(end.slice(2, -1).toSorted(), ["  x: late", "  y: why"]);
  assertEquals(end.at(-1), "4 passed, 2 failed, 0 skipped");
});

Deno.test("PartsRunner counts a part that ends without its counts, or with an error in spite of them, as a failure", async () => {
  const one = world();
  await one.runner.run(shell("a", "echo Module not found"));
  await one.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped; exit 7"));
  await one.runner.run(shell("c", "kill -KILL $$"));
  assertEquals(endOf(one), [
    "== what failed",
    "a ended with 0, without its counts",
    "  Module not found",
    "b ended with 7",
    "  1 passed, 0 failed, 0 skipped",
    "c ended with 137, without its counts",
    "1 passed, 3 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner ends a part that takes too long, with everything that it started", async () => {
  const one = world();
  await one.runner.run(shell("a", "echo begun; sleep 1000 & wait", 0.002));
  assertEquals(endOf(one), [
    "== what failed",
    "a was ended after 0 minutes",
    "  begun",
    "0 passed, 1 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner begins nothing when its budget is over, and counts what did not run as failures", async () => {
  const one = world(80);
  one.wait(30);
  await one.runner.run(shell("a", "echo 1 passed, 0 failed, 0 skipped"));
  one.wait(49.5);
  await one.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  assert(!await one.runner.prepare(shell("c", "true")));
  assertEquals(endOf(one), [
    "== what failed",
    "b did not run: the 80 minutes of the whole run are over",
    "c did not run: the 80 minutes of the whole run are over",
    "1 passed, 2 failed, 0 skipped",
  ]);
});

/** A part that fails when it is run for the first time only, and takes some minutes of the world's time each time. */
async function unsteady(folder: string) {
  await Deno.mkdir(folder, { recursive: true });
  const script =
    `mkdir ${folder}/again 2>/dev/null && { echo FAIL x: late; echo 1 passed, 1 failed, 0 skipped; exit 1; }
    echo 2 passed, 0 failed, 0 skipped`;
  return { ...shell("a", script), twice: true };
}

Deno.test("PartsRunner asks a part that may be unsteady once more, counts the second answer, and repeats the first failure", async () => {
  const folder = await Deno.makeTempDir();
  const one = world(80);
  await one.runner.run(await unsteady(folder));
  await one.runner.run({
    ...shell("b", "echo FAIL y: wrong; echo 0 passed, 1 failed, 0 skipped; exit 1"),
    twice: true,
  });
  assertEquals(endOf(one), [
    "== unsteady: failed, and passed the second time",
    "a ended with 1",
    "  x: late",
    "== what failed",
    "b ended with 1",
    "  y: wrong",
    "2 passed, 1 failed, 0 skipped",
  ]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("PartsRunner asks nothing twice that has no time for it", async () => {
  const folder = await Deno.makeTempDir();
  const one = world(80);
  one.wait(78.9);
  await one.runner.run(await unsteady(folder));
  one.wait(0.05);
  assertEquals(endOf(one).at(-1), "2 passed, 0 failed, 0 skipped");
  await Deno.remove(`${folder}/again`);
  one.wait(0.05);
  await one.runner.run(await unsteady(folder));
  assertEquals(endOf(one).at(-1), "3 passed, 1 failed, 0 skipped");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("PartsRunner ends the part that runs when it is stopped", async () => {
  const one = world();
  const run = one.runner.run(shell("a", "sleep 1000"));
  one.runner.stop("somebody stopped it");
  await run;
  assertEquals(endOf(one), [
    "== what failed",
    "a was running: somebody stopped it",
    "0 passed, 1 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner that was stopped begins nothing more and keeps its sum", async () => {
  const one = world();
  await one.runner.run(shell("a", "echo 2 passed, 0 failed, 0 skipped"));
  one.runner.stop("the run was stopped by SIGTERM");
  await one.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  one.runner.leaveOut([{ name: "c" }], "there is no cluster");
  assertEquals(endOf(one), ["== what failed", "the run was stopped by SIGTERM", "2 passed, 1 failed, 0 skipped"]);
});

Deno.test("PartsRunner counts what stands on a preparation that failed", async () => {
  const one = world();
  assert(await one.runner.prepare(shell("up", "true")));
  assert(!await one.runner.prepare(shell("up again", "echo no room; exit 4")));
  one.runner.leaveOut([{ name: "e2e" }], "there is no cluster");
  assertEquals(endOf(one), [
    "== what failed",
    "up again ended with 4",
    "  no room",
    "e2e did not run: there is no cluster",
    "0 passed, 2 failed, 0 skipped",
  ]);
});

Deno.test("countsIn() takes the last counts of an output, which are a line of their own", () => {
  assertEquals(countsIn("1 passed, 0 failed, 0 skipped\n2 passed, 1 failed, 3 skipped\n"), {
    passed: 2,
    failed: 1,
    skipped: 3,
  });
  assertEquals(countsIn("ok: 1 passed, 0 failed, 0 skipped\n"), undefined);
});
