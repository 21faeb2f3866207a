/** Identifies a value by a digest of its JSON. */

/** Returns the SHA-256 of a value's JSON in hexadecimal. */
export async function sumOfJson(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", text)).toHex();
}
