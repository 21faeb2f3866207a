/** A graph as a file: one part of the page, which is loaded when somebody wants a file. */
export { toMermaid } from "../../model/graph/mermaid.ts";
export { toSvg } from "../../model/graph/svg.ts";
export { download, downloadAsPng } from "./download.ts";
