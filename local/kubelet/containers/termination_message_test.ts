import { assertEquals } from "@std/assert";
import { terminationMessage } from "./termination_message.ts";

async function messageOf(content: string, options: { policy?: string; exitCode: number; log?: string }) {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(file, content);
    return await terminationMessage({
      file,
      policy: options.policy,
      exitCode: options.exitCode,
      logTail: () => new Blob([options.log ?? ""]).stream(),
    });
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("terminationMessage: returns the file of the container, also after success", async () => {
  assertEquals(await messageOf("done", { exitCode: 0 }), "done");
});

Deno.test("terminationMessage: is truncated to 4096 bytes", async () => {
  assertEquals((await messageOf("x".repeat(5000), { exitCode: 1 })).length, 4096);
});

Deno.test("terminationMessage: falls back to the log of a failed container if the policy allows it", async () => {
  const policy = "FallbackToLogsOnError";
  assertEquals(await messageOf("", { policy, exitCode: 1, log: "the end\n" }), "the end\n");
  assertEquals(await messageOf("", { policy, exitCode: 0, log: "the end\n" }), "");
  assertEquals(await messageOf("", { policy: "File", exitCode: 1, log: "the end\n" }), "");
  assertEquals(await messageOf("own words", { policy, exitCode: 1, log: "the end\n" }), "own words");
});

Deno.test("terminationMessage: reads a bounded part of a huge file, and nothing if it is not a regular file", async () => {
  const folder = await Deno.makeTempDir();
  const message = (name: string) =>
    terminationMessage({
      file: `${folder}/${name}`,
      policy: undefined,
      exitCode: 1,
      logTail: () => new Blob([]).stream(),
    });
  try {
    await Deno.writeTextFile(`${folder}/sparse`, "begins");
    await Deno.truncate(`${folder}/sparse`, 2 ** 40);
    assertEquals(await message("sparse"), `begins${"\0".repeat(4090)}`);
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    await Deno.symlink("sparse", `${folder}/link`);
    for (const name of ["pipe", "link", "none", "."]) assertEquals(await message(name), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("terminationMessage: returns the end of a log without line feeds", async () => {
  const log = "x".repeat(300_000) + "the end";
  const text = await messageOf("", { policy: "FallbackToLogsOnError", exitCode: 1, log });
  assertEquals([text.length, text.endsWith("the end")], [2048, true]);
});
