/** Missing rights, one line each, with the buttons that they disable. */
import { missingRightsLines } from "../model/run/missing_rights.ts";

/** The lines for the missing rights of each button. */
export function MissingRightLines({ texts }: { readonly texts: Readonly<Record<string, string | undefined>> }) {
  return <>{missingRightsLines(texts).map((line) => <p key={line} class="muted lack">{line}</p>)}</>;
}
