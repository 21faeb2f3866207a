/**
 * The compressed form in which the nodes of a large workflow are kept in its status: an object of Kubernetes may not
 * outgrow 1.5 MiB, so beyond a size they are their JSON, compressed and in base64, in `status.compressedNodes`, where all
 * clients of Argo look for them. What is too large even so lies in a database (`elsewhere.ts`). Stands on `api` only.
 */
export { compressNodes } from "./compress.ts";
export { NODE_FORMATS, nodeCompression, readNodeFormat, readNodeLevel } from "./compression_settings.ts";
export { dehydrate } from "./dehydrate.ts";
export {
  type NodesElsewhere,
  wholeAmongOthers,
  wholeWhereReadable,
  wholeWorkflow,
  withNodesPutBack,
  writableWorkflow,
} from "./elsewhere.ts";
export type { NodeCompression, NodeFormat } from "./formats.ts";
export { ANY_NUMBER, hydrate } from "./hydrate.ts";
export { withOwnIds } from "./own_ids.ts";
export { NodesVersion } from "./nodes_version.ts";
export { unpackNodes, unpackText, UnreadableNodesError } from "./unpack.ts";
