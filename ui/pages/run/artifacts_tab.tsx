/** The tab that lists the output artifacts of a run. */
import { useMemo } from "preact/hooks";
import { artifactsOf, type RunArtifact } from "../../model/artifacts/run_artifacts.ts";
import { momentText } from "../../model/duration.ts";
import { sizeText } from "../../model/artifacts/size_text.ts";
import { useApp } from "../../app.ts";
import { useAnswer } from "../hooks.ts";
import { artifactPlace } from "./artifact_place.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/artifacts_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of rows that are shown; the rest is counted. */
const MAX_ITEMS = 1_000;
/** The maximum number of rows whose size is requested if the run does not contain it, each with one request. */
const MAX_SIZES = 10;
/** The maximum number of bytes that are read of each: headers report the size of a file, but folders are listed. */
const MAX_BYTES = 16 * 1024;

/** Returns the type of an artifact by the end of its location. */
function typeOf({ key }: RunArtifact): string {
  const [, end = ""] = /\.(\w{1,10}(?:\.gz)?)$/.exec(key) ?? [];
  return words.types[end.toLowerCase()] ?? (end === "" ? "" : words.fileOf(end.toUpperCase()));
}

/** The size of an artifact in its run, or the number of its files. */
function Size({ scene, choice, mayRequest }: {
  readonly scene: RunScene;
  readonly choice: RunArtifact;
  readonly mayRequest: boolean;
}) {
  if (choice.objects !== undefined) return <>{words.filesIn(choice.objects)}</>;
  if (choice.size !== undefined) return <>{sizeText(choice.size)}</>;
  return mayRequest ? <RequestedSize scene={scene} choice={choice} /> : null;
}

/** The size or the number of files that the server reports; empty if it does not, or if a listing is too long. */
function RequestedSize({ scene, choice }: { readonly scene: RunScene; readonly choice: RunArtifact }) {
  const { source } = useApp();
  const place = artifactPlace(scene, choice);
  const { answer: { value } } = useAnswer((signal) => source.readArtifact(place, () => MAX_BYTES, signal), [place]);
  if (value.kind !== "here") return null;
  const content = value.value;
  if (content.kind === "folder") return content.isWhole ? <>{words.filesIn(content.files.length)}</> : null;
  const size = content.isWhole ? content.bytes.length : content.size;
  return size === undefined ? null : <>{sizeText(size)}</>;
}

export function ArtifactsTab({ scene }: { scene: RunScene }) {
  const { run, view, hrefOf } = scene;
  const all = useMemo(() => artifactsOf(run), [run]);
  if (all.length === 0) {
    return <p class="note empty">{words.noneYet}</p>;
  }
  return (
    <div class="scroll-x">
      <table class="artifacts">
        <thead>
          <tr>
            <th>{words.artifactField}</th>
            <th>{words.typeField}</th>
            <th>{words.sizeField}</th>
            <th>{words.producedByField}</th>
            <th>{words.keyField}</th>
            <th>{words.whenField}</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MAX_ITEMS).map((runArtifact, i) => (
            <tr
              key={`${runArtifact.nodeId} ${runArtifact.name}`}
              aria-current={view.artifact?.nodeId === runArtifact.nodeId && view.artifact.name === runArtifact.name
                ? "true"
                : undefined}
            >
              <td class="name">
                {runArtifact.isDeleted
                  ? (
                    <span>
                      {runArtifact.name} <span class="muted">{words.isDeleted}</span>
                    </span>
                  )
                  : <a href={hrefOf({ artifact: runArtifact })}>{runArtifact.name}</a>}
              </td>
              <td class="muted" data-head={words.typeField}>{typeOf(runArtifact)}</td>
              <td class="muted number" data-head={words.sizeField}>
                {!runArtifact.isDeleted && <Size scene={scene} choice={runArtifact} mayRequest={i < MAX_SIZES} />}
              </td>
              <td data-head={words.producedByField}>
                <a href={hrefOf({ nodeId: runArtifact.nodeId })}>
                  {runArtifact.node.displayName ?? runArtifact.node.name}
                </a>
              </td>
              <td class="mono muted">{runArtifact.key}</td>
              <td class="muted number">{momentText(runArtifact.node.finishedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > MAX_ITEMS && <p class="muted">{shared.andMore(all.length - MAX_ITEMS)}</p>}
    </div>
  );
}
