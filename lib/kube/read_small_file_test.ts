import { assertEquals, assertRejects } from "@std/assert";
import { readSmallFile } from "./read_small_file.ts";

Deno.test({
  name: "readSmallFile: a pipe that nobody writes is an error when the signal is aborted",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const pipe = `${folder}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    const limit = new AbortController();
    const read = readSmallFile(pipe, 100, limit.signal);
    limit.abort();
    await assertRejects(() => read, Error, "it is a pipe that nobody writes");
    // Ends the read of the pipe.
    (await Deno.open(pipe, { write: true })).close();
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test({
  name: "readSmallFile: reads a pipe to its end",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const pipe = `${folder}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    const read = readSmallFile(pipe, 100);
    await Deno.writeTextFile(pipe, "clusters: []", { create: false });
    assertEquals(await read, "clusters: []");
    await Deno.remove(folder, { recursive: true });
  },
});
