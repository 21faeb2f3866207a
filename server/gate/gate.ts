/** The gate: every request passes it before anything is looked up. It says who calls, and whether they may. */
import { fieldsOf } from "../../lib/fields_of.ts";
import type { KubeClient } from "../../lib/kube/mod.ts";
import { keepNewest } from "../../lib/kept.ts";
import { CODE, WireError } from "../wire/errors.ts";
import type { AuthMode, Caller } from "./caller.ts";
import { cookiesNamed, isFromOwnPage } from "./cookies.ts";
import { notValid } from "./identify.ts";
import { keyOf } from "./modes.ts";
import { refusalText, type Right } from "./rights.ts";

/** The authentication modes and the clock that the gate works with. */
export interface GateOptions {
  readonly modes: readonly AuthMode[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A caller is asked for again after this time, so that a token that was revoked ends. */
const CALLER_MILLIS = 60_000;
/** An answer about a right is good for this time. */
const RIGHT_MILLIS = 30_000;
const MOST_CALLERS = 10_000;
const MOST_RIGHTS = 100_000;
const LONGEST_CREDENTIAL = 16 << 10;

interface Remembered<V> {
  readonly until: number;
  readonly value: Promise<V>;
}

/** Lets callers in, and asks the API server what they may do. Answers are remembered for a short time, refusals too. */
export class Gate {
  readonly #options: GateOptions;
  readonly #callers = new Map<string, Remembered<Caller>>();
  readonly #rights = new Map<string, Remembered<boolean>>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * The caller of a request, which may be about a namespace: by its `authorization` header, else by a cookie of that name,
   * else nobody.
   * @throws {WireError} with the code `unauthenticated`; `permissionDenied` for a write by a cookie from another site.
   */
  async callerOf(request: Request, namespace = ""): Promise<Caller> {
    const header = request.headers.get("authorization");
    // Argo's CLI sends an empty one where it has no token.
    if (header) return await this.#admit(header, namespace);
    const cookies = cookiesNamed("authorization", request.headers.get("cookie") ?? "");
    const cookie = cookies.find((one) => this.#options.modes.some((mode) => mode.takes(one)));
    if (cookie === undefined) {
      if (cookies.length > 0) throw notValid();
      return await this.#admit(undefined, namespace);
    }
    if (!isFromOwnPage(request)) {
      throw new WireError(CODE.permissionDenied, "a change by a cookie must come from the server's own page");
    }
    return await this.#admit(cookie, namespace);
  }

  /**
   * The caller, before the namespace of the request is known. Undefined for a caller who may log in to single namespaces only,
   * and who is refused later if the namespace is another one.
   * @throws {WireError} with the code `unauthenticated`.
   */
  async mustBeKnown(request: Request): Promise<Caller | undefined> {
    try {
      return await this.callerOf(request);
    } catch (error) {
      if (!(error instanceof WireError) || error.code !== CODE.permissionDenied) throw error;
      return undefined;
    }
  }

  /**
   * Returns when the caller has all of these rights.
   * @throws {WireError} with the code `permissionDenied`, naming the first that is missing.
   */
  async check(caller: Caller, rights: readonly Right[]): Promise<void> {
    const answers = await Promise.all(rights.map((right) => this.may(caller, right)));
    const missing = rights[answers.indexOf(false)];
    if (missing) throw new WireError(CODE.permissionDenied, refusalText(caller.claims.subject, missing));
  }

  /** Whether the caller has a right. */
  async may(caller: Caller, right: Right): Promise<boolean> {
    const key = `${caller.key} ${JSON.stringify(right)}`;
    return await this.#remembered(this.#rights, key, RIGHT_MILLIS, MOST_RIGHTS, () => ask(caller.client, right));
  }

  async #admit(credential: string | undefined, namespace: string): Promise<Caller> {
    const mode = this.#options.modes.find((one) => one.takes(credential));
    if (!mode) throw notValid();
    // The mode `server` knows one caller, whatever credentials the request has.
    const own = mode.name === "server" ? undefined : credential;
    if (own !== undefined && own.length > LONGEST_CREDENTIAL) throw notValid();
    const key = own === undefined ? "" : await keyOf(own);
    const where = mode.isPerNamespace ? ` ${namespace}` : "";
    const caller = await this.#remembered(
      this.#callers,
      key + where,
      CALLER_MILLIS,
      MOST_CALLERS,
      () => mode.admit(own ?? "", namespace),
    );
    if (caller.until !== undefined && caller.until <= this.#options.now()) throw notValid();
    return caller;
  }

  /**
   * The value under a key, remembered or asked for now; one that could not be had is asked for again at the next call.
   */
  async #remembered<V>(
    known: Map<string, Remembered<V>>,
    key: string,
    millis: number,
    most: number,
    make: () => Promise<V>,
  ): Promise<V> {
    const now = this.#options.now();
    const found = known.get(key);
    if (found && found.until > now) return await found.value;
    const entry = { until: now + millis, value: make() };
    keepNewest(known, key, entry, most);
    try {
      return await entry.value;
    } catch (error) {
      if (known.get(key) === entry) known.delete(key);
      throw error;
    }
  }
}

async function ask(client: KubeClient, right: Right): Promise<boolean> {
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
