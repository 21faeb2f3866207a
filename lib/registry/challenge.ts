/** The header `WWW-Authenticate`: how a server wants to be told who asks. */

/** One way to log in. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** By names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A scheme, or a field with its value: of one challenge and the next they are told apart by nothing else. */
const PART = /[\s,]*([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;

/** All that a header offers, in its order. */
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
