/** The proofs by which services that send webhooks are known: a signature over the body, or a shared text. */
import { createHash, timingSafeEqual } from "node:crypto";

/** The services that are known. */
export const WEBHOOK_TYPES = ["github", "gitlab", "bitbucket", "bitbucketserver"] as const;

/** A service that sends webhooks. */
export type WebhookType = typeof WEBHOOK_TYPES[number];

interface Check {
  /** The header that names what happened, and how such names look. */
  readonly event: readonly [header: string, names: RegExp];
  readonly proves: (headers: Headers, body: Uint8Array<ArrayBuffer>, secret: string) => boolean | Promise<boolean>;
}

const CHECKS: Readonly<Record<WebhookType, Check>> = {
  github: { event: ["x-github-event", /^[a-z]+(_[a-z0-9]+)*$/], proves: signedIn("x-hub-signature-256") },
  gitlab: { event: ["x-gitlab-event", /^[A-Z][A-Za-z ]* Hook$/], proves: toldIn("x-gitlab-token") },
  bitbucket: { event: ["x-event-key", /^(repo|issue|pullrequest):[a-z_]+$/], proves: toldIn("x-hook-uuid") },
  bitbucketserver: {
    event: ["x-event-key", /^((repo|pr|mirror):[a-z_:]+|diagnostics:ping)$/],
    proves: signedIn("x-hub-signature"),
  },
};

/** Whether a request says that it is a webhook of any service. */
export function isWebhook(headers: Headers): boolean {
  return WEBHOOK_TYPES.some((type) => hasEvent(CHECKS[type], headers));
}

/** Whether a request was sent by a service that knows a secret. An empty secret proves nothing. */
export async function isProven(
  type: WebhookType,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const check = CHECKS[type];
  return secret !== "" && hasEvent(check, headers) && await check.proves(headers, body, secret);
}

const LONGEST_NAME = 100;

function hasEvent({ event: [header, names] }: Check, headers: Headers): boolean {
  const name = headers.get(header) ?? "";
  return name.length <= LONGEST_NAME && names.test(name);
}

/** The HMAC of the body in a header. It is computed in another thread: the sender is unknown and the body may be large. */
function signedIn(header: string): Check["proves"] {
  return async (headers, body, secret) => {
    const [, signature] = SIGNATURE.exec(headers.get(header) ?? "") ?? [];
    if (signature === undefined) return false;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
    return await crypto.subtle.verify("HMAC", key, Uint8Array.fromHex(signature), body);
  };
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

function toldIn(header: string): Check["proves"] {
  return (headers, _body, secret) => isSame(headers.get(header) ?? "", secret);
}

/** Compares in a time that says nothing of where two texts differ, nor of how long the expected one is. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
