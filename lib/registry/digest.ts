/** Digests: content named by what it is. */

/** The digest of bytes. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>);
  return `sha256:${new Uint8Array(sum).toHex()}`;
}
