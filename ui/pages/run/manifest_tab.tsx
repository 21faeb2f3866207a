/** The manifest of a run, or of one node of it, as YAML. */
import { useEffect, useState } from "preact/hooks";
import { download } from "./download.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/manifest_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The longest text that is shown, in characters; all of it is in the download. */
const LONGEST = 500_000;

/** The tab. */
export function ManifestTab({ scene: { run, node } }: { scene: RunScene }) {
  const [text, setText] = useState("");
  useEffect(() => {
    let isShown = true;
    const { managedFields: _managed, ...metadata } = run.metadata as typeof run.metadata & { managedFields?: unknown };
    // The YAML library is loaded when somebody opens this tab.
    import("yaml").then(({ stringify }) => {
      if (isShown) setText(stringify(node ?? { ...run, metadata }, { aliasDuplicateObjects: false }));
    }, (error) => setText(String(error)));
    return () => {
      isShown = false;
    };
  }, [run, node]);
  const name = `${node?.id ?? run.metadata.name}.yaml`;
  return (
    <section class="manifest" aria-label={words.label}>
      <div class="tools">
        <span class="muted">
          {node ? words.ofNode(node.displayName ?? node.name) : words.ofRun}
        </span>
        <span class="gap" />
        <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(text)}>
          {words.copyButton}
        </button>
        <button type="button" class="button" disabled={text === ""} onClick={() => download(name, "text/yaml", [text])}>
          {shared.downloadButton}
        </button>
      </div>
      <pre class="yaml" tabIndex={0} aria-label={words.yamlLabel}>{text.slice(0, LONGEST)}</pre>
      {text.length > LONGEST && <p class="muted">{words.moreCharacters(text.length - LONGEST)}</p>}
    </section>
  );
}
