/** The end of a name that a server would append. */

/** Five characters such as a server appends to a generateName: none that would make a word. */
export function nameSuffix(): string {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  return [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => letters[byte % letters.length]).join("");
}
