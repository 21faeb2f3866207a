/** Tests that need something that not every machine has. */

/** The part of a test's definition that skips it where something is missing, and says in its name what. */
export interface Needs {
  readonly name: string;
  readonly ignore: boolean;
}

/** A test that needs something, in words that follow "needs"; `isThere` tells whether this machine has it. */
export function needs(what: string, isThere: boolean, name: string): Needs {
  return isThere ? { name, ignore: false } : { name: `${name} (skipped: needs ${what})`, ignore: true };
}
