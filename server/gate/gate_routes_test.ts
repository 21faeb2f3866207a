/** Tests of the gate in front of every route: an unauthenticated or unauthorized caller learns nothing. */
import { assert, assertEquals } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { ruledBench } from "../sso/testing/login_bench.ts";
import { ROUTES } from "../table.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import {
  acceptsWithAllRights,
  bodyOf,
  createObjects,
  ENTRANCES,
  objectOf,
  pathOf,
  refusesUnauthenticated,
  refusesWithoutEachRight,
  session,
  statusOf,
} from "./testing/matrix.ts";

for (const entrance of ENTRANCES) {
  const { modes } = entrance;
  const how = `in ${modes.join(" and ")}`;
  const matrix = (title: string, check: typeof refusesUnauthenticated) =>
    Deno.test(`${title}, ${how}`, async () => {
      await using bench = await ruledBench({ modes });
      await createObjects(bench);
      assert(await check(bench, entrance) >= ROUTES.length);
    });
  matrix("gate: no route is reachable without credentials or with forged ones", refusesUnauthenticated);
  matrix(
    "gate: every route requires each of its permissions, and a refusal does not disclose whether an object exists",
    refusesWithoutEachRight,
  );
  matrix("gate: a user with the permissions of a route is admitted", acceptsWithAllRights);
}

Deno.test("gate: a logged-in user without a matching service account reaches no route", async () => {
  await using bench = await ruledBench();
  const headers = { authorization: await session("nobody") };
  for (const route of ROUTES) {
    const body = route.maxBody > 0 ? bodyOf(route, "a") : undefined;
    const response = await bench.ask(route.method, pathOf(route, "a"), { headers, body });
    assertEquals(response.status, 403, route.id);
    assert((await response.text()).includes("not allowed"), route.id);
  }
});

Deno.test("gate: a permission for one object does not apply to others", async () => {
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

Deno.test("gate: a revoked permission ends after 30 seconds", async () => {
  await using bench = await serverBench();
  const list = { verb: "list", group: "argoproj.io", resource: "workflows" };
  const caller = await bench.account([list]);
  const ask = async () =>
    await statusOf(await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { token: caller.token }));
  assertEquals(await ask(), 200);
  await caller.grant([]);
  assertEquals(await ask(), 200);
  bench.advanceClock(30_001);
  assertEquals(await ask(), 403);
});

Deno.test("gate: the server's own permissions apply only in mode server without credentials", async () => {
  await using bench = await serverBench(["client", "server"]);
  const path = `/api/v1/workflows/${NAMESPACE}`;
  assertEquals(await statusOf(await bench.ask("GET", path)), 200);
  assertEquals(await statusOf(await bench.ask("GET", path, { token: "junk" })), 401);
  assertEquals(await statusOf(await bench.ask("GET", path, { headers: { authorization: "junk" } })), 401);
});

Deno.test("gate: if server is the only mode, credentials are ignored", async () => {
  await using bench = await serverBench(["server"]);
  const path = `/api/v1/workflows/${NAMESPACE}`;
  for (const authorization of ["Bearer junk", "Basic junk", "junk", "Bearer v2:junk", `Bearer ${"x".repeat(20_000)}`]) {
    assertEquals(await statusOf(await bench.ask("GET", path, { headers: { authorization } })), 200, authorization);
  }
  assertEquals(await statusOf(await bench.ask("GET", path, { headers: { cookie: "authorization=junk" } })), 200);
});

Deno.test("gate: the refusal of an anonymous caller names the flag, and a token still works", async () => {
  await using bench = await serverBench(["client"], { refusesAnonymous: true });
  const path = `/api/v1/workflows/${NAMESPACE}`;
  const response = await bench.ask("GET", path);
  const { message } = await response.json();
  assertEquals([response.status, message.includes("--allow-anonymous")], [401, true]);
  const { token } = await bench.account([{ verb: "list", group: "argoproj.io", resource: "workflows" }]);
  assertEquals(await statusOf(await bench.ask("GET", path, { token })), 200);
});

Deno.test("gate: a cookie authenticates, but changes must come from the server's own page", async () => {
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
