/** The gate before every route of the table: who is nobody, and who lacks one right, gets nowhere and learns nothing. */
import { assert, assertEquals } from "@std/assert";
import { SECRETS, WORKFLOW_TEMPLATES, WORKFLOWS } from "../../lib/kube/mod.ts";
import { ROUTES } from "../table.ts";
import type { Call, Route } from "../routes/route.ts";
import { sealSession } from "../sso/session.ts";
import { sessionKeyOf } from "../sso/session_key.ts";
import { ARGO_SESSION, HOME, ruledAccount, ruledBench } from "../sso/testing/login_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { readQuery } from "../wire/query.ts";
import type { Right } from "./rights.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

function objectOf(kind: string, name: string) {
  const spec = kind === "CronWorkflow" ? { schedules: ["* * * * *"], workflowSpec: SPEC } : SPEC;
  return { apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name }, spec };
}

/** A body that each route takes; `name` is what its object is called. */
function bodyOf({ id }: Route, name: string): Record<string, unknown> {
  if (id === "EventService_ReceiveEvent") return {};
  if (id.startsWith("EventSourceService_")) return { eventSource: { metadata: { name } } };
  if (id.startsWith("SensorService_")) return { sensor: { metadata: { name } } };
  if (id === "WorkflowService_SubmitWorkflow") return { resourceKind: "WorkflowTemplate", resourceName: name };
  if (id.startsWith("ArchivedWorkflowService_")) return { namespace: NAMESPACE, name };
  if (id.startsWith("WorkflowService_")) return { workflow: objectOf("Workflow", name) };
  if (id.startsWith("CronWorkflowService_")) return { cronWorkflow: objectOf("CronWorkflow", name) };
  if (id.startsWith("SyncService_")) return { type: "CONFIGMAP", cmName: name, key: name, limit: 1 };
  if (id.startsWith("ClusterWorkflowTemplateService_")) return { template: objectOf("ClusterWorkflowTemplate", name) };
  return { template: objectOf("WorkflowTemplate", name) };
}

function pathOf(route: Route, name: string): string {
  const params: Readonly<Record<string, string>> = { namespace: NAMESPACE, name, podName: "p", key: name, uid: name };
  const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "x");
  return `${path}?${queryOf(route, name)}`;
}

/** A query that says all of what rights may depend on. */
function queryOf({ id, path }: Route, name: string): string {
  if (path.includes("/log")) return "logOptions.follow=true&podLogOptions.follow=true";
  if (id.startsWith("ArchivedWorkflowService_")) {
    return `namespace=${NAMESPACE}&name=${name}&listOptions.labelSelector=a`;
  }
  return "";
}

function rightsOf(route: Route, name: string): readonly Right[] {
  const query = readQuery(new URLSearchParams(pathOf(route, name).split("?")[1]), route.query);
  const params = { namespace: NAMESPACE, name, podName: "p" };
  return route.rights({ params, query, body: bodyOf(route, name) } as unknown as Call);
}

/** Streams that were let in go on until they are left. */
async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}

/** A server whose namespace knows no senders of webhooks, so that who has no credentials is nobody there too. */
async function gateBench(options: Parameters<typeof ruledBench>[0] = {}): Promise<ServerBench> {
  const bench = await ruledBench(options);
  const name = "argo-workflows-webhook-clients";
  await bench.admin.create(SECRETS, NAMESPACE, { apiVersion: "v1", kind: "Secret", metadata: { name } });
  return bench;
}

const KEY = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, HOME);
const FAR = new Date(Date.now() + 1e12);

async function session(subject: string, { expires = FAR, key = KEY } = {}): Promise<string> {
  return await sealSession({ subject, groups: [] }, expires, key);
}

/** The modes that need credentials, alone and together, and how somebody with rights comes in through each. */
const ENTRANCES = [
  { modes: ["client"], enter: async (_bench: ServerBench, { token }: { token: string }) => await `Bearer ${token}` },
  { modes: ["sso"], enter: enterBySession },
  { modes: ["client", "sso"], enter: enterBySession },
] as const;

async function enterBySession(bench: ServerBench, { name, token }: { name: string; token: string }): Promise<string> {
  await ruledAccount(bench, name, { "rbac-rule": `sub == '${name}'` }, { token });
  return await session(name);
}

/** Credentials that nobody gave out for these modes. */
async function badCredentials(modes: readonly string[]): Promise<readonly string[]> {
  const bad = ["Bearer junk", "Bearer ", "Token x", "bearer x", "Bearer", `Bearer ${"x".repeat(20_000)}`];
  if (!modes.includes("sso")) return bad;
  const good = await session("a");
  return [
    ...bad,
    "Bearer v2:junk",
    good.replace("Bearer v2:", "Bearer "),
    good.slice(0, -1),
    await session("a", { expires: new Date(Date.now() - 120_000) }),
    await session("a", { key: new Uint8Array(32) }),
  ];
}

for (const { modes, enter } of ENTRANCES) {
  Deno.test(`no route is reached without credentials, or with such as nobody gave out, in ${modes.join(" and ")}`, async () => {
    await using bench = await gateBench({ modes });
    const bad = await badCredentials(modes);
    for (const route of ROUTES) {
      const body = route.maxBody > 0 ? bodyOf(route, "a") : undefined;
      for (const authorization of [undefined, ...bad]) {
        const headers = authorization === undefined ? undefined : { authorization };
        const response = await bench.ask(route.method, pathOf(route, "a"), { body, ...(headers && { headers }) });
        assertEquals(response.status, 401, `${route.id} with ${authorization?.slice(0, 20)}`);
        assert((await response.text()).includes("token not valid"), route.id);
      }
    }
  });

  Deno.test(`each route needs each of its rights, and who lacks one learns nothing of what is there, in ${modes.join(" and ")}`, async () => {
    await using bench = await gateBench({ modes });
    await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "there"));
    await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, objectOf("WorkflowTemplate", "there"));
    const caller = await bench.account([]);
    const headers = { authorization: await enter(bench, caller) };
    for (const route of ROUTES) {
      const needed = rightsOf(route, "there");
      for (const missing of needed) {
        await caller.grant(needed.filter((one) => one !== missing));
        const refusals: string[] = [];
        for (const name of ["there", "absent"]) {
          bench.pass(61_000);
          const body = route.maxBody > 0 ? bodyOf(route, name) : undefined;
          const response = await bench.ask(route.method, pathOf(route, name), { headers, body });
          const text = await response.text();
          assertEquals(response.status, 403, `${route.id} without ${missing.verb} ${missing.resource}: ${text}`);
          refusals.push(text.replaceAll(`\\"${name}\\"`, "NAME"));
        }
        assertEquals(refusals[0], refusals[1], route.id);
      }
    }
  });

  Deno.test(`who has the rights of a route is let in, in ${modes.join(" and ")}`, async () => {
    await using bench = await gateBench({ modes });
    const caller = await bench.account([]);
    const headers = { authorization: await enter(bench, caller) };
    for (const route of ROUTES) {
      await caller.grant(rightsOf(route, "absent"));
      bench.pass(61_000);
      const body = route.maxBody > 0 ? bodyOf(route, "absent") : undefined;
      const left = new AbortController();
      const status = await statusOf(
        await bench.ask(route.method, pathOf(route, "absent"), { headers, body, signal: left.signal }),
      );
      left.abort();
      assert(status !== 401 && status !== 403 && status !== 500, `${route.id}: ${status}`);
    }
  });
}

Deno.test("who is logged in and is nobody's account reaches no route", async () => {
  await using bench = await gateBench();
  const headers = { authorization: await session("nobody") };
  for (const route of ROUTES) {
    const body = route.maxBody > 0 ? bodyOf(route, "a") : undefined;
    const response = await bench.ask(route.method, pathOf(route, "a"), { headers, body });
    assertEquals(response.status, 403, route.id);
    assert((await response.text()).includes("not allowed"), route.id);
  }
});

Deno.test("a right of one object is not that of another, nor of all", async () => {
  await using bench = await serverBench();
  for (const name of ["a", "b"]) await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", name));
  const caller = await bench.account([]);
  await bench.admin.patch(
    {
      group: "rbac.authorization.k8s.io",
      version: "v1",
      plural: "clusterroles",
      kind: "ClusterRole",
      namespaced: false,
    },
    undefined,
    caller.name,
    { rules: [{ verbs: ["get"], apiGroups: ["argoproj.io"], resources: ["workflows"], resourceNames: ["a"] }] },
  );
  const { token } = caller;
  const status = async (path: string) => await statusOf(await bench.ask("GET", path, { token }));
  assertEquals(await status(`/api/v1/workflows/${NAMESPACE}/a`), 200);
  assertEquals(await status(`/api/v1/workflows/${NAMESPACE}/b`), 403);
  assertEquals(await status(`/api/v1/workflows/${NAMESPACE}`), 403);
});

Deno.test("a right that was taken away ends after half a minute, a caller who is gone after one", async () => {
  await using bench = await serverBench();
  const list = { verb: "list", group: "argoproj.io", resource: "workflows" };
  const caller = await bench.account([list]);
  const ask = async () =>
    await statusOf(await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { token: caller.token }));
  assertEquals(await ask(), 200);
  await caller.grant([]);
  assertEquals(await ask(), 200);
  bench.pass(30_001);
  assertEquals(await ask(), 403);
});

Deno.test("without credentials the server's own rights count in the mode server only, and bad ones never fall back to them", async () => {
  await using bench = await serverBench(["client", "server"]);
  const path = `/api/v1/workflows/${NAMESPACE}`;
  assertEquals(await statusOf(await bench.ask("GET", path)), 200);
  assertEquals(await statusOf(await bench.ask("GET", path, { token: "junk" })), 401);
  assertEquals(await statusOf(await bench.ask("GET", path, { headers: { authorization: "junk" } })), 401);
});

Deno.test("a cookie lets in whose form a mode takes, and changes only from the server's own page", async () => {
  await using bench = await serverBench();
  const rights = ["list", "create"].map((verb) => ({ verb, group: "argoproj.io", resource: "workflows" }));
  const { token } = await bench.account(rights);
  const cookie = `other=1; authorization=junk; authorization=Bearer ${token}`;
  const path = `/api/v1/workflows/${NAMESPACE}`;
  assertEquals(await statusOf(await bench.ask("GET", path, { headers: { cookie } })), 200);
  assertEquals(await statusOf(await bench.ask("GET", path, { headers: { cookie, authorization: "Bearer bad" } })), 401);
  const body = { workflow: objectOf("Workflow", "w") };
  const site = (value: string) => ({ cookie, "sec-fetch-site": value });
  assertEquals(await statusOf(await bench.ask("POST", path, { body, headers: site("cross-site") })), 403);
  assertEquals(await statusOf(await bench.ask("POST", path, { body, headers: site("same-origin") })), 200);
});
