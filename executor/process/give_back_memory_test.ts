import { assert, assertEquals } from "@std/assert";
import { giveBackMemory, unchangedFilePages } from "./give_back_memory.ts";
import { needs } from "../../lib/base/testing/needs.ts";

Deno.test("unchangedFilePages: includes code and file heads, but not pages that the loader modified or that have no file", () => {
  const maps = `55d0-55d8 r--p 00000000 fe:00 811054 /usr/bin/deno
55d8-55e0 r-xp 01b8e000 fe:00 811054 /usr/bin/deno
55e0-55e8 r--p 05881000 fe:00 811054 /usr/bin/deno
55e8-55f0 rw-p 05b03000 fe:00 811054 /usr/bin/deno
55f0-55f8 r-xp 00000000 00:00 0
7f00-7f08 r--s 00000000 fe:00 99 /shared
ffff-fffff r-xp 00000000 00:00 0 [vdso]
`;
  assertEquals(unchangedFilePages(maps), [{ start: 0x55d0n, end: 0x55d8n }, { start: 0x55d8n, end: 0x55e0n }]);
});

Deno.test({
  ...needs("Linux", Deno.build.os === "linux", "giveBackMemory: reduces the memory of a process, which keeps working"),
  fn: async () => {
    const url = JSON.stringify(new URL("./give_back_memory.ts", import.meta.url).href);
    const script = `import { giveBackMemory } from ${url};
      const rss = () => Number(/^Rss:\\s+(\\d+)/m.exec(Deno.readTextFileSync("/proc/self/smaps_rollup"))[1]);
      const before = rss();
      giveBackMemory();
      const after = rss();
      const told = await new Deno.Command("echo", { args: ["still here"] }).output();
      console.log(JSON.stringify([before, after, new TextDecoder().decode(told.stdout).trim()]));`;
    const args = ["eval", script];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
    const [before, after, told] = JSON.parse(new TextDecoder().decode(stdout));
    assert(after < before, `${before} KiB before, ${after} KiB after`);
    assertEquals(told, "still here");
  },
});

Deno.test("giveBackMemory: can be called at any time", () => giveBackMemory());
