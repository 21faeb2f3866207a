/** The manifest of a run, or of one of its nodes, as YAML. */
import { useEffect, useState } from "preact/hooks";
import { createPacer } from "../../api/pauses.ts";
import { manifestPieces } from "../../model/manifest_pieces.ts";
import { trackPending } from "../../settled.ts";
import { download } from "./download.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/manifest_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of characters that are shown; the download has all of it. */
const MAX_SHOWN_LENGTH = 500_000;

/** A manifest as text, possibly only its beginning. */
interface ManifestText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Serializes the manifest of a run or node up to a length, with pauses; returns undefined if it is canceled. */
async function serializeManifest(
  { run, node }: Pick<RunScene, "run" | "node">,
  max = Infinity,
  isWanted = () => true,
): Promise<ManifestText | undefined> {
  using _waiting = trackPending();
  // The YAML library loads when this tab is opened.
  const { stringify } = await import("./yaml_writer.ts");
  const write = (value: unknown) => stringify(value, { aliasDuplicateObjects: false });
  if (node) return { text: write(node), isWhole: true };
  const { managedFields: _managed, ...metadata } = run.metadata as typeof run.metadata & { managedFields?: unknown };
  const pieces = manifestPieces({ ...run, metadata }, write);
  const rest = createPacer();
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length > max) return { text, isWhole: false };
    await rest();
    if (!isWanted()) return undefined;
  }
  return { text, isWhole: true };
}

export function ManifestTab({ scene }: { scene: RunScene }) {
  const { run, node } = scene;
  const [{ text, isWhole }, setWritten] = useState<ManifestText>({ text: "", isWhole: true });
  useEffect(() => {
    let isShown = true;
    const show = (made: ManifestText | undefined) => made && isShown && setWritten(made);
    serializeManifest({ run, node }, MAX_SHOWN_LENGTH, () => isShown)
      .then(show, (error) => show({ text: String(error), isWhole: true }));
    return () => {
      isShown = false;
    };
  }, [run, node]);
  const name = `${node?.id ?? run.metadata.name}.yaml`;
  const whole = async () => isWhole ? text : (await serializeManifest({ run, node }))?.text ?? "";
  return (
    <section class="manifest" aria-label={words.label}>
      <div class="tools">
        <span class="muted">
          {node ? words.ofNode(node.displayName ?? node.name) : words.ofRun}
        </span>
        <span class="gap" />
        <button
          type="button"
          class="button"
          onClick={async () => void navigator.clipboard.writeText(await whole())}
        >
          {words.copyButton}
        </button>
        <button
          type="button"
          class="button"
          disabled={text === ""}
          onClick={async () => download(name, "text/yaml", [await whole()])}
        >
          {shared.downloadButton}
        </button>
      </div>
      <pre class="yaml" tabIndex={0} aria-label={words.yamlLabel}>{text.slice(0, MAX_SHOWN_LENGTH)}</pre>
      {(!isWhole || text.length > MAX_SHOWN_LENGTH) && <p class="muted">{words.truncatedNote}</p>}
    </section>
  );
}
