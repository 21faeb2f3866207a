import { assertEquals } from "@std/assert";
import { TestOutput } from "./output.ts";

const OUTPUT = `running 4 tests from ./a_test.ts
prints ...
------- output -------
adds ... FAILED (3ms)
----- output end -----
prints ... ok (438µs)
has steps ...
  one ... ok (0ms)
  two ... FAILED (0ms)
has steps ... FAILED (due to 1 failed step) (6ms)
flies (skipped: needs wings) ... ignored (0ms)
hangs ...'hangs' has been running for over (1m0s)
 FAILED (1m39s)
Uncaught error from ./b_test.ts FAILED
running 2 tests from ./c_test.ts
throws later ...
Uncaught error from ./c_test.ts FAILED
throws later ... cancelled (0ms)
running 1 test from ./lib/loop.ts#42-49.ts
file:///lib/loop.ts#42-49.ts ... ok (2ms)

 ERRORS

has steps ... two => ./a_test.ts:2:76
error: Error: x

FAILED | 2 passed (1 step) | 5 failed (1 step) | 1 ignored (1m40s)
`;

Deno.test("TestOutput: reads the outcome of every test, in pieces of any size and with colors", () => {
  for (const size of [1, 7, 1000]) {
    const output = new TestOutput();
    for (const piece of OUTPUT.match(new RegExp(`[^]{1,${size}}`, "g"))!) output.take(piece);
    const results = Object.fromEntries(
      [...output.files].map(([file, { passed, failed, ignored }]) => [file, { passed, failed, ignored }]),
    );
    assertEquals(results, {
      "a_test.ts": {
        passed: 1,
        failed: ["has steps", "(a slow test)"],
        ignored: ["flies (skipped: needs wings)"],
      },
      "b_test.ts": { passed: 0, failed: ["(uncaught error)"], ignored: [] },
      "c_test.ts": { passed: 0, failed: ["(uncaught error)", "throws later"], ignored: [] },
      "lib/loop.ts": { passed: 1, failed: [], ignored: [] },
    });
  }
  const colored = new TestOutput();
  colored.take("running 1 test from ./a_test.ts\nadds ... \x1b[32mok\x1b[0m \x1b[38;5;245m(1ms)\x1b[0m\n");
  assertEquals(colored.files.get("a_test.ts")?.passed, 1);
});

Deno.test("TestOutput: reads the tests after output that does not end with a newline", () => {
  const output = new TestOutput();
  output.take("running 2 tests from ./a_test.ts\none ...\n------- output -------\n");
  output.take("half a line----- output end -----\none ... ok (1ms)\ntwo ... ok (1ms)\n");
  assertEquals(output.files.get("a_test.ts")?.passed, 2);
  assertEquals(output.files.get("a_test.ts")?.unreported, 0);
});

Deno.test("TestOutput: counts the tests whose end was not reported", () => {
  const output = new TestOutput();
  output.take(
    "running 3 tests from ./a_test.ts\none ... ok (1ms)\nrunning 1 test from ./b_test.ts\ntwo ... ok (1ms)\n",
  );
  assertEquals([...output.files].map(([file, { unreported }]) => [file, unreported]), [["a_test.ts", 2], [
    "b_test.ts",
    0,
  ]]);
});

Deno.test("TestOutput: the time of a file runs from the end of the previous file to the end of its last test", () => {
  let now = 0;
  const output = new TestOutput({}, () => now);
  const take = (text: string, time: number) => {
    now = time;
    output.take(text);
  };
  take("running 2 tests from ./a_test.ts\none ... ok (1ms)\n", 10);
  take("two ... ok (1ms)\n", 15);
  take("running 1 test from ./b_test.ts\n", 40);
  take("three ... ok (1ms)\n", 42);
  assertEquals([...output.files].map(([file, { millis }]) => [file, millis]), [["a_test.ts", 15], ["b_test.ts", 27]]);
});

Deno.test("TestOutput: shows the errors, or everything if the process ended early", () => {
  const output = new TestOutput();
  output.take(OUTPUT);
  assertEquals(output.errorText().startsWith(" ERRORS"), true);
  const broken = new TestOutput();
  broken.take("error: Module not found\n");
  assertEquals(broken.errorText(), "error: Module not found\n");
});

Deno.test("TestOutput: reads the files of tests that share a graph from their names", () => {
  const output = new TestOutput();
  output.take("running 5 tests from ./scripts/unit_tests/shared.ts\n");
  output.take(
    "a_test.ts (2): one ... ok (1ms)\na_test.ts (2): two ...'a_test.ts (2): two' has been running for over (1m0s)\n",
  );
  output.take(" FAILED (1m1s)\nb_test.ts (2): prints ...\n------- output -------\nc_test.ts (1): x ... ok (1ms)\n");
  output.take("----- output end -----\nb_test.ts (2): prints ... ok (1ms)\n");
  const results = [...output.files].map(([file, { passed, failed, unreported }]) => [file, passed, failed, unreported]);
  assertEquals(results, [["a_test.ts", 1, ["(a slow test)"], 0], ["b_test.ts", 1, [], 1]]);
  output.take("Uncaught error from ./scripts/unit_tests/shared.ts FAILED\n");
  assertEquals(output.files.get("b_test.ts")?.failed, ["(uncaught error)"]);
});
