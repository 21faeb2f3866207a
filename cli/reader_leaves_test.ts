/** A reader that closes the pipe early: `tiphys … | head -1`. */
import { assertEquals } from "@std/assert";

Deno.test({
  name: "closed pipe: a reader that exits early ends a command with 0 and no error",
  ignore: Deno.build.os === "windows",
  async fn() {
    const file = await Deno.makeTempFile({ suffix: ".yaml" });
    try {
      const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {text: "${"x".repeat(1000)}"}\n`;
      await Deno.writeTextFile(file, Array(500).fill(map).join("---\n"));
      const main = new URL("main.ts", import.meta.url).pathname;
      const script = `'${Deno.execPath()}' run -A '${main}' convert '${file}' | head -1; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = await new Deno.Command("bash", { args: ["-c", script] }).output();
      const decoder = new TextDecoder();
      assertEquals([decoder.decode(stdout), decoder.decode(stderr)], ["---\n0\n", ""]);
    } finally {
      await Deno.remove(file);
    }
  },
});
