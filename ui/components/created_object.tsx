/** The result of a dry run: the object that the server would create. */
import * as words from "../model/text/en/object_pages.ts";

interface Props {
  /** The object as YAML. */
  readonly text: string;
  readonly onClose: () => void;
}

export function CreatedObject({ text, onClose }: Props) {
  return (
    <section class="created" aria-label={words.areaLabel}>
      <header class="row">
        <strong role="status">{words.nothingCreated}</strong>
        <button type="button" class="button plain end" aria-label={words.closeButton} onClick={onClose}>✕</button>
      </header>
      <pre class="yaml" tabIndex={0} aria-label={words.manifestLabel}>{text}</pre>
    </section>
  );
}
