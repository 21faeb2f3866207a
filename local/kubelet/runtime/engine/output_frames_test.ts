import { assertEquals, assertRejects } from "@std/assert";
import { readOutput } from "./output_frames.ts";

function frame(stream: number, text: string): number[] {
  return [stream, 0, 0, 0, 0, 0, 0, text.length, ...new TextEncoder().encode(text)];
}

async function read(chunks: readonly (readonly number[])[]): Promise<Record<"stdout" | "stderr", string>> {
  const written = { stdout: "", stderr: "" };
  const stream = ReadableStream.from(chunks.map((chunk) => Uint8Array.from(chunk)));
  await readOutput(stream, (name, chunk) => void (written[name] += new TextDecoder().decode(chunk)));
  return written;
}

Deno.test("readOutput: separates the streams, regardless of chunks", async () => {
  const all = [...frame(1, "out"), ...frame(2, "err"), ...frame(1, ""), ...frame(1, " more")];
  for (let size = 1; size <= all.length; size++) {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
    assertEquals(await read(chunks), { stdout: "out more", stderr: "err" });
  }
});

Deno.test("readOutput: passes on the start of a frame before its end arrives", async () => {
  const seen: string[] = [];
  const whole = frame(1, "long");
  const stream = ReadableStream.from([whole.slice(0, 10), whole.slice(10)].map((chunk) => Uint8Array.from(chunk)));
  await readOutput(stream, (_name, chunk) => void seen.push(new TextDecoder().decode(chunk)));
  assertEquals(seen, ["lo", "ng"]);
});

Deno.test("readOutput: waits for its sink, and fails with the sink's error", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(queue) {
      pulled++;
      queue.enqueue(Uint8Array.from(frame(1, "x")));
    },
  }, { highWaterMark: 0 });
  let taken = 0;
  const goneAfterTwo = async () => {
    assertEquals(pulled, ++taken);
    await Promise.resolve();
    if (taken === 2) throw new Error("The client has gone");
  };
  await assertRejects(() => readOutput(endless, goneAfterTwo), Error, "The client has gone");
  assertEquals(pulled, 2);
});
