import { assertEquals } from "@std/assert";
import { CONFIGMAPS } from "../../lib/kube/mod.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

Deno.test("limits are created once, read, changed where they are, and deleted as often as asked", async () => {
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
