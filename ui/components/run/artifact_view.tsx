/** The preview of a file: text, a table, an image, the listing of an archive, or the reason why it is not shown. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { markdownBlocks } from "../../model/markdown.ts";
import { BlockView } from "../markdown.tsx";
import type { Preview } from "../../model/artifacts/preview.ts";
import { sizeText } from "../../model/artifacts/size_text.ts";
import * as words from "../../model/text/en/artifact_dialog.ts";

interface Props {
  readonly name: string;
  readonly preview: Preview;
  /** The frame of an HTML file. */
  readonly frame: ArtifactFrame;
}

/** The frame of an untrusted page. */
export interface ArtifactFrame {
  /** The address of the file; undefined until it is known. */
  readonly href: string | undefined;
  /** Whether its scripts run, in an opaque origin. */
  readonly hasScripts: boolean;
  /** Allows scripts; undefined if the server does not support that. */
  readonly onRun: (() => void) | undefined;
}

export function ArtifactView({ name, preview, frame }: Props) {
  switch (preview.kind) {
    case "empty":
      return <p class="muted">{words.emptyFile}</p>;
    case "binary":
      return (
        <p class="note">
          {preview.format === undefined ? words.unknownFormat : words.notShown(preview.format, preview.reason)}{" "}
          {words.downloadInstead}
        </p>
      );
    case "text":
      return <pre class="artifact-text" tabIndex={0} aria-label={name}>{preview.text}</pre>;
    case "markdown":
      return <MarkdownFile name={name} text={preview.text} />;
    case "image":
    case "audio":
    case "video":
    case "pdf":
      return <Media name={name} {...preview} />;
    case "html":
      return <Html name={name} frame={frame} />;
    case "table":
      return <Table name={name} {...preview} />;
    case "packed":
      return <ArchiveListing files={preview.files} isWhole={preview.isWhole} />;
  }
}

/** The maximum number of characters of a Markdown file that are formatted. */
const MAX_FORMATTED = 100_000;

/** A Markdown file, formatted without HTML and images; its source on request. */
function MarkdownFile({ name, text }: { readonly name: string; readonly text: string }) {
  const [isSource, setSource] = useState(false);
  const blocks = useMemo(() => markdownBlocks(text, MAX_FORMATTED), [text]);
  return (
    <>
      <p class="row">
        <button type="button" class="button toggle" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          {words.sourceToggle}
        </button>
        {!isSource && text.length > MAX_FORMATTED && <span class="muted">{words.restInSource}</span>}
      </p>
      {isSource
        ? <pre class="artifact-text" tabIndex={0} aria-label={name}>{text}</pre>
        : (
          <div class="artifact-text markdown" tabIndex={0} role="region" aria-label={name}>
            {blocks.map((block, i) => <BlockView key={i} block={block} />)}
          </div>
        )}
    </>
  );
}

interface MediaProps {
  readonly name: string;
  readonly kind: "image" | "audio" | "video" | "pdf";
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Media that the browser displays; the data is released with the component. */
function Media({ name, kind, type, bytes }: MediaProps) {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  if (url === undefined) return null;
  switch (kind) {
    case "image":
      return <img class="artifact-image" src={url} alt={name} />;
    case "audio":
      return <audio class="artifact-media" controls src={url} aria-label={name} />;
    case "video":
      return <video class="artifact-media" controls src={url} aria-label={name} />;
    case "pdf":
      return <a class="button" href={url} target="_blank" rel="noopener">{words.openPdf}</a>;
  }
}

type TableProps = Omit<Extract<Preview, { kind: "table" }>, "kind"> & { readonly name: string };

/** The maximum number of missing columns that are listed. */
const MAX_LISTED = 20;

/** An untrusted page in a frame without origin and network, and without scripts until the user allows them. */
function Html({ name, frame: { href, hasScripts, onRun } }: { name: string; frame: ArtifactFrame }) {
  return (
    <>
      {hasScripts ? <p class="muted">{words.scriptsRun}</p> : onRun && (
        <p class="row">
          <button type="button" class="button" onClick={onRun}>{words.runScripts}</button>
          <span class="muted">{words.aboutScripts}</span>
        </p>
      )}
      {/* A new frame for each mode, so that nothing of the former one continues. */}
      {href !== undefined && (
        <iframe key={href} class="artifact-frame" title={name} src={href} sandbox={hasScripts ? "allow-scripts" : ""} />
      )}
    </>
  );
}

function Table({ name, rows: [head = [], ...rows], isCut, types, leftOut = [] }: TableProps) {
  return (
    <div class="artifact-table" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col">
                {cell} {types && <small class="muted">{types[i]}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => <tr key={i}>{head.map((_, column) => <td key={column}>{row[column]}</td>)}</tr>)}
        </tbody>
      </table>
      {isCut && <p class="muted">{words.moreRows}</p>}
      {leftOut.length > 0 && (
        <p class="muted">
          {words.columnsLeftOut(leftOut.slice(0, MAX_LISTED), leftOut.length - MAX_LISTED)}
        </p>
      )}
    </div>
  );
}

function ArchiveListing({ files, isWhole }: Pick<Extract<Preview, { kind: "packed" }>, "files" | "isWhole">) {
  const [only] = files.length === 1 ? files : [];
  const { bytes } = only ?? {};
  const text = bytes && bytes.length === only?.size && bytes.length < 1_000_000 && !bytes.includes(0)
    ? new TextDecoder().decode(bytes)
    : undefined;
  return (
    <>
      <p class="muted">{words.packedFiles(files.length, isWhole)}</p>
      <ul class="artifact-files">
        {files.map(({ name, size }, index) => (
          <li key={index}>
            <code>{name}</code> {size !== undefined && <span class="number muted">{sizeText(size)}</span>}
          </li>
        ))}
      </ul>
      {text !== undefined && <pre class="artifact-text" tabIndex={0} aria-label={only?.name}>{text}</pre>}
    </>
  );
}
