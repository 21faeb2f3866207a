/** The caller of the server: who they are, and a client that acts as them. */
import { parseJson } from "../../lib/bounded_json.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import type { KubeClient } from "../../lib/kube/mod.ts";

/** Facts about a caller, from the mode that let them in. */
export interface Claims {
  readonly issuer?: string | undefined;
  readonly subject: string;
  readonly groups: readonly string[];
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly preferredUsername?: string | undefined;
  readonly serviceAccountName?: string | undefined;
  readonly serviceAccountNamespace?: string | undefined;
}

/** Somebody who was let in. */
export interface Caller {
  /** Different for each set of credentials, and nothing that could be used as them. */
  readonly key: string;
  readonly claims: Claims;
  /** Acts with the caller's rights. */
  readonly client: KubeClient;
  /** Milliseconds since 1970 after which these credentials are no good, where that is known. */
  readonly until?: number;
}

/**
 * The key under which the tasks of a caller wait for each other: its identity, whatever its credentials. Anonymous callers
 * have the identity of the server, so theirs wait by namespace.
 */
export function turnOf({ key, claims: { subject } }: Caller, namespace = ""): string {
  return key === SERVER_KEY ? `namespace ${namespace}` : `caller ${subject || key}`;
}

/** The key of anonymous callers, who act with the rights of the server. */
export const SERVER_KEY = "server";

/** One way to be let in. */
export interface AuthMode {
  readonly name: "client" | "server" | "sso";
  /** Whether credentials of this form are its own; `undefined` stands for a request without any. */
  takes(credential: string | undefined): boolean;
  /** Whether somebody may be another caller in another namespace. */
  readonly isPerNamespace?: boolean;
  /**
   * Lets somebody in, for a request about a namespace.
   * @throws {WireError} with the code `unauthenticated`, or `permissionDenied` for one who is known and may nothing.
   */
  admit(credential: string, namespace?: string): Promise<Caller>;
}

const ACCOUNT = "system:serviceaccount:";

/** The service account that a subject names: `system:serviceaccount:NAMESPACE:NAME`. */
export function accountOf(subject: string): Pick<Claims, "serviceAccountName" | "serviceAccountNamespace"> {
  if (!subject.startsWith(ACCOUNT)) return {};
  const rest = subject.slice(ACCOUNT.length);
  const at = rest.indexOf(":");
  if (at < 1) return {};
  return { serviceAccountNamespace: rest.slice(0, at), serviceAccountName: rest.slice(at + 1) };
}

/** The claims of a token as it says them itself: only to be believed of a token that somebody has verified. */
export function payloadOf(credential: string): Readonly<Record<string, unknown>> {
  const [, payload] = /^Bearer [^.\s]+\.([\w-]+)\.[\w-]*$/.exec(credential) ?? [];
  if (payload === undefined) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    return fieldsOf(parseJson(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
