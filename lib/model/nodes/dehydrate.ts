/** Compresses the nodes of large workflows before they are written: etcd limits an object to 1.5 MiB. */
import type { Workflow } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { compressNodes } from "./compress.ts";
import type { NodeCompression } from "./formats.ts";

/** Returns a workflow that can be written: with compressed nodes if it is large. */
export async function dehydrate(workflow: Workflow, compression?: NodeCompression): Promise<Workflow> {
  const { nodes, ...status } = workflow.status ?? {};
  if (!nodes || new TextEncoder().encode(JSON.stringify(workflow)).length <= LIMITS.storedStatusBytes) return workflow;
  return { ...workflow, status: { ...status, compressedNodes: await compressNodes(nodes, compression) } };
}
