import { brotliCompressSync, zstdCompressSync } from "node:zlib";
import { assertEquals, assertRejects } from "@std/assert";
import { JsonCounter } from "./json_counter.ts";
import { unpackNodes, UnreadableNodesError } from "./unpack.ts";

const LIMITS = { bytes: 1_000_000, values: 10_000, depth: 20 };

async function packed(text: string | ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const stream = typeof text === "string" ? new Blob([text]).stream() : text;
  return (await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes()).toBase64();
}

async function refusal(text: string): Promise<string> {
  return (await assertRejects(() => unpackNodes(text, LIMITS), UnreadableNodesError)).message;
}

Deno.test("unpackNodes: stops at the limit of bytes regardless of the size of the rest", async () => {
  let unpacked = 0;
  const zeros = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (unpacked >= 200_000_000) return controller.close();
      controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
      unpacked += 1_000_000;
    },
  });
  const bomb = await packed(zeros);
  const before = Deno.memoryUsage().external;
  assertEquals(await refusal(bomb), "status.compressedNodes unpacks to more than 1000000 bytes");
  assertEquals(Deno.memoryUsage().external - before < 10_000_000, true);
});

for (const pack of [zstdCompressSync, brotliCompressSync]) {
  Deno.test(`unpackNodes: stops at the limit of bytes in the output of ${pack.name}`, async () => {
    const bomb = pack(new Uint8Array(200_000_000).fill(0x20)).toBase64();
    const before = Deno.memoryUsage().external;
    assertEquals(await refusal(bomb), "status.compressedNodes unpacks to more than 1000000 bytes");
    assertEquals(Deno.memoryUsage().external - before < 10_000_000, true);
  });
}

Deno.test("unpackNodes: limits the number of values, since many small lists need much memory", async () => {
  const lists = `{"a":[${"[],".repeat(20_000)}[]]}`;
  assertEquals(await refusal(await packed(lists)), "status.compressedNodes unpacks to more than 10000 values");
});

Deno.test("unpackNodes: rejects too deep nesting before parsing", async () => {
  const deep = `{"a":${"[".repeat(21)}${"]".repeat(21)}}`;
  assertEquals(
    await refusal(await packed(deep)),
    "status.compressedNodes unpacks to lists and objects more than 20 deep",
  );
});

Deno.test("unpackNodes: rejects invalid base64, gzip and JSON, and values other than objects", async () => {
  for (const text of ["%", btoa("plain"), await packed("{"), await packed("[]"), await packed("null")]) {
    assertEquals((await refusal(text)).startsWith("status.compressedNodes cannot be unpacked: "), true);
  }
});

Deno.test("unpackNodes: names the first invalid node", async () => {
  const good = { id: "w", name: "w", type: "Pod" };
  const text = await packed(JSON.stringify({ w: good, x: { ...good, children: "w" }, y: 1 }));
  assertEquals(
    await refusal(text),
    'status.compressedNodes cannot be read: "x" children: expected list, got "w"',
  );
});

Deno.test("JsonCounter: the result does not depend on how the text is split", () => {
  const text = new TextEncoder().encode(JSON.stringify({ 'a"\\': ["[{,:", "\\", '"', 1, [[]]], b: {} }));
  const whole = new JsonCounter();
  whole.read(text);
  assertEquals([whole.bytes, whole.depth], [text.length, 4]);
  const cut = new JsonCounter();
  for (const byte of text) cut.read(Uint8Array.of(byte));
  assertEquals({ ...cut }, { ...whole });
});

Deno.test("unpackNodes: accepts the number of nodes that a controller with a higher limit may create", async () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 25_001 }, (_, id) => [`n${id}`, { id: `n${id}`, name: "n", type: "Pod" }]),
  );
  const text = await packed(JSON.stringify(nodes));
  await assertRejects(
    () => unpackNodes(text),
    UnreadableNodesError,
    "holds 25001 nodes, and a workflow may have 25000",
  );
  assertEquals(Object.keys(await unpackNodes(text, { nodes: 50_000 })).length, 25_001);
});
