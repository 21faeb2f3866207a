/** The modes `client` and `server`: callers with Kubernetes credentials, and callers without credentials. */
import { KubeClient, type Transport } from "@tiphys/kube";
import { withAuthorization } from "@tiphys/kube/connections";
import { UserError } from "@tiphys/base/user_error";
import { type AuthMode, type Caller, SERVER_KEY } from "./caller.ts";
import { identify, invalidToken, NOT_VALID } from "./identify.ts";

/** The values of `--auth-mode`. `hybrid` means client and server. */
export const AUTH_MODES = ["client", "server", "sso", "hybrid"] as const;

/** An authentication mode. */
export type AuthModeName = AuthMode["name"];

/**
 * Parses the values of `--auth-mode`.
 * @throws {UserError} for an unknown mode, and for an empty list.
 */
export function readAuthModes(words: readonly string[]): ReadonlySet<AuthModeName> {
  const modes = new Set<AuthModeName>();
  for (const word of words) {
    if (word === "hybrid") modes.add("client").add("server");
    else if (word === "client" || word === "server" || word === "sso") modes.add(word);
    else throw new UserError(`invalid mode ${JSON.stringify(word)}: expected one of ${AUTH_MODES.join(", ")}`);
  }
  if (modes.size === 0) throw new UserError("must specify at least one auth mode");
  return modes;
}

/**
 * Callers with Kubernetes credentials. Kubernetes checks their permissions; the server's own credentials are never
 * used.
 */
export function clientMode(anonymous: Transport): AuthMode {
  return {
    name: "client",
    accepts: (credential) => credential !== undefined && /^(Bearer|Basic) \S/.test(credential),
    async admit(credential): Promise<Caller> {
      if (credential.startsWith("Basic ") && !isBasicCredential(credential.slice("Basic ".length))) {
        throw invalidToken("error parsing basic authentication");
      }
      const client = new KubeClient(withAuthorization(anonymous, credential), { userAgent: "tiphys-server" });
      return { key: await keyOf(credential), claims: await identify(client, credential), client };
    },
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

/** The modes that a server runs with, and whether it refuses anonymous callers although the mode `server` is set. */
export interface AdmittedModes {
  readonly modes: ReadonlySet<AuthModeName>;
  readonly refusesAnonymous: boolean;
}

/**
 * Removes the mode `server` unless only this machine reaches the server or `allowAnonymous` is set: everybody who
 * reaches it would act with its rights. A server without another mode accepts the tokens of its callers instead.
 */
export function admittedModes(
  modes: ReadonlySet<AuthModeName>,
  { address, allowAnonymous }: { readonly address: string; readonly allowAnonymous: boolean },
): AdmittedModes {
  if (!modes.has("server") || LOOPBACK.has(address) || allowAnonymous) return { modes, refusesAnonymous: false };
  const others = new Set(modes);
  others.delete("server");
  return { modes: others.size > 0 ? others : new Set(["client"]), refusesAnonymous: true };
}

/** Refuses callers without credentials with a message that names the flag which would admit them. */
export function anonymousRefusal(): AuthMode {
  return {
    name: "server",
    accepts: (credential) => credential === undefined,
    admit: () =>
      Promise.reject(
        invalidToken(`${NOT_VALID} (callers without a token are refused: the server runs without --allow-anonymous)`),
      ),
  };
}

/**
 * Callers who act with the server's own rights: those without credentials, and with `ignoresCredentials` also those
 * whose credentials no other mode accepts.
 */
export function serverMode(
  own: KubeClient,
  { ignoresCredentials }: { readonly ignoresCredentials: boolean },
): AuthMode {
  return {
    name: "server",
    accepts: (credential) => credential === undefined || ignoresCredentials,
    async admit(): Promise<Caller> {
      const { groups, ...claims } = await identify(own, "");
      return {
        key: SERVER_KEY,
        claims: { ...claims, groups: groups.filter((group) => group.startsWith("system:")) },
        client: own,
      };
    },
  };
}

function isBasicCredential(base64: string): boolean {
  try {
    return atob(base64.trim()).includes(":");
  } catch {
    return false;
  }
}

/** Returns a digest of credentials that identifies a caller and cannot be reversed. */
export async function keyOf(credential: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(credential));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
