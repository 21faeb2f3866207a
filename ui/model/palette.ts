/** The search of the palette: nodes of a run, runs, templates and schedules, in groups. Pure. */

/** An item that can be found by name. */
export interface NamedItem {
  readonly id: string;
  readonly name: string;
  /** Further words that are shown and searched. */
  readonly about?: string | undefined;
}

/** The groups of items, in order. */
export const FOUND_KINDS = [
  "actions",
  "nodes",
  "runs",
  "templates",
  "cluster-templates",
  "schedules",
] as const;

/** A group of items. */
export type FoundKind = typeof FOUND_KINDS[number];

/** Items with their searchable text, computed once so that a key stroke among 10,000 names is cheap. */
export interface NameIndex<T extends NamedItem> {
  readonly items: readonly T[];
  readonly texts: readonly string[];
}

/** Builds an index. */
export function indexNames<T extends NamedItem>(items: readonly T[]): NameIndex<T> {
  return { items, texts: items.map(({ name, about }) => `${name} ${about ?? ""}`.toLowerCase()) };
}

/** The first matches, and the number of further ones. */
export interface NameMatches<T> {
  readonly items: readonly T[];
  readonly more: number;
}

/** Number of ranks: the name equals the typed text, starts with it, has a word that starts with it, or contains it. */
const RANKS = 4;

/**
 * Returns up to `max` items that contain every typed word, ranked by how the first word matches the name: equal,
 * prefix, prefix of a word, anywhere. Equal ranks keep the order of the index. Matches nothing if nothing was typed.
 */
export function findNames<T extends NamedItem>(
  { items, texts }: NameIndex<T>,
  typed: string,
  max: number,
): NameMatches<T> {
  const [first, ...others] = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (first === undefined) return { items: [], more: 0 };
  const ranked: T[][] = Array.from({ length: RANKS }, () => []);
  let count = 0;
  for (let offset = 0; offset < texts.length; offset++) {
    const text = texts[offset]!;
    const place = text.indexOf(first);
    if (place < 0 || !others.every((word) => text.includes(word))) continue;
    count++;
    const rank = ranked[rankOf(text, place, first.length)]!;
    if (rank.length < max) rank.push(items[offset]!);
  }
  const found = ranked.flat().slice(0, max);
  return { items: found, more: count - found.length };
}

function rankOf(text: string, index: number, length: number): number {
  if (index === 0) return text[length] === " " ? 0 : 1;
  return isBetweenWords(text.charCodeAt(index - 1)) ? 2 : 3;
}

function isBetweenWords(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = code >= 97 && code <= 122;
  return !isDigit && !isLetter && code < 128;
}
