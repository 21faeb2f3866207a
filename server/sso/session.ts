/**
 * Sessions of logged-in users: encrypted tokens in Argo's format, so that both servers accept each other's sessions.
 */
import { EncryptJWT, errors, jwtDecrypt } from "jose";
import { z } from "zod";
import type { Claims } from "../gate/caller.ts";

const PREFIX = "Bearer v2:";
const ISSUER = "argo-server";
/** The tolerated difference between the clocks of two servers. */
const LEEWAY_SECONDS = 60;

const Session = z.object({
  sub: z.string().default(""),
  exp: z.number(),
  groups: z.array(z.string()).nullish(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  service_account_name: z.string().optional(),
  service_account_namespace: z.string().optional(),
});

/** A decrypted session. */
export interface OpenSession {
  readonly claims: Claims;
  /** The time at which it expires, in milliseconds since the epoch. */
  readonly until: number;
}

/** Reports whether a credential has the form of a session. */
export function isSession(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** Returns the credential of a session with an expiry. */
export async function sealSession(claims: Claims, expires: Date, key: Uint8Array): Promise<string> {
  const { groups, email, emailVerified, name, preferredUsername } = claims;
  const jwe = await new EncryptJWT({
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(email ? { email } : {}),
    ...(emailVerified ? { email_verified: true } : {}),
    ...(name ? { name } : {}),
    ...(preferredUsername ? { preferred_username: preferredUsername } : {}),
  }).setProtectedHeader({ alg: "dir", enc: "A256GCM", zip: "DEF" })
    .setIssuer(ISSUER).setSubject(claims.subject).setExpirationTime(expires).encrypt(key);
  return PREFIX + jwe;
}

/**
 * Decrypts a session. Returns undefined if it was encrypted with another key, is malformed, or has expired. The reason
 * is not reported to the caller.
 */
export async function openSession(credential: string, key: Uint8Array, now: Date): Promise<OpenSession | undefined> {
  try {
    const { payload } = await jwtDecrypt(credential.slice(PREFIX.length), key, {
      issuer: ISSUER,
      currentDate: now,
      clockTolerance: LEEWAY_SECONDS,
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
      requiredClaims: ["exp"],
    });
    const session = Session.safeParse(payload);
    return session.success ? openSessionOf(session.data) : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function openSessionOf(session: z.infer<typeof Session>): OpenSession {
  return {
    claims: {
      issuer: ISSUER,
      subject: session.sub,
      groups: session.groups ?? [],
      name: session.name,
      email: session.email,
      emailVerified: session.email_verified || undefined,
      preferredUsername: session.preferred_username,
    },
    until: (session.exp + LEEWAY_SECONDS) * 1000,
  };
}
