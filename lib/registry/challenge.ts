/** Parses the header `WWW-Authenticate`. */

/** An authentication challenge. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** Parameters by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A scheme, or a parameter with its value. A scheme begins a new challenge; there is no other separator. */
const PART = /[\s,]*([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;

/** Returns all challenges of a header in order. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; fields: Map<string, string> }[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < header.length) {
    const [, word, quoted, plain] = PART.exec(header) ?? [];
    if (word === undefined) break;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value !== undefined) challenges.at(-1)?.fields.set(word.toLowerCase(), value);
    else if (/^[\s,]?$/.test(header.charAt(PART.lastIndex))) {
      challenges.push({ scheme: word.toLowerCase(), fields: new Map() });
    } else break;
  }
  return challenges;
}
