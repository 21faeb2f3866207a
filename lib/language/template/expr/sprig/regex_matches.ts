/** Finds all matches of a pattern as Go does, and fills in `$1` templates. */
import { currentBudget } from "../budget.ts";
import type { Regex } from "../regex.ts";

/** One match: its position, its text, and its groups (undefined for a group that did not participate). */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** Nanoseconds for a match, and for each of its groups. */
const MATCH_COST = 1_000;
const GROUP_COST = 200;

/** Returns up to `max` matches (all for a negative number). An empty match directly after another match is skipped. */
export function findAll(regex: Regex, text: string, max: number): Match[] {
  const hits: Match[] = [];
  const budget = currentBudget();
  const matcher = regex.matcher(text);
  const groups = regex.re2.groupCount() + 1;
  let previousEnd = -1;
  for (let offset = 0; offset <= text.length && hits.length !== max;) {
    if (!matcher.find(offset)) break;
    const [start, end] = [matcher.start(), matcher.end()];
    if (!(start === end && start === previousEnd)) {
      budget.chargeElements(1);
      budget.charge(MATCH_COST + groups * GROUP_COST);
      const found = Array.from({ length: groups }, (_, i) => matcher.group(i) ?? undefined);
      hits.push({ start, end, text: text.slice(start, end), groups: found });
    }
    previousEnd = end;
    offset = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return hits;
}

/**
 * Fills in `$1`, `${1}`, `${name}`, `$$`. A name is the longest run of letters, digits and `_`; unknown names are
 * empty.
 */
export function expandTemplate(template: string, hit: Match, regex: Regex): string {
  const names = regex.re2.namedGroups() as Record<string, number>;
  currentBudget().charge(template.length * 200);
  return template.replace(/\$(\$|[\p{L}\p{Nd}_]+|\{[\p{L}\p{Nd}_]+\})/gu, (_whole, name: string) => {
    if (name === "$") return "$";
    const bare = name.replace(/[{}]/g, "");
    if (/^[0-9]+$/.test(bare)) return hit.groups[Number(bare)] ?? "";
    const group = Object.hasOwn(names, bare) ? names[bare] : undefined;
    return group === undefined ? "" : hit.groups[group] ?? "";
  });
}
