/** Login: the redirect to the provider, the callback that starts a session, and logout. */
import type { Log } from "@tiphys/base/log";
import type { AuthMode } from "../gate/caller.ts";
import { cookiesNamed, isFromOwnPage } from "../gate/cookies.ts";
import { type Attempt, ATTEMPT_SECONDS, Attempts, cookieOf } from "./attempt.ts";
import type { Provider } from "./provider.ts";
import { sealSession } from "./session.ts";
import type { SsoSettings } from "./settings.ts";

/** The mode `sso` and its pages. */
export interface Sso {
  readonly mode: AuthMode;
  readonly login?: Login | undefined;
  /** A secret shared by all servers with the same session key. It signs the keys of uploads. */
  readonly uploadSecret?: Uint8Array | undefined;
}

/** The provider, key and settings of the login. */
export interface LoginOptions {
  readonly provider: Provider;
  readonly sessionKey: Uint8Array;
  readonly settings: Pick<SsoSettings, "redirectUrl" | "sessionMillis">;
  /** The base path of the page: `/`, or `/argo/`. */
  readonly baseHref: string;
  readonly log: Log;
  readonly now: () => Date;
}

const PATH = "/oauth2/";
/** The limit of browsers for the size of a cookie. */
const MAX_COOKIE_BYTES = 4096;

/** Reports whether a path belongs to the login pages. */
export function isLoginPath(pathname: string): boolean {
  return pathname.startsWith(PATH);
}

/** The pages under `/oauth2/`. They require no authentication. */
export class Login {
  readonly #options: LoginOptions;
  readonly #attempts: Attempts;

  constructor(options: LoginOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options.sessionKey, options.now);
  }

  /** Responds to a request for a login page; `url` has no base path. Errors contain no secrets. */
  async answer(request: Request, url: URL): Promise<Response> {
    if (request.method === "GET" && url.pathname === `${PATH}redirect`) return await this.#toProvider(url);
    if (request.method === "GET" && url.pathname === `${PATH}callback`) return await this.#callback(request, url);
    if (request.method === "POST" && url.pathname === `${PATH}logout`) return this.#logOut(request, url);
    return new Response("not found\n", { status: 404 });
  }

  async #toProvider(url: URL): Promise<Response> {
    const attempt: Attempt = {
      state: randomText(),
      nonce: randomText(),
      verifier: randomText(),
      redirectUri: this.#callbackUrl(url),
      target: localTarget(url.searchParams.get("redirect"), this.#options.baseHref),
    };
    const cookie = this.#attemptCookie(url, attempt.state, await this.#attempts.seal(attempt), ATTEMPT_SECONDS);
    return redirectTo(String(await this.#options.provider.loginUrl(attempt)), [cookie]);
  }

  async #callback(request: Request, url: URL): Promise<Response> {
    const { provider, settings, sessionKey, log, now } = this.#options;
    const state = url.searchParams.get("state") ?? "";
    const [cookie = ""] = cookiesNamed(cookieOf(state), request.headers.get("cookie") ?? "");
    const attempt = state && cookie ? await this.#attempts.redeem(cookie, state) : undefined;
    if (!attempt) return new Response("invalid state\n", { status: 400 });
    const expiredAttempt = this.#attemptCookie(url, state, "", 0);
    let session: string;
    const expires = new Date(now().getTime() + settings.sessionMillis);
    try {
      const user = await provider.userOf(attempt, url.searchParams);
      session = await sealSession(user, expires, sessionKey);
    } catch (error) {
      log.warn("The login of a user failed", { error: reasonOf(error) });
      return new Response(null, { status: 401, headers: { "set-cookie": expiredAttempt } });
    }
    const authorization = this.#sessionCookie(url, session, expires);
    if (authorization.length > MAX_COOKIE_BYTES) {
      log.error(
        "A session is larger than the maximum size of a cookie in browsers: reduce its groups with sso.filterGroupsRegex",
        { bytes: authorization.length, most: MAX_COOKIE_BYTES },
      );
    }
    return redirectTo(attempt.target, [expiredAttempt, authorization]);
  }

  #logOut(request: Request, url: URL): Response {
    if (!isFromOwnPage(request)) return new Response("not from this server's page\n", { status: 403 });
    const headers = { "set-cookie": this.#sessionCookie(url, "", new Date(0)) };
    return new Response(null, { status: 204, headers });
  }

  /**
   * The URL of the callback: that of the settings, otherwise the server's URL in the request. Headers of proxies are
   * ignored, because clients can forge them.
   */
  #callbackUrl(url: URL): string {
    const { settings: { redirectUrl }, baseHref } = this.#options;
    return redirectUrl || `${url.protocol}//${url.host}${baseHref}oauth2/callback`;
  }

  /** Whether cookies require TLS. The URL of the callback decides, because TLS may end at a proxy. */
  #secure(url: URL): string {
    return new URL(this.#callbackUrl(url)).protocol === "https:" ? "; Secure" : "";
  }

  #attemptCookie(url: URL, state: string, value: string, seconds: number): string {
    const path = `${this.#options.baseHref}oauth2/`;
    return `${cookieOf(state)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly${this.#secure(url)}; SameSite=Lax`;
  }

  /** The page reads this cookie, so it is not HttpOnly. Its value contains a space, so it is quoted. */
  #sessionCookie(url: URL, value: string, expires: Date): string {
    const quoted = value && `"${value}"`;
    const path = this.#options.baseHref;
    return `authorization=${quoted}; Path=${path}; Expires=${expires.toUTCString()}${
      this.#secure(url)
    }; SameSite=Strict`;
  }
}

function redirectTo(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A path that browsers may resolve to another host: two slashes with nothing, blanks or dots between them. */
const OUTWARD = /[/\\](?:[\s\v]*|\.{1,2})[/\\]/;
// deno-lint-ignore no-control-regex -- browsers remove these from a URL
const UNSEEN = /[\0-\x1f\x7f]/;

/** A longer path would not fit into the cookie of an attempt. */
const MAX_TARGET_LENGTH = 1500;

/** The page to return to after the login, encoded for a header: a path of this server, otherwise its first page. */
export function localTarget(requestedTarget: string | null, baseHref: string): string {
  const isOurs = requestedTarget?.startsWith("/") && !requestedTarget.startsWith("//") &&
    !OUTWARD.test(requestedTarget) && !UNSEEN.test(requestedTarget);
  if (!isOurs || requestedTarget!.length > MAX_TARGET_LENGTH) return baseHref;
  const target = requestedTarget!.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return target.length > MAX_TARGET_LENGTH ? baseHref : target;
}

/** The reason of a failure, without text from the provider. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, error: oauth, status } = error as { code?: unknown; error?: unknown; status?: unknown };
  const known = [code, oauth, status].filter((code) => typeof code === "string" || typeof code === "number").map(
    String,
  );
  return [error.name, ...known.map((text) => text.replace(/[^\w .:-]/g, "").slice(0, 60))].join(" ");
}
