/**
 * A certified OpenID Connect provider (`oidc-provider`), for tests: it requires PKCE, shows login and consent pages,
 * and refuses requests that do not follow the standard.
 */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import { CLIENT_ID, CLIENT_SECRET } from "./login_bench.ts";

/** A user of the provider. */
export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A provider on this machine. */
export interface StrictProvider extends AsyncDisposable {
  readonly url: string;
}

/** Starts a provider with these users by subject. It redirects browsers to one URL only. */
export async function strictProvider(
  people: Readonly<Record<string, Person>>,
  redirectUri: string,
): Promise<StrictProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const listening = createServer();
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new TypeError("expected a port");
  const url = `http://127.0.0.1:${address.port}`;
  const provider = new Provider(url, {
    clients: [{
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    }],
    pkce: { required: () => true },
    // Argo's server reads claims from the ID token.
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "profile", "email", "groups"],
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["only a test"] },
    jwks: { keys: [{ ...await exportJWK(privateKey), alg: "RS256", use: "sig", kid: "one" }] },
    findAccount: (_context: unknown, sub: string) =>
      people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
  });
  listening.on("request", provider.callback());
  return {
    url,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections();
      await new Promise<void>((resolve) => listening.close(() => resolve()));
    },
  };
}

/**
 * A browser at the provider's pages: keeps cookies, follows redirects, logs in and consents until it leaves the
 * provider.
 */
export async function logInAtProvider(location: URL, subject: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: URL = location;
  let form: URLSearchParams | undefined;
  for (let steps = 0; steps < 20; steps++) {
    if (next.origin !== location.origin) return next;
    const response = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form ? { method: "POST", body: form } : {}),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    form = undefined;
    const sentTo = response.headers.get("location");
    if (sentTo) {
      next = new URL(sentTo, next);
      continue;
    }
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    const [, action] = /action="([^"]+)"/.exec(page) ?? [];
    if (!prompt || !action) throw new Error(`the provider returned ${response.status}: ${page.slice(0, 500)}`);
    next = new URL(action, next);
    form = new URLSearchParams({ prompt, ...(prompt === "login" ? { login: subject, password: "any" } : {}) });
  }
  throw new Error("the provider redirects the browser endlessly");
}
