/** Finding all hits of a pattern as Go does, and filling `$1` templates. */
import type { RE2JS } from "re2js";

/** One hit: where it lies, its text, and its groups (undefined where a group took no part). */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** Up to `most` hits (all for a negative number); an empty hit right after another hit does not count. */
export function findAll(regex: RE2JS, text: string, most: number): Hit[] {
  const hits: Hit[] = [];
  const matcher = regex.matcher(text);
  let previousEnd = -1;
  for (let at = 0; at <= text.length && hits.length !== most;) {
    if (!matcher.find(at)) break;
    const [start, end] = [matcher.start(), matcher.end()];
    if (!(start === end && start === previousEnd)) {
      const groups = Array.from({ length: regex.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
      hits.push({ start, end, text: text.slice(start, end), groups });
    }
    previousEnd = end;
    at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return hits;
}

/** `$1`, `${1}`, `${name}`, `$$`: the longest name of letters, digits and `_`; unknown names are empty. */
export function expandTemplate(template: string, hit: Hit, regex: RE2JS): string {
  const names = regex.namedGroups() as Record<string, number>;
  return template.replace(/\$(\$|[\p{L}\p{Nd}_]+|\{[\p{L}\p{Nd}_]+\})/gu, (_whole, name: string) => {
    if (name === "$") return "$";
    const bare = name.replace(/[{}]/g, "");
    if (/^[0-9]+$/.test(bare)) return hit.groups[Number(bare)] ?? "";
    return Object.hasOwn(names, bare) ? hit.groups[names[bare]] ?? "" : "";
  });
}
