import { assertEquals } from "@std/assert";
import type { NodeStatus } from "../api/mod.ts";
import { compressNodes } from "./compress.ts";
import { LEVELS, type NodeCompression } from "./formats.ts";
import { hydrate } from "./hydrate.ts";

for (const format of ["gzip", "zstd", "brotli"] as const) {
  const { min, max } = LEVELS[format];
  for (const level of [undefined, min, max]) {
    Deno.test(`hydrate: restores the output of compressNodes with ${format}, level ${level ?? "default"} (LC-17)`, async () => {
      await checkRoundTrip({ format, level });
    });
  }
}

async function checkRoundTrip(compression: NodeCompression): Promise<void> {
  const nodes: Record<string, NodeStatus> = {};
  for (let index = 0; index < 1000; index++) {
    const id = `w-${index}`;
    nodes[id] = { id, name: `w.step(${index}:ä)`, type: "Pod", phase: "Succeeded" };
  }
  const compressedNodes = await compressNodes(nodes, compression);
  const workflow = { metadata: { name: "w" }, spec: {}, status: { phase: "Running" as const, compressedNodes } };
  assertEquals((await hydrate(workflow)).status, { phase: "Running", nodes });
  assertEquals(compressedNodes.length < JSON.stringify(nodes).length / 5, true);
}
