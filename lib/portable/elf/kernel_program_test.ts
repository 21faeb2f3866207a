import { assertEquals, assertThrows } from "@std/assert";
import { awaitFact } from "../../../tests/await_fact.ts";
import { FAILED, KernelProgram, readReports } from "./kernel_program.ts";
import { SLOTS } from "./processor.ts";
import { type RunnableProcessor, runnableProcessors } from "./testing/runnable_processors.ts";

const STDOUT = 1;
const AT_FDCWD = -100;
const ENOENT = 2;

/** Runs a program. Its reports are the standard output. */
async function run(program: KernelProgram, { arch, command }: RunnableProcessor) {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeFile(file, program.file(arch));
    await Deno.chmod(file, 0o755);
    const [name, ...args] = [...command, file];
    const { code, signal, stdout } = await outputOnceClosed(new Deno.Command(name!, { args, stdin: "null" }));
    return { code, signal, stdout: new TextDecoder().decode(stdout), reports: readReports(stdout) };
  } finally {
    await Deno.remove(file);
  }
}

/** A process that another test starts meanwhile has the file open for writing until it executes its own program. */
async function outputOnceClosed(command: Deno.Command): Promise<Deno.CommandOutput> {
  let output: Deno.CommandOutput | undefined;
  await awaitFact("no process writes to the program", async () => {
    output = await command.output();
    return true;
  }, { seconds: 60 });
  return output!;
}

/** Registers a test for each processor that this machine can run or emulate. */
for (const processor of await runnableProcessors()) {
  const test = (name: string, act: (program: KernelProgram) => Promise<void>) =>
    Deno.test(`kernel program for ${processor.arch}: ${name}`, () => act(new KernelProgram()));
  const runs = (program: KernelProgram) => run(program, processor);

  test("arguments of a call can be numbers, texts, and the result of an earlier call", async (program) => {
    const file = program.slot();
    program.must("open", "openat", AT_FDCWD, program.text("/dev/stdout"), 1).keep(file)
      .attempt("write", file, program.text("hello\n"), 6)
      .exit(3);
    const { code, stdout } = await runs(program);
    assertEquals([code, stdout], [3, "hello\n"]);
  });

  test("starts a program with arguments and an environment", async (program) => {
    const script = 'printf "%s\\n" "$0" "$@" "$A"';
    program.attempt("execve", program.text("/nowhere/sh"), program.list(["sh"]), program.list([]))
      .attempt(
        "execve",
        program.text("/bin/sh"),
        program.list(["sh", "-c", script, "zero", "", "two  words", "$HOME"]),
        program.list(["A=1 2'3"]),
      );
    assertEquals((await runs(program)).stdout, "zero\n\ntwo  words\n$HOME\n1 2'3\n");
  });

  test("exits when a required call fails, and reports which call it was and why", async (program) => {
    program.reportTo(STDOUT).must("begin", "umask", 0).attempt("chdir", program.text("/nowhere"))
      .must("enter the folder", "chdir", program.text("/nowhere"))
      .exit(0);
    const { code, reports } = await runs(program);
    assertEquals([code, reports], [127, [{ kind: FAILED, first: 1, second: -ENOENT }]]);
    assertEquals(program.steps, ["begin: umask", "enter the folder: chdir"]);
  });

  test("conditional calls depend on the last result", async (program) => {
    const missing = () => program.attempt("chdir", program.text("/nowhere"));
    program.reportTo(STDOUT);
    missing().when(-ENOENT, () => program.report(10));
    missing().when(0, () => program.report(11));
    missing().unless(0, () => program.report(12));
    missing().unless(-ENOENT, () => program.report(13));
    program.exit(0);
    assertEquals((await runs(program)).reports.map(({ kind }) => kind), [10, 12]);
  });

  test("a failure in a conditional part exits immediately", async (program) => {
    program.reportTo(STDOUT).attempt("umask", 0).unless(-1, () => {
      program.must("inside", "chdir", program.text("/nowhere")).report(20);
    }).report(21).exit(0);
    const { code, reports } = await runs(program);
    assertEquals([code, reports.map(({ kind }) => kind)], [127, [FAILED]]);
  });

  for (const [how, expected] of [["exit 0", 0], ["exit 7", 7], ["exit 255", 255], ["kill -9 $$", 137]] as const) {
    test(`exits like its child: ${how}`, async (program) => {
      const status = program.slot();
      program.fork("start", () => {
        program.attempt("execve", program.text("/bin/sh"), program.list(["sh", "-c", how]), program.list([]));
      }).must("wait", "wait4", -1, { addressOf: status }, 0, 0).exitAs(status);
      assertEquals((await runs(program)).code, expected);
    });
  }

  test("fork: returns the child's process ID, and all slots can be used", async (program) => {
    const slots = Array.from({ length: SLOTS - 4 }, () => program.slot());
    program.reportTo(STDOUT);
    for (const slot of slots) program.attempt("umask", slot.slot).keep(slot);
    program.report(30, "answer").exit(0);
    assertEquals((await runs(program)).reports, [{ kind: 30, first: SLOTS - 2, second: 0 }]);
    assertThrows(() => program.slot(), Error, "slots only");
  });
}

Deno.test("kernel program: rejects a text with a NUL, which would end early", () => {
  assertThrows(() => new KernelProgram().text("a\0b"), Error, "without NUL");
});
