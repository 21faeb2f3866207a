/**
 * One artifact, in a panel next to the view of its run or, on a narrow screen, in a dialog: its preview and its
 * download.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ByteLimit } from "../../api/exchange.ts";
import { Refusal } from "../../api/refusal.ts";
import type { ArtifactContent, ArtifactPlace } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Refused } from "../refused.tsx";
import { type ArtifactFrame, ArtifactView } from "../../components/run/artifact_view.tsx";
import { beginsAsParquet, type Preview, previewOf } from "../../model/artifacts/preview.ts";
import type { ArtifactChoice } from "../../model/artifacts/run_artifacts.ts";
import { sizeText } from "../../model/artifacts/size_text.ts";
import { useAnswer } from "../hooks.ts";
import { artifactPlace } from "./artifact_place.ts";
import { download } from "./download.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/artifact_dialog.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of bytes of a file that are read for its preview; the download has all of it. */
const MAX_SHOWN = 8 * 1024 * 1024;
/**
 * The maximum number of bytes that are read at first of a file whose index is at its end, if the server supports
 * ranges.
 */
const MAX_BEGUN = 256 * 1024;
/** The largest download through the page, in bytes: browsers keep it in memory. */
const MAX_KEPT = 1024 * 1024 * 1024;

interface LoadedArtifact {
  readonly content: ArtifactContent;
  readonly preview: Preview | undefined;
}

const mostShown: ByteLimit = (beginning, hasParts) => hasParts && beginsAsParquet(beginning) ? MAX_BEGUN : MAX_SHOWN;

/** The panel or dialog. */
export function ArtifactDialog({ scene, choice, isPane, onClose }: {
  readonly scene: RunScene;
  readonly choice: ArtifactChoice;
  readonly isPane: boolean;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const { run, hrefOf } = scene;
  const place = useMemo(() => artifactPlace(scene, choice), [
    scene.namespace,
    scene.name,
    run.metadata.uid,
    choice.nodeId,
    choice.side,
    choice.name,
    choice.path,
  ]);
  const { answer, refetch } = useAnswer<LoadedArtifact>(async (signal) => {
    const content = await app.source.readArtifact(place, mostShown, signal);
    if (content.kind !== "file") return { content, preview: undefined };
    const { size, tag } = content;
    const parts = content.hasParts && size !== undefined
      ? { size, read: (from: number, to: number) => app.source.readArtifactPart(place, { from, to, tag }, signal) }
      : undefined;
    return { content, preview: await previewOf({ ...content, parts }) };
  }, [place]);
  const { value } = answer;
  const url = app.source.artifactUrl(place);
  const frame = useFrame(place, value.kind === "here" && value.value.preview?.kind === "html");
  const Frame = isPane ? SidePane : Dialog;
  return (
    <Frame title={[choice.name, ...choice.path.split("/")].filter(Boolean).join(" / ")} onClose={onClose} isWide>
      <p class="muted">
        {value.kind === "here" && value.value.content.kind === "file" && (
          <span class="number">{factsOf(value.value.content)}</span>
        )}
        {(choice.side === "outputs" ? words.producedBy : words.usedBy)(
          <a href={hrefOf({ nodeId: choice.nodeId, artifact: undefined })}>{nameOf(scene, choice.nodeId)}</a>,
        )}
      </p>
      {value.kind === "waiting" && <p class="muted">{words.reading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {value.kind === "here" && (
        <Content
          shown={value.value}
          choice={choice}
          scene={scene}
          frame={frame}
        />
      )}
      {value.kind === "here" && value.value.content.kind === "file" && (
        <footer>
          {app.session.login === "token"
            ? <a class="button" href={url} download={value.value.content.name}>{shared.downloadButton}</a>
            : (
              <button type="button" class="button" onClick={() => void downloadFile()}>
                {shared.downloadButton}
              </button>
            )}
        </footer>
      )}
    </Frame>
  );

  /** Without a cookie a link would lack the token, so the page downloads the file itself. */
  async function downloadFile(): Promise<void> {
    const content = await app.source.readArtifact(place, () => MAX_KEPT);
    if (content.kind === "file") download(content.name, content.type, [content.bytes]);
  }
}

/** A panel that leaves the view next to it usable. It takes the focus when it opens, and returns it. */
function SidePane({ title, onClose, children }: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
  }, []);
  return (
    <div class="node-panel artifact-pane" role="dialog" aria-labelledby="artifact-title">
      <header>
        <h2 id="artifact-title" ref={heading} tabIndex={-1}>{title}</h2>
        <button type="button" class="button quiet" aria-label={shared.closeButton} onClick={onClose}>✕</button>
      </header>
      {children}
    </div>
  );
}

/** Returns the type and the size of a file, as far as the server reports them. */
function factsOf({ type, size, bytes, isWhole }: Extract<ArtifactContent, { kind: "file" }>): string {
  const [media = ""] = type.split(";");
  const known = isWhole ? bytes.length : size;
  return [media, known !== undefined && sizeText(known)].filter(Boolean).map((text) => `${text} · `).join("");
}

function nameOf({ run }: RunScene, nodeId: string): string {
  const node = run.status?.nodes?.[nodeId];
  return node?.displayName ?? node?.name ?? nodeId;
}

/** Returns the iframe that shows an artifact. Its scripts run only after a click, never because of a link. */
function useFrame(location: ArtifactPlace, isWanted: boolean): ArtifactFrame {
  const { source, info } = useApp();
  const [shown, setShown] = useState<
    { readonly place: ArtifactPlace; readonly href: string; readonly scripts: boolean }
  >();
  const [allowed, setAllowed] = useState<ArtifactPlace | undefined>(undefined);
  const scripts = allowed === location;
  useEffect(() => {
    if (!isWanted) return;
    const left = new AbortController();
    source.frameUrl(location, { scripts }, left.signal).then((href) => {
      if (!left.signal.aborted) setShown({ place: location, href, scripts });
    }, (error) => {
      // The dialog reports problems of the file; the frame stays empty.
      if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
    });
    return () => left.abort();
  }, [source, location, scripts, isWanted]);
  const own = shown?.place === location && shown.scripts === scripts ? shown : undefined;
  return {
    href: own?.href,
    hasScripts: scripts,
    onRun: info.value.extensions?.includes("scripts") ? () => setAllowed(location) : undefined,
  };
}

function Content({ shown: { content, preview }, choice, scene, frame }: {
  readonly shown: LoadedArtifact;
  readonly choice: ArtifactChoice;
  readonly scene: RunScene;
  readonly frame: ArtifactFrame;
}) {
  if (content.kind === "folder") {
    if (content.files.length === 0) return <p class="muted">{words.emptyFolder}</p>;
    return (
      <ul class="artifact-files" aria-label={words.filesLabel}>
        {content.files.map(({ name, size }) => (
          <li key={name}>
            <a href={scene.hrefOf({ artifact: { ...choice, path: pathBelow(choice.path, name) } })}>{name}</a>
            {size !== undefined && <span class="number muted">{sizeText(size)}</span>}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <>
      {!content.isWhole && !(preview?.kind === "table" && preview.types) && (
        <p class="note">{content.size === undefined ? words.beginning : words.beginningOf(sizeText(content.size))}</p>
      )}
      {preview && <ArtifactView name={content.name} preview={preview} frame={frame} />}
    </>
  );
}

function pathBelow(path: string, name: string): string {
  return path === "" ? name : `${path.replace(/\/$/, "")}/${name}`;
}
