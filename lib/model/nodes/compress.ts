import type { NodeStatus } from "../api/mod.ts";
import { compress, type NodeCompression } from "./formats.ts";

/** Returns the value of `status.compressedNodes`, which `hydrate` reads. */
export async function compressNodes(
  nodes: Readonly<Record<string, NodeStatus>>,
  compression: NodeCompression = { format: "gzip" },
): Promise<string> {
  return (await compress(JSON.stringify(nodes), compression)).toBase64();
}
