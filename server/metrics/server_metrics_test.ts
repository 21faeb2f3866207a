import { assert, assertEquals } from "@std/assert";
import { sealSession } from "../sso/session.ts";
import { sessionKeyOf } from "../sso/session_key.ts";
import { ARGO_SESSION, HOME, ruledAccount, ruledBench } from "../sso/testing/login_bench.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

Deno.test("metrics are for callers who are known, by header or cookie; for everybody where the administrator says so", async () => {
  await using bench = await ruledBench({ modes: ["client", "sso"] });
  const { token } = await bench.account([]);
  const status = async (headers: Record<string, string> = {}) => {
    const response = await bench.ask("GET", "/metrics", { headers });
    await response.body?.cancel();
    return response.status;
  };
  for (const authorization of ["Bearer junk", "junk", "Bearer v2:junk"]) {
    assertEquals(await status({ authorization }), 403);
  }
  assertEquals(await status(), 403);
  assertEquals(await status({ authorization: `Bearer ${token}` }), 200);
  await ruledAccount(bench, "reader", { "rbac-rule": "true" }, { token });
  const key = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, HOME);
  const session = await sealSession({ subject: "u", groups: [] }, new Date(Date.now() + 60_000), key);
  assertEquals(await status({ cookie: `authorization="${session}"` }), 200);
  await using open = await serverBench(["client"], { showsMetrics: true });
  const response = await open.ask("GET", "/metrics");
  assertEquals(response.status, 200);
  assert((await response.text()).includes("process_resident_memory_bytes "));
});

Deno.test("requests are counted by operation and status, and nothing that a caller writes becomes a label", async () => {
  await using bench = await serverBench(["client"], { showsMetrics: true });
  const { token } = await bench.account([{ verb: "list", group: "argoproj.io", resource: "workflows" }]);
  for (const [path, credential] of [[NAMESPACE, token], ["other", token], ["third", "junk"]] as const) {
    await (await bench.ask("GET", `/api/v1/workflows/${path}`, { token: credential })).body?.cancel();
  }
  await bench.ask("GET", "/api/v1/canary");
  const text = await (await bench.ask("GET", "/metrics")).text();
  const counted = text.split("\n").filter((line) => line.startsWith("argo_server_requests_total"));
  assertEquals(counted, [
    'argo_server_requests_total{operation="WorkflowService_ListWorkflows",status="200"} 2',
    'argo_server_requests_total{operation="WorkflowService_ListWorkflows",status="401"} 1',
  ]);
  assert(!text.includes("canary"));
});
