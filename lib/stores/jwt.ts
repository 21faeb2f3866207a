/** JSON web tokens, signed with an RSA key (RS256). */
import { createPrivateKey, sign } from "node:crypto";
import { Buffer } from "node:buffer";

/**
 * Signs claims with a private key in PEM.
 * @throws {Error} when the key is invalid.
 */
export function signJwt(
  pem: string,
  header: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | number>>,
): Promise<string> {
  return Promise.try(() => {
    const text = [{ alg: "RS256", typ: "JWT", ...header }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const signature = sign("RSA-SHA256", Buffer.from(text), createPrivateKey(pem));
    return `${text}.${signature.toString("base64url")}`;
  });
}
