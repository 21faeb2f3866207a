import { assertEquals } from "@std/assert";
import { passThroughWatched } from "./watched.ts";

const HOUR = 3_600_000;

async function watch(script: string, silentMs: number, isProgress?: (line: string) => boolean) {
  let printed = "";
  const write = (bytes: Uint8Array) => printed += new TextDecoder().decode(bytes);
  const ended = await passThroughWatched(["sh", "-c", script], silentMs, { write, ...(isProgress && { isProgress }) });
  return { ...ended, printed };
}

Deno.test("passThroughWatched: reports the exit code and the output of a command that ends", async () => {
  assertEquals(await watch("echo out; exit 4", HOUR), { code: 4, wasSilent: false, printed: "out\n" });
  assertEquals(await watch("echo err >&2", HOUR), { code: 0, wasSilent: false, printed: "err\n" });
});

Deno.test("passThroughWatched: a command that stops printing is interrupted and may print what it waits for", async () => {
  const script = "trap 'echo waits for godot; kill $!; exit 130' INT; sleep 3600 & wait";
  assertEquals(await watch(script, 500), { code: 130, wasSilent: true, printed: "waits for godot\n" });
});

Deno.test("passThroughWatched: lines that show no progress count as silence", async () => {
  const script = "trap 'exit 130' INT; while :; do echo waits; sleep 0.05; done";
  const { code, wasSilent } = await watch(script, 500, (line) => line !== "waits");
  assertEquals([code, wasSilent], [130, true]);
});
