import { assertEquals, assertRejects } from "@std/assert";
import { startProgram } from "./start_program.ts";
import { KernelProgram } from "@tiphys/portable/elf";
import { runnableProcessors } from "../../../lib/portable/elf/testing/runnable_processors.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

const isOurs = (await runnableProcessors()).some(({ command }) => command.length === 0);

Deno.test({
  ...needs("Linux", isOurs, "startProgram() waits while the program is open for writing"),
  async fn() {
    const file = await Deno.makeTempFile();
    Deno.writeFileSync(file, new KernelProgram().exit(5).file());
    Deno.chmodSync(file, 0o700);
    const writer = Deno.openSync(file, { write: true });
    // The file is closed in a later task, after the first attempt.
    setTimeout(() => writer.close());
    const { code } = await (await startProgram(file, { stdin: "null" })).status;
    assertEquals(code, 5);
    await Deno.remove(file);
    await assertRejects(() => startProgram(file, { stdin: "null" }), Deno.errors.NotFound);
  },
});
