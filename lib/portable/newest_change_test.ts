import { assertEquals } from "@std/assert";
import { newestChange } from "./newest_change.ts";

Deno.test("newestChange(): returns the time of the newest source, independently of the order of the files", async () => {
  const root = `${await Deno.makeTempDir({ prefix: "tiphys-sources-" })}/`;
  try {
    for (const folder of ["ui", "lib", "lib/deep"]) {
      await Deno.mkdir(`${root}${folder}`);
      for (let index = 0; index < 20; index++) {
        const path = `${root}${folder}/${index}.ts`;
        await Deno.writeTextFile(path, "");
        const seconds = folder === "ui" && index === 7 ? 2_000 : 1_000;
        await Deno.utime(path, seconds, seconds);
      }
    }
    await Deno.writeTextFile(`${root}ui/7_test.ts`, "");
    for (let round = 0; round < 20; round++) {
      assertEquals(await newestChange(root, ["ui", "lib"]), `${(2_000_000).toString(36)}-60`);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
