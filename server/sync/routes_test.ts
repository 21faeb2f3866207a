import { assertEquals } from "@std/assert";
import { systemClock } from "@tiphys/base/clock";
import { CONFIGMAPS, WORKFLOWS } from "@tiphys/kube";
import { OpenLimits } from "@tiphys/storage/lock_database";
import { silentLog } from "@tiphys/base/log";
import type { Call } from "../routes/route.ts";
import { LimitSource } from "./limit_source.ts";
import { SYNC_ROUTES } from "./routes.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

Deno.test("sync limits: creating twice fails, updating requires an existing limit, and deleting is idempotent", async () => {
  await using bench = await serverBench(["server"]);
  const path = `/api/v1/sync/${NAMESPACE}`;
  const ask = async (method: string, where: string, body?: unknown) => {
    const response = await bench.ask(method, where, { body });
    return [response.status, await response.json()] as const;
  };
  const limit = { type: "CONFIGMAP", cmName: "limits", key: "k", limit: 2 };
  assertEquals((await ask("POST", path, { ...limit, limit: 0 }))[1], {
    code: 3,
    message: "limit must be greater than zero",
  });
  assertEquals((await ask("POST", path, limit))[0], 200);
  assertEquals((await ask("POST", path, limit))[0], 409);
  const read = { namespace: NAMESPACE, cmName: "limits", key: "k", limit: 2 };
  for (const type of ["CONFIGMAP", "0", ""]) {
    assertEquals((await ask("GET", `${path}/k?type=${type}&cmName=limits`))[1], read);
  }
  assertEquals((await ask("POST", path, { ...limit, type: 1 }))[1].message, "unsupported sync config type: DATABASE");
  assertEquals((await ask("PUT", `${path}/k`, { ...limit, limit: 5 }))[0], 200);
  assertEquals((await ask("PUT", `${path}/other`, { ...limit, limit: 5 }))[0], 404);
  const map = await bench.admin.get<{ data: Record<string, string> }>(CONFIGMAPS, NAMESPACE, "limits");
  assertEquals(map.data, { k: "5" });
  for (let time = 0; time < 2; time++) {
    assertEquals(await ask("DELETE", `${path}/k?type=CONFIGMAP&cmName=limits`), [200, {}]);
  }
  assertEquals((await ask("GET", `${path}/k?type=CONFIGMAP&cmName=limits`))[0], 404);
  assertEquals((await ask("GET", `${path}/k?type=DATABASE`))[1].message, "unsupported sync config type: DATABASE");
});

Deno.test("sync limits: limits in a database are rows that controllers read, and require the same right on workflows", async () => {
  const folder = await Deno.makeTempDir({ prefix: "locks" });
  try {
    const settings = { sqlite: { file: `${folder}/locks.db` }, controllerName: "c", enableAPI: true };
    const secret = () => Promise.reject(new Error("a file needs no secret"));
    const world = { clock: systemClock, log: silentLog, secret };
    await using databaseLimits = new LimitSource({ settings, log: silentLog, secret });
    await using bench = await serverBench(["client"], { databaseLimits });
    const { group, plural: resource } = WORKFLOWS;
    const { token } = await bench.account([{ verb: "create", group, resource }, { verb: "get", group, resource }]);
    const path = `/api/v1/sync/${NAMESPACE}`;
    const ask = async (method: string, where: string, body?: unknown) => {
      const response = await bench.ask(method, where, { body, token });
      return [response.status, await response.json()] as const;
    };
    const limit = { type: 1, key: "k", limit: 2 };
    // The controller has not created the tables yet.
    assertEquals(await ask("POST", path, limit), [503, {
      code: 14,
      message: "the database of locks has no tables: the controller creates them at start",
    }]);
    await using limits = await OpenLimits.open(settings, world);
    await using later = new LimitSource({ settings, log: silentLog, secret });
    await using open = await serverBench(["server"], { databaseLimits: later });
    const asked = async (method: string, where: string, body?: unknown) => {
      const response = await open.ask(method, where, { body });
      return [response.status, await response.json()] as const;
    };
    assertEquals(await asked("POST", path, limit), [200, { type: 1, namespace: NAMESPACE, key: "k", limit: 2 }]);
    assertEquals((await asked("POST", path, limit))[0], 409);
    assertEquals((await asked("PUT", `${path}/k`, { ...limit, limit: 7 }))[0], 200);
    assertEquals((await asked("GET", `${path}/k?type=DATABASE`))[1].limit, 7);
    assertEquals((await limits.get({ type: "DATABASE", namespace: NAMESPACE, key: "k" })).limit, 7);
    assertEquals(
      (await asked("GET", `${path}/other?type=1`))[1].message,
      `Database sync limit not found in namespace "${NAMESPACE}".`,
    );
    assertEquals(await asked("DELETE", `${path}/k?type=DATABASE`), [200, {}]);
    assertEquals((await asked("GET", `${path}/k?type=1`))[0], 404);
    for (const [method, where, body] of [["PUT", `${path}/k`, limit], ["DELETE", `${path}/k?type=1`]] as const) {
      assertEquals((await ask(method, where, body))[0], 403);
    }
    // Rights on workflows do not apply to ConfigMaps.
    assertEquals((await ask("GET", `${path}/k?type=CONFIGMAP&cmName=limits`))[0], 403);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("sync limits: rights on a ConfigMap are checked with its name, except to create one", () => {
  const rightsOf = (id: string, body: Record<string, unknown>, query = {}) =>
    SYNC_ROUTES.find((route) => route.id === `SyncService_${id}`)!
      .rights({ params: { namespace: "n", key: "k" }, body, query } as Partial<Call> as Call)
      .map(({ verb, name }) => `${verb} ${name ?? ""}`);
  assertEquals(rightsOf("CreateSyncLimit", { cmName: "m" }), ["create ", "get m", "update m"]);
  assertEquals(rightsOf("UpdateSyncLimit", { cmName: "m" }), ["get m", "update m"]);
  assertEquals(rightsOf("GetSyncLimit", {}, { cmName: "m" }), ["get m"]);
});
