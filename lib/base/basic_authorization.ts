/** The header `Authorization` of a name and a password, in UTF-8. */

const encoder = new TextEncoder();

/** The value of the header. */
export function basicAuthorization(username: string, password = ""): string {
  return `Basic ${encoder.encode(`${username}:${password}`).toBase64()}`;
}
