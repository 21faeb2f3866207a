/**
 * The compressed form of a large workflow's nodes: etcd limits an object to 1.5 MiB, so above a size, the nodes are
 * stored as compressed JSON in base64 in `status.compressedNodes`, where all clients of Argo read them. If they are
 * still too large, they are in a database (`elsewhere.ts`). Depends only on `api`.
 */
export { compressNodes } from "./compress.ts";
export { NODE_FORMATS, nodeCompression, readNodeFormat, readNodeLevel } from "./compression_settings.ts";
export { dehydrate } from "./dehydrate.ts";
export {
  type OffloadedNodes,
  wholeWorkflow,
  withNodesIfReadable,
  withNodesInList,
  withRestoredNodes,
  writableWorkflow,
} from "./elsewhere.ts";
export type { NodeCompression, NodeFormat } from "./formats.ts";
export { ANY_NUMBER, hydrate } from "./hydrate.ts";
export { withOwnIds } from "./own_ids.ts";
export { NodesVersion } from "./nodes_version.ts";
export { unpackNodes, unpackText, UnreadableNodesError } from "./unpack.ts";
