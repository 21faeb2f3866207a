/** The number of search results, and the position of the selected one. */
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/graph.ts";

/** The count; renders nothing without a search text. */
export function FoundCount({ text, found, selected = "" }: {
  readonly text: string;
  readonly found: readonly string[];
  readonly selected?: string | undefined;
}) {
  if (text.trim() === "") return null;
  const at = found.indexOf(selected);
  return (
    <span class="number muted" role="status">
      {at >= 0 ? words.foundOf(at + 1, found.length) : found.length > 0 ? grouped(found.length) : words.noneFound}
    </span>
  );
}
