/** The suffix that a server would append to a generated name. */

/**
 * Returns five characters as a server appends them to a generateName, without vowels so that they do not form words.
 */
export function nameSuffix(): string {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  return [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => letters[byte % letters.length]).join("");
}
