/** The gate, which every request passes first: it authenticates the caller and checks permissions. */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeClient } from "@tiphys/kube";
import { keepNewest } from "@tiphys/base/text_cache";
import { CODE, WireError } from "../wire/errors.ts";
import type { AuthMode, Caller } from "./caller.ts";
import { cookiesNamed, isFromOwnPage } from "./cookies.ts";
import { invalidToken } from "./identify.ts";
import { keyOf } from "./modes.ts";
import { refusalText, type Right } from "./rights.ts";

/** The authentication modes and the clock of the gate. */
export interface GateOptions {
  readonly modes: readonly AuthMode[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The time for which an authenticated caller is cached, in milliseconds. It bounds the delay after which a revoked
 * token stops working.
 */
const CALLER_MILLIS = 60_000;
/** The time for which the result of a permission check is cached, in milliseconds. */
const RIGHT_MILLIS = 30_000;
const MAX_CALLERS = 10_000;
const MAX_RIGHTS = 100_000;
const MAX_CREDENTIAL_LENGTH = 16 << 10;

interface CacheEntry<V> {
  readonly until: number;
  readonly value: Promise<V>;
}

/**
 * Authenticates callers and checks their permissions with the API server. Results are cached briefly, including
 * refusals.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #callers = new Map<string, CacheEntry<Caller>>();
  readonly #rights = new Map<string, CacheEntry<boolean>>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Returns the caller of a request, which may concern a namespace. The credential is the `authorization` header,
   * otherwise the cookie with that name, otherwise empty.
   * @throws {WireError} `unauthenticated`; `permissionDenied` for a change with a cookie from another site.
   */
  async callerOf(request: Request, namespace = ""): Promise<Caller> {
    const header = request.headers.get("authorization");
    // Argo's CLI sends an empty header if it has no token.
    if (header) return await this.#admit(header, namespace);
    const cookies = cookiesNamed("authorization", request.headers.get("cookie") ?? "");
    const cookie = cookies.find((candidate) => this.#options.modes.some((mode) => mode.accepts(candidate)));
    if (cookie === undefined) {
      if (cookies.length > 0) throw invalidToken();
      return await this.#admit(undefined, namespace);
    }
    if (!isFromOwnPage(request)) {
      throw new WireError(CODE.permissionDenied, "a change with a cookie must come from the server's own page");
    }
    return await this.#admit(cookie, namespace);
  }

  /**
   * Authenticates the caller before the namespace of the request is known. Returns undefined for a caller who may only
   * log in to some namespaces, and who is refused later if the namespace is another one.
   * @throws {WireError} `unauthenticated`.
   */
  async requireAuthenticated(request: Request): Promise<Caller | undefined> {
    try {
      return await this.callerOf(request);
    } catch (error) {
      if (!(error instanceof WireError) || error.code !== CODE.permissionDenied) throw error;
      return undefined;
    }
  }

  /**
   * Checks that the caller has all of these permissions.
   * @throws {WireError} `permissionDenied`, naming the first one that is missing.
   */
  async check(caller: Caller, rights: readonly Right[]): Promise<void> {
    const answers = await Promise.all(rights.map((right) => this.isPermitted(caller, right)));
    const missing = rights[answers.indexOf(false)];
    if (missing) throw new WireError(CODE.permissionDenied, refusalText(caller.claims.subject, missing));
  }

  /** Reports whether the caller has a permission. */
  async isPermitted(caller: Caller, right: Right): Promise<boolean> {
    const key = `${caller.key} ${JSON.stringify(right)}`;
    return await this.#cached(this.#rights, key, RIGHT_MILLIS, MAX_RIGHTS, () => isAllowed(caller.client, right));
  }

  async #admit(credential: string | undefined, namespace: string): Promise<Caller> {
    const mode = this.#options.modes.find((candidate) => candidate.accepts(credential));
    if (!mode) throw invalidToken();
    // The mode `server` has a single caller, regardless of credentials.
    const own = mode.name === "server" ? undefined : credential;
    if (own !== undefined && own.length > MAX_CREDENTIAL_LENGTH) throw invalidToken();
    const key = own === undefined ? "" : await keyOf(own);
    const where = mode.isPerNamespace ? ` ${namespace}` : "";
    const caller = await this.#cached(
      this.#callers,
      key + where,
      CALLER_MILLIS,
      MAX_CALLERS,
      () => mode.admit(own ?? "", namespace),
    );
    if (caller.until !== undefined && caller.until <= this.#options.now()) throw invalidToken();
    return caller;
  }

  /** Returns a cached value, or computes and caches it. Failures are not cached. */
  async #cached<V>(
    cache: Map<string, CacheEntry<V>>,
    key: string,
    millis: number,
    max: number,
    make: () => Promise<V>,
  ): Promise<V> {
    const now = this.#options.now();
    const found = cache.get(key);
    if (found && found.until > now) return await found.value;
    const entry = { until: now + millis, value: make() };
    keepNewest(cache, key, entry, max);
    try {
      return await entry.value;
    } catch (error) {
      if (cache.get(key) === entry) cache.delete(key);
      throw error;
    }
  }
}

async function isAllowed(client: KubeClient, right: Right): Promise<boolean> {
  const review = await client.request(
    "POST",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    {
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: right },
      },
    },
  );
  return fieldsOf(fieldsOf(review).status).allowed === true;
}
