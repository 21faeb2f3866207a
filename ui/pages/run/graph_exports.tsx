/** Buttons that save the current graph as a file; the exporters load on demand. */
import { loadPart } from "../../api/refusal.ts";
import type { Picture } from "../../model/graph/layout.ts";
import type { Part } from "../../model/graph/part.ts";
import type { Tints } from "../../model/graph/tint.ts";
import { trackPending } from "../../settled.ts";
import * as words from "../../model/text/en/graph.ts";

interface Props {
  /** The base name of the files. */
  readonly name: string;
  readonly picture: Picture;
  readonly tints?: Tints | undefined;
  readonly whole: Part;
  /** Returns the keys of open groups. */
  readonly open: () => ReadonlySet<string>;
}

const files = () => loadPart(() => import("./graph_files.ts"));

export function GraphExports({ name, picture, tints, whole, open }: Props) {
  async function saveSvg(): Promise<void> {
    using _waiting = trackPending();
    const { download, toSvg } = await files();
    download(`${name}.svg`, "image/svg+xml", [toSvg(picture, tints)]);
  }

  async function savePng(): Promise<void> {
    using _waiting = trackPending();
    const { downloadAsPng, toSvg } = await files();
    await downloadAsPng(`${name}.png`, toSvg(picture, tints));
  }

  async function saveMermaid(): Promise<void> {
    using _waiting = trackPending();
    const { download, toMermaid } = await files();
    download(`${name}.mmd`, "text/plain", [toMermaid(whole, open())]);
  }

  return (
    <>
      <button type="button" class="button" onClick={() => void saveSvg()}>{words.svgButton}</button>
      <button type="button" class="button" onClick={() => void savePng()}>{words.pngButton}</button>
      <button type="button" class="button" onClick={() => void saveMermaid()}>{words.mermaidButton}</button>
    </>
  );
}
