/**
 * The test matrix of the gate, generated from the table of routes: each route in each mode, without credentials, with
 * invalid ones, without each required permission, and with all of them. Runs against an embedded API server and a real
 * one.
 */
import { assert, assertEquals } from "@std/assert";
import { SECRETS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import type { Call, Route } from "../../routes/route.ts";
import { sealSession } from "../../sso/session.ts";
import { sessionKeyOf } from "../../sso/session_key.ts";
import { ARGO_SESSION, HOME, ruledAccount } from "../../sso/testing/login_bench.ts";
import { ROUTES } from "../../table.ts";
import { NAMESPACE, type ServerBench } from "../../testing/server_bench.ts";
import { readQuery } from "../../wire/query.ts";
import type { Right } from "../rights.ts";

/** A server under test, with its accounts. */
export type MatrixBench = Pick<ServerBench, "admin" | "ask" | "account" | "advanceClock">;

/** A way to authenticate. */
export type Entrance = typeof ENTRANCES[number];

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

/** Returns an object of a kind. */
export function objectOf(kind: string, name: string) {
  const spec = kind === "CronWorkflow" ? { schedules: ["* * * * *"], workflowSpec: SPEC } : SPEC;
  return { apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name }, spec };
}

/** Returns a valid body for a route; `name` is the name of its object. */
export function bodyOf({ id }: Route, name: string): Record<string, unknown> {
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

/** Returns the path and query of a request for a route; `name` is the name of its object. */
export function pathOf(route: Route, name: string): string {
  const params: Readonly<Record<string, string>> = { namespace: NAMESPACE, name, podName: "p", key: name, uid: name };
  const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "x");
  return `${path}?${queryOf(route, name)}`;
}

/** Returns a query with all parameters that permissions may depend on. */
function queryOf({ id, path }: Route, name: string): string {
  if (path.includes("/log")) return "logOptions.follow=true&podLogOptions.follow=true";
  if (id.startsWith("ArchivedWorkflowService_")) {
    return `namespace=${NAMESPACE}&name=${name}&listOptions.labelSelector=a`;
  }
  return "";
}

/** Returns the permissions that a route requires for that request. */
export function rightsOf(route: Route, name: string): readonly Right[] {
  const query = readQuery(new URLSearchParams(pathOf(route, name).split("?")[1]), route.query);
  const params = { namespace: NAMESPACE, name, podName: "p" };
  return route.rights({ params, query, body: bodyOf(route, name) } as unknown as Call);
}

/** Returns the status of a response and cancels its body, because a stream would continue. */
export async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}

const KEY = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, HOME);
const FAR = new Date(Date.now() + 1e12);

/** Returns the credential of a user's session. */
export async function session(subject: string, { expires = FAR, key = KEY } = {}): Promise<string> {
  return await sealSession({ subject, groups: [] }, expires, key);
}

/** The modes that require credentials, alone and combined, with the way to authenticate in each. */
export const ENTRANCES = [
  { modes: ["client"], enter: async (_bench: MatrixBench, { token }: { token: string }) => await `Bearer ${token}` },
  { modes: ["sso"], enter: enterBySession },
  { modes: ["client", "sso"], enter: enterBySession },
] as const;

async function enterBySession(bench: MatrixBench, { name, token }: { name: string; token: string }): Promise<string> {
  await ruledAccount(bench, name, { "rbac-rule": `sub == '${name}'` }, { token });
  return await session(name);
}

/** Invalid credentials for these modes. */
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

/**
 * Creates the objects that routes refer to, and a Secret without webhook clients, so that requests without credentials
 * are unauthenticated.
 */
export async function createObjects({ admin }: MatrixBench): Promise<void> {
  const name = "argo-workflows-webhook-clients";
  await admin.create(SECRETS, NAMESPACE, { apiVersion: "v1", kind: "Secret", metadata: { name } });
  await admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "there"));
  await admin.create(WORKFLOW_TEMPLATES, NAMESPACE, objectOf("WorkflowTemplate", "there"));
}

/** Tests that no route is reachable without credentials or with invalid ones. */
export async function refusesUnauthenticated(bench: MatrixBench, { modes }: Entrance): Promise<number> {
  let asked = 0;
  const bad = await badCredentials(modes);
  for (const route of ROUTES) {
    const body = route.maxBody > 0 ? bodyOf(route, "a") : undefined;
    for (const authorization of [undefined, ...bad]) {
      const headers = authorization === undefined ? undefined : { authorization };
      const response = await bench.ask(route.method, pathOf(route, "a"), { body, ...(headers && { headers }) });
      assertEquals(response.status, 401, `${route.id} with ${authorization?.slice(0, 20)}`);
      assert((await response.text()).includes("token not valid"), route.id);
      asked++;
    }
  }
  return asked;
}

/**
 * Tests that each route requires each of its permissions, and that a refusal does not disclose whether an object
 * exists.
 */
export async function refusesWithoutEachRight(bench: MatrixBench, { enter }: Entrance): Promise<number> {
  let asked = 0;
  const caller = await bench.account([]);
  const headers = { authorization: await enter(bench, caller) };
  for (const route of ROUTES) {
    const needed = rightsOf(route, "there");
    for (const missing of needed) {
      await caller.grant(needed.filter((right) => right !== missing));
      const refusals: string[] = [];
      for (const name of ["there", "absent"]) {
        bench.advanceClock(61_000);
        const body = route.maxBody > 0 ? bodyOf(route, name) : undefined;
        const response = await bench.ask(route.method, pathOf(route, name), { headers, body });
        const text = await response.text();
        assertEquals(response.status, 403, `${route.id} without ${missing.verb} ${missing.resource}: ${text}`);
        refusals.push(text.replaceAll("\\", "").replaceAll(`"${name}"`, "NAME"));
        asked++;
      }
      assertEquals(refusals[0], refusals[1], route.id);
    }
  }
  return asked;
}

/** Tests that a caller with the permissions of a route is accepted. */
export async function acceptsWithAllRights(bench: MatrixBench, { enter }: Entrance): Promise<number> {
  const caller = await bench.account([]);
  const headers = { authorization: await enter(bench, caller) };
  for (const route of ROUTES) {
    await caller.grant(rightsOf(route, "absent"));
    bench.advanceClock(61_000);
    const body = route.maxBody > 0 ? bodyOf(route, "absent") : undefined;
    const left = new AbortController();
    const status = await statusOf(
      await bench.ask(route.method, pathOf(route, "absent"), { headers, body, signal: left.signal }),
    );
    left.abort();
    assert(status !== 401 && status !== 403 && status !== 500, `${route.id}: ${status}`);
  }
  return ROUTES.length;
}
