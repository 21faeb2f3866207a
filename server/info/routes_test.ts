/** Tests of the information about the server and its caller. */
import { assert, assertEquals } from "@std/assert";
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import { silentLog } from "@tiphys/base/log";
import { recordedLog } from "../sso/testing/login_bench.ts";
import { openServer, requesterFor } from "../testing/answers.ts";
import { faultyBench } from "../testing/faulty_bench.ts";
import { serverBench } from "../testing/server_bench.ts";
import { ROUTES } from "../table.ts";
import { infoOf } from "./settings.ts";

Deno.test("info: omits empty settings and links with a script", async () => {
  const log = recordedLog();
  const settings = (links: string, env: Record<string, string> = {}) =>
    infoOf({ data: { config: `links: ${links}\nnavColor: red\n` } } as unknown as Parameters<typeof infoOf>[0], {
      allowedLinkProtocols: ["http", "https"],
      env: (name) => env[name],
      log,
      prices: { currency: "EUR", perHour: { cpu: 0.04 } },
    }).info;
  await using bare = await openServer({
    info: () => infoOf(undefined, { allowedLinkProtocols: [], env: () => undefined, log: silentLog }).info,
  });
  assertEquals((await bare.ask("GET", "/api/v1/info")).json, { extensions: EXTENSIONS });
  const links = '[{name: good, scope: workflow, url: "https://x"}, {name: bad, url: "javascript:alert(1)"}]';
  const env = { FEEDBACK_MODAL: "false", NEW_VERSION_MODAL: "true", FIRST_TIME_USER_MODAL: "" };
  await using server = await openServer({ info: () => settings(links, env) });
  assertEquals((await server.ask("GET", "/api/v1/info")).json, {
    links: [{ name: "good", scope: "workflow", url: "https://x" }],
    modals: { feedback: false, newVersion: true },
    navColor: "red",
    prices: { currency: "EUR", perHour: { cpu: 0.04 } },
    extensions: EXTENSIONS,
  });
  assert(log.lines.some((line) => line.includes("protocol that is not allowed")), log.lines.join("\n"));
});

Deno.test("info: each extension is a route or a query parameter", () => {
  // Archived logs have no separate URL.
  for (const extension of EXTENSIONS.filter((extension) => extension !== "archived-logs")) {
    const isThere = ROUTES.some(({ path, query }) => path.endsWith(`/${extension}`) || extension in query);
    assert(isThere, extension);
  }
});

Deno.test("info: reads workflowRestrictions of the controller, and logs an invalid one", () => {
  const log = recordedLog();
  const opened = new Set(["hostNetwork"]);
  const read = (data: Record<string, string>) =>
    infoOf({ metadata: {}, data }, { allowedLinkProtocols: [], env: () => undefined, log, opened }).restriction;
  assertEquals(read({}), undefined);
  assertEquals(read({ workflowRestrictions: "templateReferencing: ''" }), undefined);
  assertEquals(read({ workflowRestrictions: "templateReferencing: Strict" }), {
    templateReferencing: "Strict",
    opened,
  });
  const whole = { config: "workflowRestrictions: {templateReferencing: Secure}" };
  assertEquals(read(whole), { templateReferencing: "Secure", opened });
  assertEquals(log.lines, []);
  assertEquals(read({ workflowRestrictions: "templateReferencing: Strikt" }), undefined);
  assert(log.lines.some((line) => line.includes("workflowRestrictions")), log.lines.join("\n"));
});

Deno.test("info: successful responses have a version header, errors do not", async () => {
  await using bench = await serverBench(["client", "server"]);
  const version = async (path: string, token?: string) =>
    (await requesterFor(bench, "GET", path, token === undefined ? {} : { token })).headers.get(
      "grpc-metadata-argo-version",
    );
  assert((await version("/api/v1/version"))?.startsWith("v"));
  assertEquals(await version("/api/v1/version", "junk"), null);
  assertEquals(await version("/api/v1/workflows/tenant/nobody"), null);
  assertEquals(await version("/api/v1/nothing"), null);
});

/** An API server's response with the identity of the caller. */
function serverWithIdentity(username: string, groups: readonly string[] = []) {
  return (method: string, path: string) =>
    method === "POST" && path.includes("selfsubjectreviews")
      ? Response.json({ status: { userInfo: { username, groups } } }, { status: 201 })
      : undefined;
}

Deno.test("accountOf: everything after the namespace is the account's name, including colons", async () => {
  for (
    const [username, account] of [
      ["system:serviceaccount:argo:a:b", { serviceAccountName: "a:b", serviceAccountNamespace: "argo" }],
      ["system:serviceaccount:argo", {}],
      ["jane", {}],
    ] as const
  ) {
    await using bench = await faultyBench(serverWithIdentity(username), ["client"]);
    const { json } = await requesterFor(bench, "GET", "/api/v1/userinfo", { token: "any" });
    assertEquals(json, { subject: username, ...account });
  }
});

Deno.test("userinfo: in mode server, the identity is the server's, with system groups only", async () => {
  await using bench = await faultyBench(serverWithIdentity("ada", ["system:masters", "staff", "system:authenticated"]));
  const { json } = await requesterFor(bench, "GET", "/api/v1/userinfo");
  assertEquals([json.subject, json.groups], ["ada", ["system:masters"]]);
});

Deno.test("client mode: basic credentials are forwarded unchanged, and invalid ones are rejected", async () => {
  const seen: (string | null)[] = [];
  await using bench = await faultyBench(serverWithIdentity("ada"), ["client"], {});
  const basic = async (text: string) => {
    const answer = await requesterFor(bench, "GET", "/api/v1/userinfo", {
      headers: { authorization: `Basic ${btoa(text)}` },
    });
    seen.push(answer.json.message ?? answer.json.subject);
    return answer.status;
  };
  assertEquals([await basic("ada:secret"), await basic("ada")], [200, 401]);
  assertEquals(seen, ["ada", "error parsing basic authentication"]);
});

Deno.test("gate: a revoked token works for at most a minute", async () => {
  let isGone = false;
  const known = serverWithIdentity("ada");
  await using bench = await faultyBench((method, path) => {
    if (isGone && path.includes("selfsubjectreviews")) {
      return Response.json({ kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" }, {
        status: 401,
      });
    }
    return known(method, path);
  }, ["client"]);
  const status = async () => (await requesterFor(bench, "GET", "/api/v1/userinfo", { token: "any" })).status;
  assertEquals(await status(), 200);
  isGone = true;
  assertEquals(await status(), 200);
  bench.advanceClock(60_001);
  assertEquals(await status(), 401);
});
