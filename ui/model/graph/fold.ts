/** Folding: the parts that are open by default, and the graph of failures only. */
import { FAMILIES } from "../phase.ts";
import { makePart } from "./make_part.ts";
import { type Part, partsIn } from "./part.ts";
import { OUTERMOST_KEY } from "./parts.ts";

/** The user's choices by part key: true opens a part, false folds it. */
export type FoldChoices = ReadonlyMap<string, boolean>;

/** The longest loop that is open by default; longer ones are shown as a stack. */
const MAX_OPEN_LOOP = 8;
/** The largest graph, in parts, that is completely open by default. */
const SMALL = 60;
/** The longest loop or group that opens in the graph at once; a longer one opens as a list next to it. */
const MAX_LOOP_IN_GRAPH = 100;
/** The maximum number of parts that are shown by default. */
const MANY = 200;

/**
 * Returns the keys of open parts: failed, running and waiting parts with everything around them, and all parts of a
 * small graph. If there are too many, the largest parts without a failure are folded. The user's choices take
 * precedence.
 */
export function openParts(whole: Part, choices: FoldChoices = new Map()): Set<string> {
  const open = new Set<string>([OUTERMOST_KEY]);
  const isSmall = whole.size <= SMALL;
  const closable: Part[] = [];
  for (const part of partsIn(whole)) {
    if (part.members.length === 0 || part === whole) continue;
    const chosen = choices.get(part.key);
    if (!(chosen ?? isOpenByDefault(part, isSmall))) continue;
    open.add(part.key);
    if (chosen === undefined && !hasFailure(part)) closable.push(part);
  }
  let shown = countVisibleParts(whole, open);
  for (const part of closable.sort((a, b) => b.members.length - a.members.length)) {
    if (shown <= MANY) break;
    open.delete(part.key);
    shown = countVisibleParts(whole, open);
  }
  return open;
}

/** Reports whether a part is too long for the graph and opens as a list. */
export function isLongStack({ kind, members }: Part): boolean {
  return (kind === "loop" || kind === "group") && members.length > MAX_LOOP_IN_GRAPH;
}

function isOpenByDefault(part: Part, isSmall: boolean): boolean {
  if (part.kind === "group") return false;
  if (part.kind === "loop") return part.members.length <= MAX_OPEN_LOOP;
  return isSmall || part.declared !== undefined ||
    !part.isPlanned && (hasFailure(part) || part.counts.works + part.counts.waits > 0);
}

function hasFailure({ counts }: Part): boolean {
  return counts.failed + counts.error > 0;
}

/** Returns how many parts are visible with these open. */
function countVisibleParts(part: Part, open: ReadonlySet<string>): number {
  if (!open.has(part.key)) return 1;
  return part.members.reduce((sum, member) => sum + countVisibleParts(member, open), 1);
}

/**
 * Returns the bar of a folded loop or group, failed first, in pixels: for a loop one segment per leaf while there is
 * space, otherwise, and for a group, the share of each family.
 */
export function barSegmentsOf(
  { kind, counts }: Part,
  room: number,
): { family: (typeof FAMILIES)[number]; size: number }[] {
  const all = FAMILIES.reduce((sum, family) => sum + counts[family], 0);
  const isByItem = kind === "loop" && all <= room;
  let left = room;
  return FAMILIES.filter((family) => counts[family] > 0).map((family) => {
    const size = isByItem ? counts[family] : Math.min(left, Math.max(2, room * counts[family] / all));
    left -= size;
    return { family, size };
  });
}

/**
 * Returns the failed parts with everything around them, and their artifacts; the whole without members if nothing
 * failed.
 */
export function failedPartsOf(part: Part): Part {
  const isKept = part.members.map((member) =>
    hasFailure(member) || member.family === "failed" || member.family === "error"
  );
  for (const { from, to } of part.edges) {
    if (part.members[from]!.kind === "artifact") isKept[from] ||= isKept[to]!;
    else if (part.members[to]!.kind === "artifact") isKept[to] ||= isKept[from]!;
  }
  const places = new Map<number, number>();
  const members = part.members.flatMap((member, index) => {
    if (!isKept[index]) return [];
    places.set(index, places.size);
    return [failedPartsOf(member)];
  });
  if (members.length === part.members.length && members.every((member, index) => member === part.members[index])) {
    return part;
  }
  const edges = part.edges.flatMap(({ from, to, kind }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a === undefined || b === undefined ? [] : { from: a, to: b, kind };
  });
  return makePart({ ...part, members, edges });
}
