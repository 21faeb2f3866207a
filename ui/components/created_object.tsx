/** The object that a server would create, and nothing of it is there: the answer to a dry run. */
interface Props {
  /** The object as YAML. */
  readonly text: string;
  readonly onClose: () => void;
}

/** The answer. */
export function CreatedObject({ text, onClose }: Props) {
  return (
    <section class="created" aria-label="Dry run">
      <header class="row">
        <strong role="status">The server would create this; nothing was created.</strong>
        <button type="button" class="button plain end" aria-label="Close the dry run" onClick={onClose}>✕</button>
      </header>
      <pre class="yaml" tabIndex={0} aria-label="What would be created">{text}</pre>
    </section>
  );
}
