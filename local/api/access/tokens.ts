/** Bearer tokens: those the server was started with, and those it issues to service accounts. */

import { fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { type Caller, OURSELVES, type TokenAccount } from "./caller.ts";

/** The content of a request for a token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The uid of the account: the token is good for this one and for no namesake. Undefined for one that is not there yet. */
  readonly accountUid: string | undefined;
  /** The pod that it is given to: it is good as long as that is there. */
  readonly pod?: { name: string; uid: string } | undefined;
  /** The audiences that it is meant for; this server when none is named. */
  readonly audiences?: readonly string[] | undefined;
  /** Whether a secret holds it: it is good as long as one does. */
  readonly isOfSecret?: boolean;
}

/** The caller that a token stands for, and the secret that holds the token. */
export interface TokenContent {
  readonly caller: Caller;
  /** The namespace of the secret that holds it; undefined where none does. */
  readonly secretNamespace: string | undefined;
  /** The service account that it was issued to; undefined for a token that the server was started with. */
  readonly account: TokenAccount | undefined;
}

const OUR_AUDIENCE = "https://kubernetes.default.svc";

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
    const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
    const signature = await crypto.subtle.sign("HMAC", await this.#key, encoder.encode(content));
    return `${content}.${new Uint8Array(signature).toBase64(options)}`;
  }

  /** Reads a token; undefined when it is not one of ours, is meant for other audiences, or has expired. */
  async read(token: string): Promise<TokenContent | undefined> {
    if (this.#given.has(token)) return { caller: OURSELVES, secretNamespace: undefined, account: undefined };
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
      return undefined; // not base64 or not JSON: nobody's token
    }
  }
}

function part(value: unknown): string {
  return encoder.encode(JSON.stringify(value)).toBase64(options);
}
