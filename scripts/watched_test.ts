import { assertEquals } from "@std/assert";
import { passThroughWatched } from "./watched.ts";

const HOUR = 3_600_000;

async function watch(script: string, silentMs: number, getsOn?: (line: string) => boolean) {
  let said = "";
  const write = (bytes: Uint8Array) => said += new TextDecoder().decode(bytes);
  const ended = await passThroughWatched(["sh", "-c", script], silentMs, { write, ...(getsOn && { getsOn }) });
  return { ...ended, said };
}

Deno.test("passThroughWatched: a command that ends is left alone", async () => {
  assertEquals(await watch("echo out; exit 4", HOUR), { code: 4, wasSilent: false, said: "out\n" });
  assertEquals(await watch("echo err >&2", HOUR), { code: 0, wasSilent: false, said: "err\n" });
});

Deno.test("passThroughWatched: a command that falls silent may say what it waits for", async () => {
  const script = "trap 'echo waits for godot; kill $!; exit 130' INT; sleep 3600 & wait";
  assertEquals(await watch(script, 500), { code: 130, wasSilent: true, said: "waits for godot\n" });
});

Deno.test("passThroughWatched: words that tell of nothing new are silence", async () => {
  const script = "trap 'exit 130' INT; while :; do echo waits; sleep 0.05; done";
  const { code, wasSilent } = await watch(script, 500, (line) => line !== "waits");
  assertEquals([code, wasSilent], [130, true]);
});
