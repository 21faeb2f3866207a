/** A file as it can be shown: text, a table, a picture, the list of an archive, or the word that it cannot. */
import { useEffect, useState } from "preact/hooks";
import type { Preview } from "../../model/artifacts/preview.ts";
import { sizeText } from "../../model/artifacts/size_text.ts";
import * as words from "../../model/text/en/artifact_view.ts";

interface Props {
  readonly name: string;
  readonly preview: Preview;
  /** The address at which the server gives an HTML file to a frame; undefined where it lets no frame in. */
  readonly frameHref: string | undefined;
}

/** The view. */
export function ArtifactView({ name, preview, frameHref }: Props) {
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
    case "image":
    case "audio":
    case "video":
    case "pdf":
      return <Media name={name} {...preview} />;
    case "html":
      return <Html name={name} text={preview.text} frameHref={frameHref} />;
    case "table":
      return <Table name={name} {...preview} />;
    case "packed":
      return <Packed files={preview.files} isWhole={preview.isWhole} />;
  }
}

interface MediaProps {
  readonly name: string;
  readonly kind: "image" | "audio" | "video" | "pdf";
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that the browser itself knows how to show: they stay in the page, and are let go with it. */
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

/** The most columns that are told to be missing. */
const MOST_TOLD = 20;

/** A page that anybody wrote: in a frame without scripts, without an origin, and without a way out. */
function Html({ name, text, frameHref }: { name: string; text: string; frameHref: string | undefined }) {
  if (frameHref === undefined) return <pre class="artifact-text" tabIndex={0} aria-label={name}>{text}</pre>;
  return <iframe class="artifact-frame" title={name} src={frameHref} sandbox="" />;
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
          {words.columnsLeftOut(leftOut.slice(0, MOST_TOLD), leftOut.length - MOST_TOLD)}
        </p>
      )}
    </div>
  );
}

function Packed({ files, isWhole }: Pick<Extract<Preview, { kind: "packed" }>, "files" | "isWhole">) {
  const [only] = files.length === 1 ? files : [];
  const { bytes } = only ?? {};
  const text = bytes && bytes.length === only?.size && bytes.length < 1_000_000 && !bytes.includes(0)
    ? new TextDecoder().decode(bytes)
    : undefined;
  return (
    <>
      <p class="muted">{words.packedFiles(files.length, isWhole)}</p>
      <ul class="artifact-files">
        {files.map(({ name, size }, at) => (
          <li key={at}>
            <code>{name}</code> {size !== undefined && <span class="number muted">{sizeText(size)}</span>}
          </li>
        ))}
      </ul>
      {text !== undefined && <pre class="artifact-text" tabIndex={0} aria-label={only?.name}>{text}</pre>}
    </>
  );
}
