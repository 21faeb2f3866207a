/** Logging in: the way to the provider, the way back with a session, and logging out. */
import type { Log } from "@tiphys/base/log";
import type { AuthMode } from "../gate/caller.ts";
import { cookiesNamed, isFromOwnPage } from "../gate/cookies.ts";
import { type Attempt, ATTEMPT_SECONDS, Attempts, cookieOf } from "./attempt.ts";
import type { Provider } from "./provider.ts";
import { sealSession } from "./session.ts";
import type { SsoSettings } from "./settings.ts";

/** The mode, and its pages. */
export interface Sso {
  readonly mode: AuthMode;
  readonly login?: Login | undefined;
  /** A secret of all servers that share the key of sessions: it proves who uploaded a file. */
  readonly uploadSecret?: Uint8Array | undefined;
}

/** The provider, key and settings that people log in with. */
export interface LoginOptions {
  readonly provider: Provider;
  readonly sessionKey: Uint8Array;
  readonly settings: Pick<SsoSettings, "redirectUrl" | "sessionMillis">;
  /** The path before the page: `/`, or `/argo/`. */
  readonly baseHref: string;
  readonly log: Log;
  readonly now: () => Date;
}

const PATH = "/oauth2/";
/** Browsers refuse cookies that are larger. */
const LARGEST_COOKIE = 4096;

/** Whether a path is one of those that log people in and out. */
export function isLoginPath(pathname: string): boolean {
  return pathname.startsWith(PATH);
}

/** The pages under `/oauth2/`. Nobody needs to be known to ask for them. */
export class Login {
  readonly #options: LoginOptions;
  readonly #attempts: Attempts;

  constructor(options: LoginOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options.sessionKey, options.now);
  }

  /** Answers a request for one of them, whose address is without the path before the page. It throws nothing secret. */
  async answer(request: Request, url: URL): Promise<Response> {
    if (request.method === "GET" && url.pathname === `${PATH}redirect`) return await this.#toProvider(url);
    if (request.method === "GET" && url.pathname === `${PATH}callback`) return await this.#back(request, url);
    if (request.method === "POST" && url.pathname === `${PATH}logout`) return this.#logOut(request, url);
    return new Response("not found\n", { status: 404 });
  }

  async #toProvider(url: URL): Promise<Response> {
    const attempt: Attempt = {
      state: randomText(),
      nonce: randomText(),
      verifier: randomText(),
      redirectUri: this.#callbackUrl(url),
      target: targetOf(url.searchParams.get("redirect"), this.#options.baseHref),
    };
    const cookie = this.#attemptCookie(url, attempt.state, await this.#attempts.seal(attempt), ATTEMPT_SECONDS);
    return found(String(await this.#options.provider.loginUrl(attempt)), [cookie]);
  }

  async #back(request: Request, url: URL): Promise<Response> {
    const { provider, settings, sessionKey, log, now } = this.#options;
    const state = url.searchParams.get("state") ?? "";
    const [cookie = ""] = cookiesNamed(cookieOf(state), request.headers.get("cookie") ?? "");
    const attempt = state && cookie ? await this.#attempts.take(cookie, state) : undefined;
    if (!attempt) return new Response("invalid state\n", { status: 400 });
    const over = this.#attemptCookie(url, state, "", 0);
    let session: string;
    const expires = new Date(now().getTime() + settings.sessionMillis);
    try {
      const person = await provider.personOf(attempt, url.searchParams);
      session = await sealSession(person, expires, sessionKey);
    } catch (error) {
      log.warn("A person could not be logged in", { error: reasonOf(error) });
      return new Response(null, { status: 401, headers: { "set-cookie": over } });
    }
    const authorization = this.#sessionCookie(url, session, expires);
    if (authorization.length > LARGEST_COOKIE) {
      log.error(
        "A session is larger than the cookies that browsers take: have fewer groups in it, with sso.filterGroupsRegex",
        { bytes: authorization.length, most: LARGEST_COOKIE },
      );
    }
    return found(attempt.target, [over, authorization]);
  }

  #logOut(request: Request, url: URL): Response {
    if (!isFromOwnPage(request)) return new Response("not from this server's page\n", { status: 403 });
    const headers = { "set-cookie": this.#sessionCookie(url, "", new Date(0)) };
    return new Response(null, { status: 204, headers });
  }

  /**
   * The address of the callback: that of the settings, else of this server as the browser called it; nothing that a client may
   * write of proxies counts.
   */
  #callbackUrl(url: URL): string {
    const { settings: { redirectUrl }, baseHref } = this.#options;
    return redirectUrl || `${url.protocol}//${url.host}${baseHref}oauth2/callback`;
  }

  /** The callback's address is one that the browser asks for: where TLS ends at a proxy, it says so. */
  #secure(url: URL): string {
    return new URL(this.#callbackUrl(url)).protocol === "https:" ? "; Secure" : "";
  }

  #attemptCookie(url: URL, state: string, value: string, seconds: number): string {
    const path = `${this.#options.baseHref}oauth2/`;
    return `${cookieOf(state)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly${this.#secure(url)}; SameSite=Lax`;
  }

  /** The page reads this one, so it is not HttpOnly. The blank in its value asks for quotes. */
  #sessionCookie(url: URL, value: string, expires: Date): string {
    const quoted = value && `"${value}"`;
    const path = this.#options.baseHref;
    return `authorization=${quoted}; Path=${path}; Expires=${expires.toUTCString()}${
      this.#secure(url)
    }; SameSite=Strict`;
  }
}

function found(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A way out of this server, as browsers read paths: two slashes of any kind with nothing, blanks or dots between them. */
const OUTWARD = /[/\\](?:[\s\v]*|\.{1,2})[/\\]/;
// deno-lint-ignore no-control-regex -- browsers leave these out of an address
const UNSEEN = /[\0-\x1f\x7f]/;

/** A longer one would not fit into the cookie of an attempt. */
const LONGEST_TARGET = 1500;

/** The page that a person is brought to, as a header can hold it: a path of this server, else its first page. */
export function targetOf(wanted: string | null, baseHref: string): string {
  const isOurs = wanted?.startsWith("/") && !wanted.startsWith("//") && !OUTWARD.test(wanted) && !UNSEEN.test(wanted);
  if (!isOurs || wanted!.length > LONGEST_TARGET) return baseHref;
  const target = wanted!.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return target.length > LONGEST_TARGET ? baseHref : target;
}

/** The reason of a failure without what the provider wrote into it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, error: oauth, status } = error as { code?: unknown; error?: unknown; status?: unknown };
  const known = [code, oauth, status].filter((one) => typeof one === "string" || typeof one === "number").map(String);
  return [error.name, ...known.map((one) => one.replace(/[^\w .:-]/g, "").slice(0, 60))].join(" ");
}
