/** Tests of the login with a real provider: responses to the browser, and invalid responses of the provider. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ownCertificate } from "@tiphys/base/x509";
import { SECRETS } from "@tiphys/kube";
import { localTarget } from "./login.ts";
import { openSession } from "./session.ts";
import { loadSessionKey, sessionKeyOf } from "./session_key.ts";
import {
  beginLogin,
  callbackPathOf,
  CLIENT_ID,
  CLIENT_SECRET,
  HOME,
  logIn,
  loginBench,
  makeSigningKey,
  NAMESPACE,
  type ProviderBench,
  providerBench,
  recordedLog,
} from "./testing/login_bench.ts";

/** Changes the tokens that the provider signs. */
function tokens(
  provider: ProviderBench,
  change: (payload: Record<string, unknown>, header: Record<string, unknown>) => void,
) {
  provider.server.service.on("beforeTokenSigning", ({ payload, header }) => change(payload, header));
}

/** Replaces the header of a token, which invalidates its signature. */
function unsigned(token: string, header: unknown): string {
  const [, payload] = token.split(".");
  return `${btoa(JSON.stringify(header)).replaceAll("=", "")}.${payload}.`;
}

Deno.test("login: sets a session cookie like Argo's, with the user of the provider", async () => {
  await using provider = await providerBench();
  tokens(provider, (payload) =>
    Object.assign(payload, {
      sub: "jane",
      email: "jane@example.com",
      email_verified: true,
      name: "Jane",
      groups: ["admins", "all"],
    }));
  await using bench = await loginBench(provider.url, { baseHref: "/argo/" });
  const { location, cookie, setCookie } = await beginLogin(bench, "/argo/workflows?x=1");
  const asked = location.searchParams;
  assertEquals([asked.get("client_id"), asked.get("response_type"), asked.get("scope")], [CLIENT_ID, "code", "openid"]);
  assertEquals(asked.get("redirect_uri"), "http://server.test/argo/oauth2/callback");
  assertEquals([asked.get("code_challenge_method"), asked.get("nonce")?.length], ["S256", 43]);
  assertMatch(
    setCookie,
    /^tiphys-login-[\w-]{10}=[\w.-]+; Path=\/argo\/oauth2\/; Max-Age=180; HttpOnly; SameSite=Lax$/,
  );
  const callback = (await callbackPathOf(location)).replace("/argo/", "/");
  const response = await bench.ask("GET", callback, { headers: { cookie } });
  assertEquals([response.status, response.headers.get("location")], [302, "/argo/workflows?x=1"]);
  const [over = "", session = ""] = response.headers.getSetCookie();
  assertMatch(over, /^tiphys-login-[\w-]{10}=; Path=\/argo\/oauth2\/; Max-Age=0;/);
  assertMatch(session, /^authorization="Bearer v2:[\w.-]+"; Path=\/argo\/; Expires=[^;]+ GMT; SameSite=Strict$/);
  const expires = Date.parse(/Expires=([^;]+)/.exec(session)?.[1] ?? "") - Date.now();
  assert(Math.abs(expires - 36_000_000) < 60_000, String(expires));
  const who = await bench.ask("GET", "/api/v1/userinfo", { headers: { cookie: session.split(";")[0]! } });
  assertEquals(await who.json(), {
    issuer: "argo-server",
    subject: "jane",
    groups: ["admins", "all"],
    name: "Jane",
    email: "jane@example.com",
    emailVerified: true,
  });
});

Deno.test("login: without rules, a session has the server's rights until it expires", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url, { setting: { sessionExpiry: "1s" } });
  const authorization = await logIn(bench);
  const status = async () => {
    const response = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { headers: { authorization } });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status(), 200);
  bench.advanceClock(59_000);
  assertEquals(await status(), 200);
  bench.advanceClock(4_000);
  assertEquals(await status(), 401);
});

Deno.test("login: a callback is valid once, in the browser that started the login, within three minutes", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const first = await beginLogin(bench);
  const second = await beginLogin(bench);
  const callback = await callbackPathOf(first.location);
  const status = async (path: string, cookie: string) => {
    const response = await bench.ask("GET", path, { headers: { cookie } });
    assertEquals(
      response.headers.getSetCookie().some((cookie) => cookie.startsWith("authorization=")),
      response.status === 302,
    );
    return response.status;
  };
  const [name = "", value = ""] = first.cookie.split("=");
  const [otherName = "", otherValue = ""] = second.cookie.split("=");
  for (
    const cookie of [
      "",
      "authorization=x; session=y",
      `${name}=`,
      `${name}=junk`,
      `${name}=${otherValue}`,
      `${otherName}=${value}`,
      `${name}=${value.slice(0, -3)}AAA`,
    ]
  ) assertEquals(await status(callback, cookie), 400, cookie);
  assertEquals(await status(callback.replace(/state=[^&]*/, "state=session"), "session=x"), 400);
  assertEquals(await status(callback.replace(/state=[^&]*/, "state="), first.cookie), 400);
  assertEquals(await status(callback, `${second.cookie}; ${first.cookie}`), 302);
  assertEquals(await status(callback, first.cookie), 400);
  const late = await callbackPathOf(second.location);
  bench.advanceClock(181_000);
  assertEquals(await status(late, second.cookie), 400);
});

Deno.test("login: invalid tokens are refused without details", async () => {
  type Change = (provider: ProviderBench) => void;
  const changes: Record<string, Change> = {
    "another issuer": (provider) => tokens(provider, (payload) => payload.iss = "https://else.where"),
    "another audience": (provider) => tokens(provider, (payload) => payload.aud = "somebody"),
    "another nonce": (provider) => tokens(provider, (payload) => payload.nonce = "x"),
    "no subject": (provider) => tokens(provider, (payload) => delete payload.sub),
    "expired": (provider) => tokens(provider, (payload) => payload.exp = 1_000_000),
    "alg none": (provider) => {
      provider.server.service.on("beforeResponse", ({ body }) => {
        body.id_token = unsigned(body.id_token, { alg: "none" });
      });
    },
    "alg HS256": (provider) => {
      provider.server.service.on("beforeResponse", ({ body }) => {
        body.id_token = `${unsigned(body.id_token, { alg: "HS256" })}AAAA`;
      });
    },
    "a signature of another": (provider) => {
      provider.server.service.on("beforeResponse", ({ body }) => {
        body.id_token = body.id_token.slice(0, -40) + "A".repeat(40);
      });
    },
    "no id_token": (provider) => {
      provider.server.service.on("beforeResponse", ({ body }) => delete body.id_token);
    },
    "a refusal": (provider) => {
      provider.server.service.on("beforeResponse", (response) => {
        response.statusCode = 400;
        response.body = { error: "invalid_grant", error_description: `canary ${CLIENT_SECRET}` };
      });
    },
  };
  for (const [title, change] of Object.entries(changes)) {
    await using provider = await providerBench();
    change(provider);
    const log = recordedLog();
    await using bench = await loginBench(provider.url, { log });
    const { location, cookie } = await beginLogin(bench);
    const callback = await callbackPathOf(location);
    const response = await bench.ask("GET", callback, { headers: { cookie } });
    assertEquals([response.status, await response.text()], [401, ""], title);
    assertEquals(response.headers.getSetCookie().filter((cookie) => !cookie.startsWith("tiphys-login")), [], title);
    const code = new URLSearchParams(callback.split("?")[1]).get("code") ?? "none";
    const text = log.lines.join("\n");
    assert(text.includes("The login of a user failed"), title);
    for (const canary of [CLIENT_SECRET, code, cookie.split("=")[1] ?? ""]) {
      assert(!text.includes(canary), `${title}: ${text}`);
    }
  }
});

Deno.test("login: hostile values of a callback start no session and are not repeated", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const script = encodeURIComponent("<script>alert(1)</script>");
  type Change = (callback: string) => string;
  const changes: Record<string, Change> = {
    "an error of the provider": (path) => path.replace(/code=[^&]*/, `error=${script}&error_description=${script}`),
    "a code together with an error": (path) => `${path}&error=access_denied`,
    "an empty code": (path) => path.replace(/code=[^&]*/, "code="),
    "no code": (path) => path.replace(/code=[^&]*&?/, ""),
    "a code with line breaks": (path) => path.replace(/code=[^&]*/, "code=a%0D%0ASet-Cookie:%20x=y"),
    "a code with NUL": (path) => path.replace(/code=[^&]*/, "code=%00"),
    "a code of 60,000 characters": (path) => path.replace(/code=[^&]*/, `code=${"a".repeat(60_000)}`),
    "a code of a script": (path) => path.replace(/code=[^&]*/, `code=${script}`),
    "two codes": (path) => `${path}&code=other`,
    "another issuer": (path) => `${path}&iss=${encodeURIComponent("http://169.254.169.254/")}`,
    "a state of a script": (path) => path.replace(/state=[^&]*/, `state=${script}`),
    "a state of a prototype": (path) => path.replace(/state=[^&]*/, "state=__proto__"),
    "a state of 60,000 characters": (path) => path.replace(/state=[^&]*/, `state=${"a".repeat(60_000)}`),
    "a percent sign that encodes nothing": (path) => path.replace(/state=[^&]*/, "state=%E0%A4%A"),
  };
  for (const [title, change] of Object.entries(changes)) {
    const { location, cookie } = await beginLogin(bench);
    const path = change(await callbackPathOf(location));
    const response = await bench.ask("GET", path, { headers: { cookie } });
    const text = await response.text();
    assert([400, 401].includes(response.status), `${title}: ${response.status}`);
    assert(["", "invalid state\n"].includes(text), `${title}: ${text}`);
    assertEquals(response.headers.getSetCookie().filter((cookie) => !cookie.startsWith("tiphys-login")), [], title);
    assert(!/script|169\.254/.test([...response.headers].join()), title);
  }
});

Deno.test("login: a code with another verifier is refused", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const { location, cookie } = await beginLogin(bench);
  location.searchParams.set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  const response = await bench.ask("GET", await callbackPathOf(location), { headers: { cookie } });
  assertEquals(response.status, 401);
});

Deno.test("login: groups come from the configured claim or user info endpoint, and are filtered", async () => {
  async function groupsWith(setting: Record<string, unknown>, change: (provider: ProviderBench) => void = () => {}) {
    await using provider = await providerBench();
    tokens(provider, (payload) => Object.assign(payload, { groups: ["a:x", "b:y"], roles: ["r1"], role: "r2" }));
    change(provider);
    const log = recordedLog();
    await using bench = await loginBench(provider.url, { setting, log });
    const session = await logIn(bench);
    const key = await loadSessionKey(bench.admin, HOME);
    return {
      groups: (await openSession(session, key, new Date()))?.claims.groups ?? session,
      log: log.lines.join("\n"),
    };
  }
  assertEquals((await groupsWith({})).groups, ["a:x", "b:y"]);
  assertEquals((await groupsWith({ customGroupClaimName: "roles" })).groups, ["r1"]);
  const text = await groupsWith({ customGroupClaimName: "role" });
  assertEquals([text.groups, text.log.includes("is not a list of strings")], [[], true]);
  assertEquals((await groupsWith({ filterGroupsRegex: ["^a:", "^z"] })).groups, ["a:x"]);
  const long = await groupsWith({ filterGroupsRegex: ["x$"] }, (provider) => {
    tokens(provider, (payload) => payload.groups = ["x".repeat(3001), "x".repeat(3000)]);
  });
  assertEquals(long.groups, ["x".repeat(3000)]);
  assert(long.log.includes("Groups with long names are ignored"), long.log);
  const userInfo = (statusCode: number) => (provider: ProviderBench) => {
    provider.server.service.on("beforeUserinfo", (response) => {
      response.statusCode = statusCode;
      response.body = { groups: ["from-page"] };
    });
  };
  assertEquals((await groupsWith({ userInfoPath: "/userinfo" }, userInfo(200))).groups, ["from-page"]);
  assertEquals((await groupsWith({ userInfoPath: "/userinfo" }, userInfo(500))).groups, "no session: 401");
  const many = await groupsWith({}, (provider) => {
    const groups = Array.from({ length: 600 }, () => crypto.randomUUID());
    tokens(provider, (payload) => payload.groups = groups);
  });
  assert(many.log.includes("larger than the maximum size of a cookie"));
});

Deno.test("login: redirects only to pages of this server", () => {
  for (const there of ["/ok?x=1", "/argo/workflows/a/b", "/"]) assertEquals(localTarget(there, "/b/"), there);
  // Characters that headers cannot contain are encoded as in browsers; a target that is too long for the cookie is
  // dropped.
  assertEquals(localTarget("/w?a=%20 日本&b=ü", "/b/"), "/w?a=%20%20%E6%97%A5%E6%9C%AC&b=%C3%BC");
  assertEquals(localTarget(`/w?${"x".repeat(1497)}`, "/b/").length, 1500);
  for (const long of ["x".repeat(1498), "日".repeat(200)]) assertEquals(localTarget(`/w?${long}`, "/b/"), "/b/");
  for (
    const away of [
      null,
      "",
      "x",
      "https://e",
      "//e",
      "/\\e",
      "/ /e",
      "/./e",
      "/../e",
      "\\\\e",
      "/\t/e",
      "/%0a\n/e",
      "javascript:alert(1)",
    ]
  ) assertEquals(localTarget(away, "/b/"), "/b/", String(away));
});

Deno.test("login: the callback URL is that of the server, regardless of proxy headers", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const response = await bench.ask("GET", "/oauth2/redirect", {
    headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" },
  });
  const location = new URL(response.headers.get("location") ?? "");
  assertEquals(location.searchParams.get("redirect_uri"), "http://server.test/oauth2/callback");
  await using fixed = await loginBench(provider.url, {
    setting: { redirectUrl: "https://argo.example/oauth2/callback" },
  });
  assertEquals(
    (await beginLogin(fixed)).location.searchParams.get("redirect_uri"),
    "https://argo.example/oauth2/callback",
  );
});

Deno.test("login: cookies are Secure if the browser uses TLS, even if it ends at a proxy", async () => {
  await using provider = await providerBench();
  for (const scheme of ["http", "https"]) {
    await using bench = await loginBench(provider.url, {
      setting: { redirectUrl: `${scheme}://argo.example/oauth2/callback` },
    });
    const [attempt = ""] = (await bench.ask("GET", "/oauth2/redirect")).headers.getSetCookie();
    const { location, cookie } = await beginLogin(bench);
    const callback = new URL(await callbackPathOf(location), "http://server.test");
    const response = await bench.ask("GET", callback.pathname + callback.search, { headers: { cookie } });
    const [over = "", session = ""] = response.headers.getSetCookie();
    const out = await bench.ask("POST", "/oauth2/logout", { headers: { "sec-fetch-site": "same-origin" } });
    const [empty = ""] = out.headers.getSetCookie();
    assertEquals([response.status, out.status], [302, 204]);
    for (const cookie of [attempt, over, session, empty]) {
      assertEquals(cookie.includes("; Secure"), scheme === "https", cookie);
    }
  }
});

Deno.test("login: logout empties the cookie, only from the server's own page", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const out = async (site: string) =>
    await bench.ask("POST", "/oauth2/logout", { headers: { "sec-fetch-site": site } });
  assertEquals((await out("cross-site")).status, 403);
  const response = await out("same-origin");
  assertEquals(response.status, 204);
  assertMatch(response.headers.get("set-cookie") ?? "", /^authorization=; Path=\/; Expires=Thu, 01 Jan 1970/);
});

Deno.test("login: an invalid setting, Secret or provider fails the startup with the reason", async () => {
  await using provider = await providerBench();
  const fails = async (setting: Record<string, unknown>, part: string) => {
    const error = await assertRejects(() => loginBench(provider.url, { setting }), Error);
    assert(error.message.includes(part), `${error.message} does not contain ${part}`);
    assert(!error.message.includes(CLIENT_SECRET));
  };
  await fails({ issuer: "" }, "issuer empty");
  await fails({ clientId: null }, "clientID empty");
  await fails({ clientSecret: {} }, "clientSecret empty");
  await fails({ clientSecret: { name: "client", key: "nope" } }, "key nope missing in secret client");
  await fails({ clientId: { name: "nope", key: "id" } }, '"nope"');
  await fails({ scopes: "openid" }, "sso.scopes");
  await fails({ sessionExpiry: "10 hours" }, "sso.sessionExpiry");
  await fails({ filterGroupsRegex: ["ok", "("] }, "sso.filterGroupsRegex[1]");
  await fails({ issuer: `${provider.url}/nothing` }, "404");
  await fails({ issuer: "http://127.0.0.1:1" }, "http://127.0.0.1:1/.well-known");
  await fails({ issuerAlias: "https://other.example" }, 'expected "https://other.example"');
});

Deno.test("login: the provider may use the configured alias as issuer, in its metadata and tokens", async () => {
  await using provider = await providerBench();
  const alias = "https://login.example/realm";
  provider.server.service.on("beforeWellKnownOpenIdConfiguration", ({ body }) => body.issuer = alias);
  await assertRejects(() => loginBench(provider.url), Error, "its issuer is");
  await using bench = await loginBench(provider.url, { setting: { issuerAlias: alias } });
  assertEquals(await logIn(bench), "no session: 401");
  tokens(provider, (payload) => payload.iss = alias);
  assert((await logIn(bench)).startsWith("Bearer v2:"));
});

Deno.test("login: the provider's certificate must be trusted through rootCA, unless verification is disabled", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { cert, key } = ownCertificate("ArgoProj", new Date());
    await Deno.writeTextFile(`${folder}/key`, key);
    await Deno.writeTextFile(`${folder}/cert`, cert);
    await using provider = await providerBench(`${folder}/key`, `${folder}/cert`);
    const url = provider.url.replace("127.0.0.1", "localhost");
    provider.server.issuer.url = url;
    await assertRejects(() => loginBench(url), Error, "discovery of the provider failed");
    for (const setting of [{ rootCA: cert }, { insecureSkipVerify: true }]) {
      await using bench = await loginBench(url, { setting });
      assertEquals(new URL(await (await beginLogin(bench)).location).origin, url);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("session key: two servers that start at once use the same key, and an invalid Secret fails the startup", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  await bench.admin.delete(SECRETS, HOME, "sso");
  const [one, two] = await Promise.all([loadSessionKey(bench.admin, HOME), loadSessionKey(bench.admin, HOME)]);
  assertEquals(one, two);
  const { data } = await bench.admin.get<{ data: Record<string, string> }>(SECRETS, HOME, "sso");
  assertEquals(sessionKeyOf(data.cookieEncryptionPrivateKey ?? "", HOME), one);
  await bench.admin.patch(SECRETS, HOME, "sso", { data: { cookieEncryptionPrivateKey: btoa("garbage") } });
  await assertRejects(() => loadSessionKey(bench.admin, HOME), Error, 'Secret "sso"');
});

Deno.test("login: accepts a new signing key of the provider immediately", async () => {
  await using provider = await providerBench();
  await using bench = await loginBench(provider.url);
  const isSession = (text: string) => text.startsWith("Bearer v2:");
  assertEquals(isSession(await logIn(bench)), true);
  for (const kid of ["two", "three"]) await provider.server.issuer.keys.add({ ...await makeSigningKey(), kid });
  // The provider uses its keys in turn, two for each login.
  for (let login = 1; login <= 3; login++) assertEquals(isSession(await logIn(bench)), true, `login ${login}`);
});
