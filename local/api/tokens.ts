/** Bearer tokens: those the server was started with, and those it issues to service accounts. */

/** What a request for a token asks for. */
export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly pod?: { name: string; uid: string } | undefined;
}

const encoder = new TextEncoder();
const options = { alphabet: "base64url", omitPadding: true } as const;

/** Signs and recognises tokens with one key. */
export class Tokens {
  readonly #given: ReadonlySet<string>;
  readonly #key: Promise<CryptoKey>;
  readonly #now: () => Date;

  /** `secret` signs the tokens of service accounts: kept, they survive a restart. */
  constructor(given: readonly string[], secret: string, now: () => Date) {
    this.#given = new Set(given);
    this.#now = now;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#key = crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
  }

  /** A JSON web token for a service account. */
  async issue(subject: TokenSubject, expires: Date): Promise<string> {
    const { namespace, serviceAccount, pod } = subject;
    const claims = {
      aud: ["https://kubernetes.default.svc"],
      exp: Math.floor(expires.getTime() / 1000),
      iat: Math.floor(this.#now().getTime() / 1000),
      iss: "https://kubernetes.default.svc",
      sub: `system:serviceaccount:${namespace}:${serviceAccount}`,
      "kubernetes.io": { namespace, serviceaccount: { name: serviceAccount }, ...(pod && { pod }) },
    };
    const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
    const signature = await crypto.subtle.sign("HMAC", await this.#key, encoder.encode(content));
    return `${content}.${new Uint8Array(signature).toBase64(options)}`;
  }

  /** The user a token stands for; undefined when it is not one of ours or has ended. */
  async userOf(token: string): Promise<string | undefined> {
    if (this.#given.has(token)) return "admin";
    const [header, payload, signature, ...more] = token.split(".");
    if (!header || !payload || !signature || more.length > 0) return undefined;
    try {
      const bytes = Uint8Array.fromBase64(signature, { alphabet: "base64url" });
      const signed = await crypto.subtle.verify("HMAC", await this.#key, bytes, encoder.encode(`${header}.${payload}`));
      if (!signed) return undefined;
      const claims = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(payload, { alphabet: "base64url" })));
      return claims.exp * 1000 > this.#now().getTime() ? claims.sub : undefined;
    } catch {
      return undefined; // not base64 or not JSON: nobody's token
    }
  }
}

function part(value: unknown): string {
  return encoder.encode(JSON.stringify(value)).toBase64(options);
}
