/** The buttons that save a graph as a file. */
import { loadPart } from "../../api/refusal.ts";
import type { Picture } from "../../model/graph/layout.ts";
import type { Part } from "../../model/graph/part.ts";
import type { Tints } from "../../model/graph/tint.ts";
import { unsettled } from "../../settled.ts";

const files = () => loadPart(() => import("./graph_files.ts"));

/** Saves the picture of a graph as SVG. */
export async function saveSvg(name: string, picture: Picture, tints?: Tints): Promise<void> {
  using _waiting = unsettled();
  const { download, toSvg } = await files();
  download(`${name}.svg`, "image/svg+xml", [toSvg(picture, tints)]);
}

/** Saves it as PNG. */
export async function savePng(name: string, picture: Picture, tints?: Tints): Promise<void> {
  using _waiting = unsettled();
  const { downloadAsPng, toSvg } = await files();
  await downloadAsPng(`${name}.png`, toSvg(picture, tints));
}

/** Saves a graph as Mermaid; boxes are whole where they are open. */
export async function saveMermaid(name: string, whole: Part, open: ReadonlySet<string>): Promise<void> {
  using _waiting = unsettled();
  const { download, toMermaid } = await files();
  download(`${name}.mmd`, "text/plain", [toMermaid(whole, open)]);
}
