import { assertEquals } from "@std/assert";
import { checkLines, judge } from "./check.ts";

Deno.test("checkLines: a passed check is one line", () => {
  assertEquals(checkLines({ name: "types", passed: true, seconds: 1.25, output: "Check a.ts" }), [
    "ok     types (1.3 s)",
  ]);
});

Deno.test("checkLines: a failed check shows its output, and names `deno task fix` where that helps", () => {
  assertEquals(checkLines({ name: "fmt", passed: false, seconds: 2, output: "a.ts is not formatted\n" }), [
    "FAILED fmt (2.0 s)",
    "a.ts is not formatted",
    "Run `deno task fix` to repair what a program can repair",
  ]);
  assertEquals(checkLines({ name: "imports", passed: false, seconds: 2, output: "a imports b\n" }).length, 2);
});

Deno.test("judge: a command that a signal ends is run once more", async () => {
  const folder = await Deno.makeTempDir();
  const diesOnce = `test -e ${folder}/ran && exit 0; touch ${folder}/ran; kill -SEGV $$`;
  assertEquals(await judge(["bash", "-c", diesOnce]), { passed: true, output: "" });
  assertEquals(await judge(["bash", "-c", "kill -SEGV $$"]), {
    passed: false,
    output: "Ended twice by a signal, the second time by SIGSEGV",
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("judge: a command that reports a finding is not run again", async () => {
  const folder = await Deno.makeTempDir();
  const log = `${folder}/log`;
  assertEquals(await judge(["bash", "-c", `echo ran >> ${log}; echo finding; exit 1`]), {
    passed: false,
    output: "finding\n",
  });
  assertEquals(await Deno.readTextFile(log), "ran\n");
  await Deno.remove(folder, { recursive: true });
});
