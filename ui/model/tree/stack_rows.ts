/** The items of a long loop or group as a list, shown instead of a thousand parts in the graph. Pure. */
import { FAMILIES, type PhaseFamily } from "../phase.ts";
import type { TreeGridRow } from "./tree_rows.ts";
import { textFinder } from "../graph/find.ts";
import type { Part } from "../graph/part.ts";

/** Returns how many items of a part with a node are in each family, most urgent first. */
export function stackCounts({ members }: Part): { readonly family: PhaseFamily; readonly count: number }[] {
  const started = members.filter(({ node }) => node);
  return FAMILIES.map((family) => ({ family, count: started.filter((part) => part.family === family).length }))
    .filter(({ count }) => count > 0);
}

/** Returns the rows of the items that contain a text and are in a family, the most urgent first. */
export function stackRows({ members }: Part, text: string, family: PhaseFamily | undefined): readonly TreeGridRow[] {
  const hasText = textFinder(text);
  const found = members.filter((member) => (family === undefined || member.family === family) && hasText(member));
  const nodes = FAMILIES.flatMap((wanted) =>
    found.flatMap(({ node, family }) => node && family === wanted ? [node] : [])
  );
  return nodes.map((node, index) => ({
    node,
    level: 1,
    parent: undefined,
    hasChildren: false,
    place: index + 1,
    siblings: nodes.length,
  }));
}
