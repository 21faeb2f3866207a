/**
 * A login attempt, from the redirect to the provider until its callback. It is encrypted in a cookie of the browser
 * that started it, so that no other browser can complete it.
 */
import { EncryptJWT, errors, jwtDecrypt } from "jose";
import { z } from "zod";

/** The maximum time that a user may take to log in, in seconds. */
export const ATTEMPT_SECONDS = 180;
const ISSUER = "tiphys-login";
const MAX_USED_STATES = 100_000;

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  target: z.string(),
});

/** The data of an attempt that the callback needs. */
export type Attempt = z.infer<typeof Attempt>;

/** The name of an attempt's cookie. It contains the start of the state, since a browser may have several attempts. */
export function cookieOf(state: string): string {
  return `tiphys-login-${state.slice(0, 10)}`;
}

/** Derives the key of attempts from that of sessions. They differ, so that neither is accepted as the other. */
async function attemptKey(sessionKey: Uint8Array): Promise<Uint8Array> {
  const base = await crypto.subtle.importKey("raw", Uint8Array.from(sessionKey), "HKDF", false, ["deriveBits"]);
  const salt = new Uint8Array();
  const how = { name: "HKDF", hash: "SHA-256", salt, info: new TextEncoder().encode(ISSUER) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
}

/** The login attempts at a server. */
export class Attempts {
  readonly #key: Promise<Uint8Array>;
  readonly #now: () => Date;
  /** States that were used, until they expire. */
  readonly #used = new Map<string, number>();

  constructor(sessionKey: Uint8Array, now: () => Date) {
    this.#key = attemptKey(sessionKey);
    this.#now = now;
  }

  /** Returns the value of an attempt's cookie. */
  async seal(attempt: Attempt): Promise<string> {
    const expires = Math.floor(this.#now().getTime() / 1000) + ATTEMPT_SECONDS;
    return await new EncryptJWT({ ...attempt }).setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setIssuer(ISSUER).setExpirationTime(expires).encrypt(await this.#key);
  }

  /**
   * Returns the attempt of a cookie, only once. Undefined if it has expired, was used, has another state, or was not
   * encrypted with this key.
   */
  async redeem(cookie: string, state: string): Promise<Attempt | undefined> {
    const attempt = await this.#open(cookie);
    if (!attempt || attempt.state !== state || this.#used.has(state)) return undefined;
    const now = this.#now().getTime();
    for (const [used, until] of this.#used) {
      if (until > now && this.#used.size < MAX_USED_STATES) break;
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
