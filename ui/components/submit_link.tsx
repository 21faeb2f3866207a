/** The way to the form that makes a run; off, with the reason, for who may not. */
interface Props {
  readonly word: string;
  readonly href: string;
  /** The rights that are lacking, in words. */
  readonly lack: string | undefined;
}

/** A link, or a button that is off. */
export function SubmitLink({ word, href, lack }: Props) {
  return lack === undefined
    ? <a class="button primary" href={href}>{word}</a>
    : <button type="button" class="button primary" disabled title={lack}>{word}</button>;
}
