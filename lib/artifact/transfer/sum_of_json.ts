/** The sum by which a value is known again: of its JSON. */

/** The SHA-256 of a value's JSON, hexadecimal. */
export async function sumOfJson(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", text)).toHex();
}
