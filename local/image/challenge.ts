/** What a server that wants to know who asks says about how to tell it: the header `WWW-Authenticate`. */

/** One way to log in. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** By names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A scheme, a field, or both; fields of one challenge and the next challenge are told apart by nothing but commas. */
const PART = /[\s,]*(?:([\w-]+)(?:\s+|$|(?=,)))?(?:([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;

/** All that a header offers, in its order. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; fields: Map<string, string> }[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < header.length) {
    const [whole, scheme, name, quoted, plain] = PART.exec(header) ?? [""];
    if (whole === "") break;
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), fields: new Map() });
    if (name !== undefined) {
      const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
      challenges.at(-1)?.fields.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}
