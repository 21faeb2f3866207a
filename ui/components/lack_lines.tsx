/** The rights that somebody lacks, a line for each, with the buttons that it keeps off. */
import { lackLines } from "../model/run/lacks.ts";

/** The lines, of what is lacking for the button of each word. */
export function LackLines({ texts }: { readonly texts: Readonly<Record<string, string | undefined>> }) {
  return <>{lackLines(texts).map((line) => <p key={line} class="muted lack">{line}</p>)}</>;
}
