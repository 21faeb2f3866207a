/** The link to the form that creates a run; disabled with the reason if rights are missing. */
interface Props {
  readonly word: string;
  readonly href: string;
  /** The missing rights. */
  readonly lack: string | undefined;
}

/** A link, or a disabled button. */
export function SubmitLink({ word, href, lack }: Props) {
  return lack === undefined
    ? <a class="button primary" href={href}>{word}</a>
    : <button type="button" class="button primary" disabled title={lack}>{word}</button>;
}
