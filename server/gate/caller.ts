/** The caller of a request: identity, and a client with the caller's credentials. */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeClient } from "@tiphys/kube";

/** The identity of a caller, from the authentication mode. */
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

/** An authenticated caller. */
export interface Caller {
  /** Unique for each set of credentials, and not usable as credentials. */
  readonly key: string;
  readonly claims: Claims;
  /** A client with the caller's credentials. */
  readonly client: KubeClient;
  /** The time at which these credentials expire, in milliseconds since the epoch, if known. */
  readonly until?: number;
  /** The address of the client, if anonymous. */
  readonly address?: string;
}

/**
 * Returns the key under which the tasks of a caller wait for each other: the identity, whatever the credentials.
 * Anonymous callers have the identity of the server, so their tasks wait by address.
 */
export function queueKeyOf({ key, claims: { subject }, address = "" }: Caller): string {
  return key === SERVER_KEY ? `address ${address}` : `caller ${subject || key}`;
}

/** The key of anonymous callers, who act with the permissions of the server. */
export const SERVER_KEY = "server";

/** An authentication mode. */
export interface AuthMode {
  readonly name: "client" | "server" | "sso";
  /** Whether this mode handles a credential; `undefined` means a request without credentials. */
  accepts(credential: string | undefined): boolean;
  /** Whether the same credentials may mean different callers in different namespaces. */
  readonly isPerNamespace?: boolean;
  /**
   * Authenticates a request, which may concern a namespace.
   * @throws {WireError} `unauthenticated`, or `permissionDenied` for a known user without any permissions.
   */
  admit(credential: string, namespace?: string): Promise<Caller>;
}

const ACCOUNT = "system:serviceaccount:";

/** Returns the service account in a subject of the form `system:serviceaccount:NAMESPACE:NAME`. */
export function accountOf(subject: string): Pick<Claims, "serviceAccountName" | "serviceAccountNamespace"> {
  if (!subject.startsWith(ACCOUNT)) return {};
  const rest = subject.slice(ACCOUNT.length);
  const index = rest.indexOf(":");
  if (index < 1) return {};
  return { serviceAccountNamespace: rest.slice(0, index), serviceAccountName: rest.slice(index + 1) };
}

/** Returns the unverified claims of a token. Trust them only if the token has been verified. */
export function payloadOf(credential: string): Readonly<Record<string, unknown>> {
  const [, payload] = /^Bearer [^.\s]+\.([\w-]+)\.[\w-]*$/.exec(credential) ?? [];
  if (payload === undefined) return {};
  try {
    const bytes = Uint8Array.from(
      atob(payload.replace(/-/g, "+").replace(/_/g, "/")),
      (character) => character.charCodeAt(0),
    );
    return fieldsOf(parseJson(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
