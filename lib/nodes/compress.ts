import type { NodeStatus } from "../api/mod.ts";

/** The text of `status.compressedNodes`; `hydrate` reads it. */
export async function compressNodes(nodes: Readonly<Record<string, NodeStatus>>): Promise<string> {
  const text = new Blob([JSON.stringify(nodes)]).stream();
  const compressed = await new Response(text.pipeThrough(new CompressionStream("gzip"))).bytes();
  return compressed.toBase64();
}
