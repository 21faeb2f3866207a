/** Tests with requirements that not every machine meets. */

/** The part of a test's definition that skips it, and names the missing requirement in its title. */
export interface Needs {
  readonly name: string;
  readonly ignore: boolean;
}

/**
 * Returns the definition of a test that needs something; `subject` follows "needs", `isThere` is whether this machine
 * has it.
 */
export function needs(subject: string, isThere: boolean, name: string): Needs {
  return isThere ? { name, ignore: false } : { name: `${name} (skipped: needs ${subject})`, ignore: true };
}
