/** Digests of content. */

/** Returns the SHA-256 digest of bytes. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>);
  return `sha256:${new Uint8Array(sum).toHex()}`;
}
