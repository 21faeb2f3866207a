/** Tests of the login with a provider that follows OpenID Connect strictly. */
import { assertEquals, assertRejects } from "@std/assert";
import { beginLogin, loginBench } from "./testing/login_bench.ts";
import { logInAtProvider, strictProvider } from "./testing/strict_provider.ts";

const BACK = "http://server.test/oauth2/callback";
const SCOPES = { scopes: ["profile", "email", "groups"], redirectUrl: BACK };

Deno.test("strict provider: a user who logs in and consents gets a session with the claims of the provider", async () => {
  await using provider = await strictProvider({
    jane: { email: "jane@example.com", email_verified: true, name: "Jane", groups: ["admins"] },
  }, BACK);
  await using bench = await loginBench(provider.url, { setting: SCOPES });
  const { location, cookie } = await beginLogin(bench);
  const back = await logInAtProvider(location, "jane");
  assertEquals(back.origin + back.pathname, BACK);
  const response = await bench.ask("GET", back.pathname + back.search, { headers: { cookie } });
  assertEquals([response.status, response.headers.get("location")], [302, "/workflows"]);
  const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith("authorization="))!;
  const who = await bench.ask("GET", "/api/v1/userinfo", { headers: { cookie: session.split(";")[0]! } });
  assertEquals(await who.json(), {
    issuer: "argo-server",
    subject: "jane",
    groups: ["admins"],
    name: "Jane",
    email: "jane@example.com",
    emailVerified: true,
  });
  const again = await bench.ask("GET", back.pathname + back.search, { headers: { cookie } });
  assertEquals([again.status, again.headers.getSetCookie().some((cookie) => cookie.startsWith("authorization="))], [
    400,
    false,
  ]);
});

Deno.test("strict provider: a code of another browser is refused", async () => {
  await using provider = await strictProvider({ jane: {} }, BACK);
  await using bench = await loginBench(provider.url, { setting: SCOPES });
  const mine = await beginLogin(bench);
  const other = await beginLogin(bench);
  const back = await logInAtProvider(mine.location, "jane");
  const mixed = new URLSearchParams(back.searchParams);
  mixed.set("state", other.location.searchParams.get("state")!);
  const response = await bench.ask("GET", `${back.pathname}?${mixed}`, { headers: { cookie: other.cookie } });
  await response.body?.cancel();
  assertEquals(
    [response.status, response.headers.getSetCookie().some((cookie) => cookie.startsWith("authorization="))],
    [
      401,
      false,
    ],
  );
});

Deno.test("strict provider: another issuer fails the startup, unless it is the configured alias", async () => {
  await using provider = await strictProvider({ jane: {} }, BACK);
  const elsewhere = provider.url.replace("127.0.0.1", "localhost");
  await assertRejects(() => loginBench(elsewhere, { setting: SCOPES }), Error, "issuer");
  await using bench = await loginBench(elsewhere, { setting: { ...SCOPES, issuerAlias: provider.url } });
  const { location, cookie } = await beginLogin(bench);
  const back = await logInAtProvider(location, "jane");
  const response = await bench.ask("GET", back.pathname + back.search, { headers: { cookie } });
  await response.body?.cancel();
  assertEquals(response.status, 302);
});
