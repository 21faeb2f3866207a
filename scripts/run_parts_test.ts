import { assert, assertEquals } from "@std/assert";
import { countsIn, PartsRunner } from "./run_parts.ts";

interface TestRun {
  readonly runner: PartsRunner;
  readonly printed: string[];
  /** Moves the clock. */
  readonly wait: (minutes: number) => void;
}

function startRun(budgetMinutes?: number): TestRun {
  let now = 0;
  const printed: string[] = [];
  const decoder = new TextDecoder();
  const runner = new PartsRunner({
    started: 0,
    budgetMinutes,
    now: () => now,
    print: (line) => printed.push(line),
    write: (bytes) => printed.push(decoder.decode(bytes)),
  });
  return { runner, printed, wait: (minutes) => now += minutes * 60_000 };
}

function shell(name: string, script: string, minutes = 5) {
  return { name, command: ["sh", "-c", script], minutes };
}

/** The closing lines without the times. */
function endOf({ runner }: TestRun): string[] {
  return runner.summary().filter((line) => !/^(== times.*|\s*\d+ s of .*)$/.test(line));
}

Deno.test("PartsRunner: adds the counts of its parts and prints the sum as the last line", async () => {
  const run = startRun();
  await run.runner.run(shell("a", "echo 3 passed, 0 failed, 1 skipped"));
  await run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped; echo 4 passed, 0 failed, 2 skipped"));
  assertEquals(endOf(run), ["7 passed, 0 failed, 3 skipped"]);
  assert(!run.runner.failed);
  assert(run.printed.includes("== a ended with 0 after 0 s"), run.printed.join("\n"));
});

Deno.test("PartsRunner: continues after failures and repeats them at its end, from both streams", async () => {
  const run = startRun();
  await run.runner.run(
    shell("a", "echo FAIL x: late; echo 'FAIL y' >&2; echo '  why' >&2; echo 3 passed, 2 failed, 0 skipped; exit 1"),
  );
  await run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  const end = endOf(run);
  assertEquals(end.slice(0, 2), ["== failures", "a ended with 1"]);
  assertEquals(end.slice(2, -1).toSorted(), ["  x: late", "  y: why"]);
  assertEquals(end.at(-1), "4 passed, 2 failed, 0 skipped");
});

Deno.test("PartsRunner: a part fails if it ends without its counts, or with an error after printing them", async () => {
  const run = startRun();
  await run.runner.run(shell("a", "echo Module not found"));
  await run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped; exit 7"));
  await run.runner.run(shell("c", "kill -KILL $$"));
  assertEquals(endOf(run), [
    "== failures",
    "a ended with 0, without its counts",
    "  Module not found",
    "b ended with 7",
    "  1 passed, 0 failed, 0 skipped",
    "c ended with 137, without its counts",
    "1 passed, 3 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner: stops a part that takes too long, with everything that it started", async () => {
  const run = startRun();
  await run.runner.run(shell("a", "echo begun; sleep 1000 & wait", 0.001));
  assertEquals(endOf(run), [
    "== failures",
    "a was stopped after 0 minutes",
    "  begun",
    "0 passed, 1 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner: leaves out a part that does not fit, and counts it as skipped", async () => {
  const run = startRun(80);
  run.wait(30);
  await run.runner.run(shell("a", "echo 1 passed, 0 failed, 0 skipped", 50));
  run.wait(1);
  await run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped", 50));
  assertEquals(endOf(run), ["== left out: no time was left", "b", "1 passed, 0 failed, 1 skipped"]);
  assert(!run.runner.failed);
});

Deno.test("PartsRunner: begins a required part however little time is left", async () => {
  const run = startRun(1);
  run.wait(2);
  await run.runner.run({ ...shell("a", "echo 1 passed, 0 failed, 0 skipped"), isRequired: true });
  assertEquals(endOf(run), ["1 passed, 0 failed, 0 skipped"]);
});

Deno.test("PartsRunner: prints the time of each part next to its budget, and marks what took longer", async () => {
  const run = startRun();
  await run.runner.run(shell("a", "echo 1 passed, 0 failed, 0 skipped"));
  const slow = run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  run.wait(6);
  await slow;
  assertEquals(run.runner.summary().slice(0, 3), [
    "== times, and budgets",
    "    0 s of  300 s  a",
    "  360 s of  300 s  b  OVER",
  ]);
});

Deno.test("PartsRunner: a failed case that passes alone is unsteady and not failed", async () => {
  const run = startRun();
  const fails = "echo 'FAIL x (1.2 s): late'; echo 1 passed, 1 failed, 0 skipped; exit 1";
  const again = (script: string) => (name: string) => ["sh", "-c", script.replace("NAME", name)];
  await run.runner.run({ ...shell("a", fails), rerun: again("[ NAME = x ] && echo 1 passed, 0 failed, 9 skipped") });
  await run.runner.run({ ...shell("b", fails), rerun: again("echo 0 passed, 1 failed, 9 skipped; exit 1") });
  await run.runner.run(shell("c", fails));
  assertEquals(endOf(run), [
    "== unsteady: failed, then passed alone",
    "a: x (1.2 s): late",
    "== failures",
    "b ended with 1",
    "  x (1.2 s): late",
    "c ended with 1",
    "  x (1.2 s): late",
    "4 passed, 2 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner: a part with many failures is not run again", async () => {
  const run = startRun();
  const lines = ["w", "x", "y", "z"].map((name) => `echo 'FAIL ${name}: late'`).join("; ");
  await run.runner.run({
    ...shell("a", `${lines}; echo 0 passed, 4 failed, 0 skipped; exit 1`),
    rerun: () => ["sh", "-c", "echo 4 passed, 0 failed, 0 skipped"],
  });
  assertEquals(endOf(run).at(-1), "0 passed, 4 failed, 0 skipped");
});

Deno.test("PartsRunner: more than three unsteady cases fail the run", async () => {
  const run = startRun();
  const part = {
    ...shell("a", "echo 'FAIL x: late'; echo 'FAIL y: late'; echo 0 passed, 2 failed, 0 skipped; exit 1"),
    rerun: () => ["sh", "-c", "echo 2 passed, 0 failed, 0 skipped"],
  };
  await run.runner.run(part);
  assert(!run.runner.failed);
  await run.runner.run({ ...part, name: "b" });
  assert(!run.runner.failed);
  await run.runner.run({ ...part, name: "c" });
  await run.runner.run({ ...part, name: "d" });
  assert(run.runner.failed);
  assertEquals(endOf(run).slice(-2), ["4 cases are unsteady: at most 3 may be", "8 passed, 1 failed, 0 skipped"]);
});

Deno.test("PartsRunner: stops the running part when it is stopped", async () => {
  const started = startRun();
  const run = started.runner.run(shell("a", "sleep 1000"));
  started.runner.stop("somebody stopped it");
  await run;
  assertEquals(endOf(started), [
    "== failures",
    "a was running: somebody stopped it",
    "0 passed, 1 failed, 0 skipped",
  ]);
});

Deno.test("PartsRunner: begins no part after it was stopped, and keeps its sum", async () => {
  const run = startRun();
  await run.runner.run(shell("a", "echo 2 passed, 0 failed, 0 skipped"));
  run.runner.stop("the run was stopped by SIGTERM");
  await run.runner.run(shell("b", "echo 1 passed, 0 failed, 0 skipped"));
  run.runner.skipParts([{ name: "c" }], "there is no cluster");
  assertEquals(endOf(run), ["== failures", "the run was stopped by SIGTERM", "2 passed, 1 failed, 0 skipped"]);
});

Deno.test("PartsRunner: parts that need a failed preparation have failed", async () => {
  const run = startRun();
  assert(await run.runner.prepare(shell("up", "true")));
  assert(!await run.runner.prepare(shell("up again", "echo no room; exit 4")));
  run.runner.skipParts([{ name: "e2e" }], "there is no cluster");
  assertEquals(endOf(run), [
    "== failures",
    "up again ended with 4",
    "  no room",
    "e2e did not run: there is no cluster",
    "0 passed, 2 failed, 0 skipped",
  ]);
});

Deno.test("countsIn: reads the last line of counts", () => {
  assertEquals(countsIn("1 passed, 0 failed, 0 skipped\n2 passed, 1 failed, 3 skipped\n"), {
    passed: 2,
    failed: 1,
    skipped: 3,
  });
  assertEquals(countsIn("ok: 1 passed, 0 failed, 0 skipped\n"), undefined);
});
