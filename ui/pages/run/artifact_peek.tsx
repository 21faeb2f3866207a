/**
 * The beginning of an artifact in the summary of a run: an image, the first lines or rows, or the list of its files.
 */
import { BlockView } from "../../components/markdown.tsx";
import { ArtifactView } from "../../components/run/artifact_view.tsx";
import { useApp } from "../../app.ts";
import { type Preview, previewOf } from "../../model/artifacts/preview.ts";
import type { ArtifactChoice } from "../../model/artifacts/run_artifacts.ts";
import { sizeText } from "../../model/artifacts/size_text.ts";
import { markdownBlocks } from "../../model/markdown.ts";
import { useAnswer } from "../hooks.ts";
import { artifactPlace } from "./artifact_place.ts";
import type { RunScene } from "./run_scene.ts";
import { listed } from "../../model/text/en.ts";

/** The maximum number of bytes that are read, and of lines, rows, columns, characters and files that are shown. */
const MAX_BYTES = 64 * 1024;
const MAX_LINES = 5;
const MAX_COLUMNS = 6;
const MAX_LENGTH = 500;
const MAX_FILES = 3;

/** Renders nothing until the beginning is read, and if the artifact cannot be read: its panel reports the error. */
export function ArtifactPeek({ scene, choice }: {
  readonly scene: RunScene;
  readonly choice: ArtifactChoice;
}) {
  const { source } = useApp();
  const place = artifactPlace(scene, choice);
  const { answer: { value } } = useAnswer(async (signal) => {
    const content = await source.readArtifact(place, () => MAX_BYTES, signal);
    if (content.kind === "folder") return { files: content.files, size: undefined, preview: undefined };
    const size = content.isWhole ? content.bytes.length : content.size;
    return { files: undefined, size, preview: await previewOf(content) };
  }, [place]);
  if (value.kind !== "here") return null;
  const { files, size, preview } = value.value;
  const packed = files ?? (preview?.kind === "packed" ? preview.files : undefined);
  return (
    <>
      {size !== undefined && <span class="muted number">{sizeText(size)}</span>}
      {packed && (
        <span class="mono muted">
          {listed(packed.slice(0, MAX_FILES).map((file) => file.name), Math.max(0, packed.length - MAX_FILES))}
        </span>
      )}
      {preview && <Beginning name={choice.name} preview={preview} />}
    </>
  );
}

function Beginning({ name, preview }: { readonly name: string; readonly preview: Preview }) {
  switch (preview.kind) {
    case "text":
      return <pre class="peek">{beginningOf(preview.text)}</pre>;
    case "markdown":
      return (
        <div class="peek markdown">
          {markdownBlocks(beginningOf(preview.text), MAX_LENGTH).map((block, i) => <BlockView key={i} block={block} />)}
        </div>
      );
    case "table":
      return (
        <table class="peek">
          <tbody>
            {preview.rows.slice(0, MAX_LINES).map((row, i) => (
              <tr key={i}>
                {row.slice(0, MAX_COLUMNS).map((cell, index) => <td key={index}>{cell.slice(0, MAX_LENGTH)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "image":
      return (
        <div class="peek">
          <ArtifactView name={name} preview={preview} frame={NO_FRAME} />
        </div>
      );
    default:
      return null;
  }
}

const NO_FRAME = { href: undefined, hasScripts: false, onRun: undefined };

function beginningOf(text: string): string {
  return text.slice(0, MAX_LENGTH).split("\n").slice(0, MAX_LINES).join("\n").trimEnd();
}
