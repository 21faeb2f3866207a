/**
 * An attempt to log in, from the redirect to the provider until its answer: sealed into a cookie of the browser that began it,
 * so that nobody else can end it.
 */
import { EncryptJWT, errors, jwtDecrypt } from "jose";
import { z } from "zod";

/** The time in which a person must have logged in, in seconds. */
export const ATTEMPT_SECONDS = 180;
const ISSUER = "tiphys-login";
const MOST_USED = 100_000;

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  target: z.string(),
});

/** The facts about an attempt that the server must remember. */
export type Attempt = z.infer<typeof Attempt>;

/** The cookie of an attempt: the beginning of its state tells attempts of one browser apart. */
export function cookieOf(state: string): string {
  return `tiphys-login-${state.slice(0, 10)}`;
}

/** The key of attempts, another than that of sessions, so that neither is ever taken for the other. */
async function attemptKey(sessionKey: Uint8Array): Promise<Uint8Array> {
  const base = await crypto.subtle.importKey("raw", Uint8Array.from(sessionKey), "HKDF", false, ["deriveBits"]);
  const salt = new Uint8Array();
  const how = { name: "HKDF", hash: "SHA-256", salt, info: new TextEncoder().encode(ISSUER) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
}

/** The attempts of a server's people. */
export class Attempts {
  readonly #key: Promise<Uint8Array>;
  readonly #now: () => Date;
  /** States that were used, until they would be too old anyway. */
  readonly #used = new Map<string, number>();

  constructor(sessionKey: Uint8Array, now: () => Date) {
    this.#key = attemptKey(sessionKey);
    this.#now = now;
  }

  /** The value of the cookie that remembers an attempt. */
  async seal(attempt: Attempt): Promise<string> {
    const expires = Math.floor(this.#now().getTime() / 1000) + ATTEMPT_SECONDS;
    return await new EncryptJWT({ ...attempt }).setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setIssuer(ISSUER).setExpirationTime(expires).encrypt(await this.#key);
  }

  /**
   * The attempt of a cookie, once: undefined for one that is over, was used, is another's, or was not sealed here.
   */
  async take(cookie: string, state: string): Promise<Attempt | undefined> {
    const attempt = await this.#open(cookie);
    if (!attempt || attempt.state !== state || this.#used.has(state)) return undefined;
    const now = this.#now().getTime();
    for (const [used, until] of this.#used) {
      if (until > now && this.#used.size < MOST_USED) break;
      this.#used.delete(used);
    }
    this.#used.set(state, now + ATTEMPT_SECONDS * 1000);
    return attempt;
  }

  async #open(cookie: string): Promise<Attempt | undefined> {
    try {
      const { payload } = await jwtDecrypt(cookie, await this.#key, {
        issuer: ISSUER,
        currentDate: this.#now(),
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        requiredClaims: ["exp"],
      });
      return Attempt.safeParse(payload).data;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}
