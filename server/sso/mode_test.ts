/** Tests which account a user acts as: rules, precedence, namespaces and tokens. */
import { assert, assertEquals } from "@std/assert";
import { KubeClient, SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import type { Claims } from "../gate/caller.ts";
import { type ServerBench, serverBench } from "../testing/server_bench.ts";
import { ssoMode } from "./mode.ts";
import { sealSession } from "./session.ts";
import { sessionKeyOf } from "./session_key.ts";
import { ARGO_SESSION, HOME, NAMESPACE, recordedLog, ruledAccount, ruledBench } from "./testing/login_bench.ts";

const KEY = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, HOME);

async function sessionOf(person: Partial<Claims> = {}): Promise<string> {
  const whole = { subject: "jane", groups: ["admins"], email: "jane@example.com", ...person };
  return await sealSession(whole, new Date(Date.now() + 3_600_000), KEY);
}

/** Returns the status of a request of a user, and the account that they act as. */
async function requestAs(bench: ServerBench, person: Partial<Claims> = {}) {
  bench.advanceClock(61_000);
  const headers = { authorization: await sessionOf(person) };
  const response = await bench.ask("GET", "/api/v1/userinfo", { headers });
  const text = await response.text();
  return { status: response.status, text, account: JSON.parse(text).serviceAccountName };
}

/** Creates an account with a token that Kubernetes accepts. */
async function account(
  bench: ServerBench,
  name: string,
  rule: string,
  more: Record<string, string> = {},
  namespace = HOME,
) {
  const { token } = await bench.account([]);
  await ruledAccount(bench, name, { "rbac-rule": rule, ...more }, { namespace, token });
}

Deno.test("sso rules: the account with the highest precedence whose rule is true is chosen, and by name if equal", async () => {
  await using bench = await ruledBench();
  assertEquals((await requestAs(bench)).status, 403);
  assertEquals(JSON.parse((await requestAs(bench)).text), { code: 7, message: "not allowed" });
  await account(bench, "low", "true", { "rbac-rule-precedence": "-1" });
  assertEquals((await requestAs(bench)).account, "low");
  await account(bench, "zz", "true", { "rbac-rule-precedence": "x" });
  assertEquals((await requestAs(bench)).account, "zz");
  await account(bench, "mm", "true");
  assertEquals((await requestAs(bench)).account, "mm");
  await account(bench, "two", "'admins' in groups", { "rbac-rule-precedence": "2" });
  await account(bench, "one", "true", { "rbac-rule-precedence": "1" });
  assertEquals((await requestAs(bench)).account, "two");
  assertEquals((await requestAs(bench, { groups: ["others"] })).account, "one");
});

Deno.test("sso rules: variables contain the user's claims; unknown ones are nil, and groups is a list", async () => {
  const rules: Record<string, string> = {
    "email": "email == 'jane@example.com'",
    "sub": "sub == 'jane'",
    "iss": "iss == 'argo-server'",
    "name": "name == 'Jane'",
    "preferred": "preferred_username == 'jj'",
    "verified": "email_verified == true",
    "groups": "any(groups, {# startsWith 'adm'})",
  };
  const person = { name: "Jane", preferredUsername: "jj", emailVerified: true };
  for (const [name, rule] of Object.entries(rules)) {
    await using bench = await ruledBench();
    await account(bench, name, rule);
    await account(
      bench,
      "none",
      "name == nil && email_verified == nil && preferred_username == nil && len(groups) == 0",
      {
        "rbac-rule-precedence": "-5",
      },
    );
    assertEquals((await requestAs(bench, person)).account, name, rule);
    const unknown = { email: undefined, groups: [], subject: "x" };
    assertEquals((await requestAs(bench, unknown)).account, name === "iss" ? name : "none", rule);
  }
});

Deno.test("sso rules: a rule that fails or exceeds its time limit is skipped, and logged once per minute", async () => {
  const log = recordedLog();
  await using bench = await ruledBench({ log });
  const precedence = (value: number) => ({ "rbac-rule-precedence": String(value) });
  await account(bench, "syntax", "'admins' in (", precedence(5));
  await account(bench, "unknown", "nobody.knows", precedence(4));
  await account(bench, "number", "1 + 1", precedence(3));
  await account(bench, "endless", "sum(1..1000000, sum(1..1000000)) > 0", precedence(2));
  await account(bench, "good", "true");
  assertEquals((await requestAs(bench)).account, "good");
  const skipped = () => log.lines.filter((line) => line.includes("is skipped"));
  assertEquals(skipped().length, 4);
  const headers = { authorization: await sessionOf({ subject: "other" }) };
  assertEquals((await bench.ask("GET", "/api/v1/userinfo", { headers })).status, 200);
  assertEquals(skipped().length, 4);
});

Deno.test("sso delegation: the account in the requested namespace is chosen if its precedence is higher, or if the login has no account", async () => {
  const log = recordedLog();
  const whom = async (bench: ServerBench, namespace: string) => {
    bench.advanceClock(61_000);
    log.lines.length = 0;
    const headers = { authorization: await sessionOf() };
    const response = await bench.ask("GET", `/api/v1/workflows/${namespace}`, { headers });
    assertEquals(response.status, 403);
    const { message } = await response.json();
    return message === "not allowed" ? message : /"serviceAccount":"(\w+)"/.exec(log.lines.join())?.[1];
  };
  for (
    const [login, there, expected] of [
      ["1", "2", "there"],
      ["1", "1", "login"],
      ["2", "1", "login"],
      [undefined, "1", "there"],
    ] as const
  ) {
    await using bench = await ruledBench({ delegates: true, log });
    if (login) await account(bench, "login", "true", { "rbac-rule-precedence": login });
    await account(bench, "there", "true", { "rbac-rule-precedence": there }, NAMESPACE);
    assertEquals(await whom(bench, NAMESPACE), expected, `${login} ${there}`);
    assertEquals(await whom(bench, HOME), login ? "login" : "not allowed");
    assertEquals((await requestAs(bench)).status, login ? 200 : 403);
  }
  await using off = await ruledBench();
  await account(off, "there", "true", {}, NAMESPACE);
  assertEquals(await whom(off, NAMESPACE), "not allowed");
});

Deno.test("sso delegation: if the login has no account and the namespace's rule fails, the user is refused", async () => {
  await using bench = await ruledBench({ delegates: true });
  await account(bench, "there", "groups[5] == 'x'", {}, NAMESPACE);
  const headers = { authorization: await sessionOf() };
  for (const namespace of [NAMESPACE, "nowhere", "UPPER", "a b", "x".repeat(80)]) {
    const response = await bench.ask("GET", `/api/v1/workflows/${encodeURIComponent(namespace)}`, { headers });
    assertEquals([response.status, (await response.json()).message], [403, "not allowed"], namespace);
  }
  assertEquals((await bench.ask("GET", "/healthz")).status, 200);
});

Deno.test("sso tokens: are read from the account's first Secret, its annotated one, or the one with its name", async () => {
  const log = recordedLog();
  await using bench = await ruledBench({ log });
  const { token } = await bench.account([{ verb: "list", group: "argoproj.io", resource: "workflows" }]);
  await ruledAccount(bench, "jane", { "rbac-rule": "true" });
  assertEquals((await requestAs(bench)).text, '{"code":7,"message":"not allowed"}');
  assert(log.lines.some((line) => line.includes("token of a service account cannot be read")));
  const put = (name: string, value: string) =>
    bench.admin.create(SECRETS, HOME, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: HOME },
      data: { token: btoa(value) },
    });
  const patch = (change: unknown) => bench.admin.patch(SERVICE_ACCOUNTS, HOME, "jane", change);
  const works = async () => {
    bench.advanceClock(61_000);
    const headers = { authorization: await sessionOf() };
    const response = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  await put("jane.service-account-token", token);
  assertEquals(await works(), 200);
  await put("named", "bad");
  await patch({ metadata: { annotations: { "workflows.argoproj.io/service-account-token.name": "named" } } });
  assertEquals(await works(), 401);
  await put("first", token);
  await patch({ secrets: [{ name: "first" }, { name: "named" }] });
  assertEquals(await works(), 200);
  await bench.admin.patch(SECRETS, HOME, "first", { data: { token: btoa("rotated") } });
  assertEquals(await works(), 401);
});

Deno.test("sso: Kubernetes tokens are accepted only together with the mode client", async () => {
  for (const [modes, status] of [[["sso"], 401], [["sso", "server"], 401], [["sso", "client"], 200]] as const) {
    await using bench = await ruledBench({ modes });
    const { token } = await bench.account([]);
    assertEquals((await bench.ask("GET", "/api/v1/userinfo", { token })).status, status, modes.join());
    for (const authorization of ["Bearer v2:junk", "Bearer v2:", "bearer v2:x", `Bearer v2:${"A".repeat(20_000)}`]) {
      const response = await bench.ask("GET", "/api/v1/userinfo", { headers: { authorization } });
      assertEquals(response.status, 401, authorization.slice(0, 20));
    }
    const nobody = await bench.ask("GET", "/api/v1/userinfo");
    assertEquals(nobody.status, modes.includes("server" as never) ? 200 : 401);
  }
});

Deno.test("sso: logs the chosen account, and no token", async () => {
  const log = recordedLog();
  await using bench = await ruledBench({ log });
  const { token } = await bench.account([]);
  await ruledAccount(bench, "jane", { "rbac-rule": "true" }, { token });
  const session = await sessionOf();
  await bench.ask("GET", "/api/v1/userinfo", { headers: { authorization: session } });
  const text = log.lines.join("\n");
  assert(text.includes('"serviceAccount":"jane","loginServiceAccount":"jane","subject":"jane"'), text);
  for (const canary of [token, session, ARGO_SESSION.cookieEncryptionPrivateKey]) assert(!text.includes(canary));
});

Deno.test("sso delegation: the account of the login is used if the server may not list others", async () => {
  const log = recordedLog();
  await using bench = await serverBench(["sso"], {
    sso: ({ own, anonymous, now }) => {
      const fetch: typeof own.fetch = (path, init) =>
        path.includes(`/namespaces/${NAMESPACE}/serviceaccounts`)
          ? Promise.resolve(
            Response.json({ kind: "Status", code: 403, reason: "Forbidden", message: "no" }, { status: 403 }),
          )
          : own.fetch(path, init);
      const limited = new KubeClient({ ...own, fetch });
      const options = { hasRules: true, namespace: HOME, delegates: true, log, now };
      return Promise.resolve({ mode: ssoMode({ sessionKey: KEY, own: limited, anonymous, ...options }) });
    },
  });
  await account(bench, "login", "true");
  const headers = { authorization: await sessionOf() };
  const response = await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { headers });
  assertEquals(response.status, 403);
  assert((await response.json()).message.includes("cannot list"));
  assert(log.lines.some((line) => line.includes("may not list service accounts")));
});
