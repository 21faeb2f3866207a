/** Workflows packed again before they are written: an object of Kubernetes has at most 1.5 MiB. */
import type { Workflow } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { compressNodes } from "./compress.ts";
import type { NodeCompression } from "./formats.ts";

/** The workflow as it can be written: with its nodes packed where it is large. */
export async function dehydrate(workflow: Workflow, compression?: NodeCompression): Promise<Workflow> {
  const { nodes, ...status } = workflow.status ?? {};
  if (!nodes || new TextEncoder().encode(JSON.stringify(workflow)).length <= LIMITS.storedStatusBytes) return workflow;
  return { ...workflow, status: { ...status, compressedNodes: await compressNodes(nodes, compression) } };
}
