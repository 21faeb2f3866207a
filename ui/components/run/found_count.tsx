/** The number of search results, and the position of the selected one. */
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/graph.ts";

/** The count; renders nothing without a search text. */
export function FoundCount({ text, hits, selected = "" }: {
  readonly text: string;
  readonly hits: readonly string[];
  readonly selected?: string | undefined;
}) {
  if (text.trim() === "") return null;
  const index = hits.indexOf(selected);
  return (
    <span class="number muted" role="status">
      {index >= 0 ? words.foundOf(index + 1, hits.length) : hits.length > 0 ? grouped(hits.length) : words.noneFound}
    </span>
  );
}
