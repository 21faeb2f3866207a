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
      logTail: () => Promise.resolve(options.log ?? ""),
    });
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("terminationMessage() is what the container left in its file, also when it succeeded", async () => {
  assertEquals(await messageOf("done", { exitCode: 0 }), "done");
});

Deno.test("terminationMessage() is cut at 4096 bytes", async () => {
  assertEquals((await messageOf("x".repeat(5000), { exitCode: 1 })).length, 4096);
});

Deno.test("terminationMessage() falls back to the log of a failed container, if the policy says so", async () => {
  const policy = "FallbackToLogsOnError";
  assertEquals(await messageOf("", { policy, exitCode: 1, log: "the end\n" }), "the end\n");
  assertEquals(await messageOf("", { policy, exitCode: 0, log: "the end\n" }), "");
  assertEquals(await messageOf("", { policy: "File", exitCode: 1, log: "the end\n" }), "");
  assertEquals(await messageOf("own words", { policy, exitCode: 1, log: "the end\n" }), "own words");
});
