/** The names that the palette searches: nodes of a run, runs, templates and schedules, in groups. Pure. */

/** Something that is found by its name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Words that stand beside the name, and are searched, too. */
  readonly about?: string | undefined;
}

/** The kinds of things that the palette finds, in the order of their groups. */
export const FOUND_KINDS = [
  "actions",
  "nodes",
  "runs",
  "templates",
  "cluster-templates",
  "schedules",
] as const;

/** A kind of things. */
export type FoundKind = typeof FOUND_KINDS[number];

/** Things, with their words as they are searched: made once, so that a key among 10,000 names costs no more than a look. */
export interface NameIndex<T extends Named> {
  readonly items: readonly T[];
  readonly texts: readonly string[];
}

/** Makes an index. */
export function indexNames<T extends Named>(items: readonly T[]): NameIndex<T> {
  return { items, texts: items.map(({ name, about }) => `${name} ${about ?? ""}`.toLowerCase()) };
}

/** The first things that were found, and the number of the others. */
export interface Found<T> {
  readonly items: readonly T[];
  readonly more: number;
}

/** The ranks of what is found: its name is what was typed, or begins with it, a word of it does, or it stands somewhere in it. */
const RANKS = 4;

/**
 * The things that have every word that was typed, at most so many: those whose names are the first word, then those that
 * begin with it, those in which another word does, and all others; within each the order of the index. Nothing for no word.
 */
export function findNames<T extends Named>({ items, texts }: NameIndex<T>, typed: string, most: number): Found<T> {
  const [first, ...others] = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (first === undefined) return { items: [], more: 0 };
  const ranked: T[][] = Array.from({ length: RANKS }, () => []);
  let count = 0;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at]!;
    const place = text.indexOf(first);
    if (place < 0 || !others.every((word) => text.includes(word))) continue;
    count++;
    const rank = ranked[rankOf(text, place, first.length)]!;
    if (rank.length < most) rank.push(items[at]!);
  }
  const found = ranked.flat().slice(0, most);
  return { items: found, more: count - found.length };
}

function rankOf(text: string, place: number, length: number): number {
  if (place === 0) return text[length] === " " ? 0 : 1;
  return isBetweenWords(text.charCodeAt(place - 1)) ? 2 : 3;
}

function isBetweenWords(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = code >= 97 && code <= 122;
  return !isDigit && !isLetter && code < 128;
}
