/** Bearer tokens: those that the server was started with, and those issued to service accounts. */

import { fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { type Caller, OURSELVES, type TokenAccount } from "./caller.ts";

/** The subject of a token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: string;
  /**
   * The UID of the account, so that the token is invalid for a later account of the same name. Undefined if the account
   * does not exist yet.
   */
  readonly accountUid: string | undefined;
  /** The pod of the token, which is valid as long as the pod exists. */
  readonly pod?: { name: string; uid: string } | undefined;
  /** The audiences of the token; this server by default. */
  readonly audiences?: readonly string[] | undefined;
  /** Whether the token is only valid as long as a Secret contains it. */
  readonly isOfSecret?: boolean;
}

/** The caller of a token, and how to verify it. */
export interface TokenContent {
  readonly caller: Caller;
  /** The namespace of the Secret that must contain the token; undefined if none must. */
  readonly secretNamespace: string | undefined;
  /** The service account of the token; undefined for a token that the server was started with. */
  readonly account: TokenAccount | undefined;
}

const OUR_AUDIENCE = "https://kubernetes.default.svc";

const encoder = new TextEncoder();
const options = { alphabet: "base64url", omitPadding: true } as const;

/** Issues and verifies tokens. */
export class Tokens {
  readonly #issued: ReadonlySet<string>;
  readonly #key: Promise<CryptoKey>;
  readonly #now: () => Date;

  /** `secret` signs the tokens of service accounts. If it is stored, they survive a restart. */
  constructor(issued: readonly string[], secret: string, now: () => Date) {
    this.#issued = new Set(issued);
    this.#now = now;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#key = crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
  }

  /** Issues a JSON web token for a service account. */
  async issue(subject: TokenSubject, expires: Date): Promise<string> {
    const { namespace, serviceAccount, accountUid, pod, audiences = [], isOfSecret = false } = subject;
    const claims = {
      aud: audiences.length > 0 ? audiences : [OUR_AUDIENCE],
      exp: Math.floor(expires.getTime() / 1000),
      iat: Math.floor(this.#now().getTime() / 1000),
      iss: "https://kubernetes.default.svc",
      sub: `system:serviceaccount:${namespace}:${serviceAccount}`,
      "kubernetes.io": {
        namespace,
        serviceaccount: { name: serviceAccount, uid: accountUid },
        ...(pod && { pod }),
        ...(isOfSecret && { secret: {} }),
      },
    };
    const content = `${encodePart({ alg: "HS256", typ: "JWT" })}.${encodePart(claims)}`;
    const signature = await crypto.subtle.sign("HMAC", await this.#key, encoder.encode(content));
    return `${content}.${new Uint8Array(signature).toBase64(options)}`;
  }

  /** Verifies a token; undefined if it is not from this server, has other audiences, or has expired. */
  async read(token: string): Promise<TokenContent | undefined> {
    if (this.#issued.has(token)) return { caller: OURSELVES, secretNamespace: undefined, account: undefined };
    const [header, payload, signature, ...more] = token.split(".");
    if (!header || !payload || !signature || more.length > 0) return undefined;
    try {
      const bytes = Uint8Array.fromBase64(signature, { alphabet: "base64url" });
      const signed = await crypto.subtle.verify("HMAC", await this.#key, bytes, encoder.encode(`${header}.${payload}`));
      if (!signed) return undefined;
      const text = new TextDecoder().decode(Uint8Array.fromBase64(payload, { alphabet: "base64url" }));
      const { exp, aud, sub, "kubernetes.io": ours } = fieldsOf(JSON.parse(text));
      if (!(Number(exp) * 1000 > this.#now().getTime()) || !itemsOf(aud).includes(OUR_AUDIENCE)) return undefined;
      const { namespace, serviceaccount, pod, secret } = fieldsOf(ours);
      const account = fieldsOf(serviceaccount);
      const holder = fieldsOf(pod);
      if (typeof sub !== "string" || typeof namespace !== "string" || typeof account.name !== "string") {
        return undefined;
      }
      return {
        caller: {
          user: sub,
          ...(pod ? { pod: { namespace, name: textIn(holder, "name") ?? "", uid: textIn(holder, "uid") ?? "" } } : {}),
        },
        secretNamespace: secret ? namespace : undefined,
        account: { namespace, name: account.name, uid: textIn(account, "uid") },
      };
    } catch {
      return undefined; // not base64 or not JSON
    }
  }
}

function encodePart(value: unknown): string {
  return encoder.encode(JSON.stringify(value)).toBase64(options);
}
