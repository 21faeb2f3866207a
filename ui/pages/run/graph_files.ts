/** The exporters of graphs, which load on demand. */
export { toMermaid } from "../../model/graph/mermaid.ts";
export { toSvg } from "../../model/graph/svg.ts";
export { download, downloadAsPng } from "./download.ts";
