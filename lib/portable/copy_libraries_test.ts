import { assertMatch } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { needs } from "../base/testing/needs.ts";

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "copyLibraries: lists libraries without ldd on the PATH",
  ),
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const program = `import { copyLibraries } from ${JSON.stringify(import.meta.resolve("./copy_libraries.ts"))};
console.log(await copyLibraries(Deno.execPath(), ${JSON.stringify(folder)}));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-config", program],
      env: { PATH: folder },
      stderr: "inherit",
    }).output();
    assertMatch(new TextDecoder().decode(stdout), /^ld-linux/);
    await Deno.remove(folder, { recursive: true });
  },
});
