/** Deno's flags and variables in the programs of images. */
import { assert, assertStringIncludes } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { CONTROLLER_PROGRAM } from "./image_programs.ts";
import { writeProgram } from "./portable_deno.ts";

Deno.test({
  name: "the controller's program: makes the C library return memory of V8's compiler, and Deno write no cache",
  ignore: !canMakePrograms(),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await writeProgram(`${folder}/program`, "/lib/start.js", CONTROLLER_PROGRAM);
      const text = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/program`));
      assertStringIncludes(text, "\0MALLOC_MMAP_THRESHOLD_=32768\0");
      assertStringIncludes(text, "\0DENO_DIR=/dev/null\0");
      await writeProgram(`${folder}/other`, "/lib/start.js");
      const other = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/other`));
      assert(!other.includes("MALLOC"), "a program without variables got some");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
