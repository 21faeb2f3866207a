/**
 * Returns the value of the header `Authorization` for Basic authentication; username and password are encoded in UTF-8.
 */

const encoder = new TextEncoder();

export function basicAuthorization(username: string, password = ""): string {
  return `Basic ${encoder.encode(`${username}:${password}`).toBase64()}`;
}
