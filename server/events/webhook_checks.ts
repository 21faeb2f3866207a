/** Authentication of webhooks of known services: an HMAC of the body, or a shared token. */
import { createHash, timingSafeEqual } from "node:crypto";

/** The known services. */
export const WEBHOOK_TYPES = ["github", "gitlab", "bitbucket", "bitbucketserver"] as const;

/** A service that sends webhooks. */
export type WebhookType = typeof WEBHOOK_TYPES[number];

interface Check {
  /** The header with the name of the event, and the pattern of such names. */
  readonly event: readonly [header: string, names: RegExp];
  readonly isAuthentic: (headers: Headers, body: Uint8Array<ArrayBuffer>, secret: string) => boolean | Promise<boolean>;
}

const CHECKS: Readonly<Record<WebhookType, Check>> = {
  github: { event: ["x-github-event", /^[a-z]+(_[a-z0-9]+)*$/], isAuthentic: signatureCheck("x-hub-signature-256") },
  gitlab: { event: ["x-gitlab-event", /^[A-Z][A-Za-z ]* Hook$/], isAuthentic: tokenCheck("x-gitlab-token") },
  bitbucket: { event: ["x-event-key", /^(repo|issue|pullrequest):[a-z_]+$/], isAuthentic: tokenCheck("x-hook-uuid") },
  bitbucketserver: {
    event: ["x-event-key", /^((repo|pr|mirror):[a-z_:]+|diagnostics:ping)$/],
    isAuthentic: signatureCheck("x-hub-signature"),
  },
};

/** Whether a request looks like a webhook of any known service. */
export function isWebhook(headers: Headers): boolean {
  return WEBHOOK_TYPES.some((type) => hasEvent(CHECKS[type], headers));
}

/** Whether the sender of a request knows a secret. An empty secret is never accepted. */
export async function isAuthenticRequest(
  type: WebhookType,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const check = CHECKS[type];
  return secret !== "" && hasEvent(check, headers) && await check.isAuthentic(headers, body, secret);
}

const MAX_NAME_LENGTH = 100;

function hasEvent({ event: [header, names] }: Check, headers: Headers): boolean {
  const name = headers.get(header) ?? "";
  return name.length <= MAX_NAME_LENGTH && names.test(name);
}

/**
 * Checks the HMAC of the body in a header: `sha256=` and 64 hexadecimal digits. It is computed in another thread,
 * because the sender is unknown and the body may be large.
 */
function signatureCheck(header: string): Check["isAuthentic"] {
  return async (headers, body, secret) => {
    const [, signature] = SIGNATURE.exec(headers.get(header) ?? "") ?? [];
    if (signature === undefined) return false;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
    return await crypto.subtle.verify("HMAC", key, Uint8Array.fromHex(signature), body);
  };
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

function tokenCheck(header: string): Check["isAuthentic"] {
  return (headers, _body, secret) => isSame(headers.get(header) ?? "", secret);
}

/**
 * Compares two texts in a time that depends neither on the position of a difference nor on the length of the expected
 * one.
 */
function isSame(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}
