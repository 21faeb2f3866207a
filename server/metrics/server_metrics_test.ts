import { assert, assertEquals } from "@std/assert";
import { sealSession } from "../sso/session.ts";
import { sessionKeyOf } from "../sso/session_key.ts";
import { ARGO_SESSION, HOME, ruledAccount, ruledBench } from "../sso/testing/login_bench.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

Deno.test("metrics: require authentication by header or cookie unless they are public", async () => {
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

Deno.test("metrics: count requests by operation and status, without client input in labels", async () => {
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

Deno.test("metrics: count requests as gRPC calls with the names and labels of Argo's server, starting at 0", async () => {
  await using bench = await serverBench(["client"], { showsMetrics: true });
  const { token } = await bench.account([
    { verb: "list", group: "argoproj.io", resource: "workflows" },
    { verb: "watch", group: "argoproj.io", resource: "workflows" },
  ]);
  const page = async () => {
    const text = await (await bench.ask("GET", "/metrics")).text();
    const values = new Map(
      text.split("\n").filter((line) => !line.startsWith("#")).map((line) => {
        const index = line.lastIndexOf(" ");
        return [line.slice(0, index), line.slice(index + 1)] as const;
      }),
    );
    return { text, values };
  };
  const labels = (method: string, type: string) =>
    `grpc_method="${method}",grpc_service="workflow.WorkflowService",grpc_type="${type}"`;
  const list = labels("ListWorkflows", "unary");
  const before = await page();
  assertEquals(before.values.get(`grpc_server_handled_total{grpc_code="Internal",${list}}`), "0");
  assertEquals(before.values.get('promhttp_metric_handler_requests_total{code="500"}'), "0");
  assertEquals(before.values.get("promhttp_metric_handler_requests_in_flight"), "1");
  for (const [type, name] of [["histogram", "handling_seconds"], ["counter", "handled_total"]]) {
    assert(before.text.includes(`# TYPE grpc_server_${name} ${type}\n`), name);
  }
  await (await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { token })).body?.cancel();
  await (await bench.ask("GET", `/api/v1/workflows/other`, { token: "junk" })).body?.cancel();
  const stream = await bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`, { token });
  const watch = labels("WatchWorkflows", "server_stream");
  const open = await page();
  assertEquals(open.values.get(`grpc_server_started_total{${watch}}`), "1");
  assertEquals(open.values.get(`grpc_server_handled_total{grpc_code="OK",${watch}}`), "0");
  await stream.body?.cancel();
  const { values } = await page();
  assertEquals(values.get(`grpc_server_handled_total{grpc_code="OK",${watch}}`), "1");
  assertEquals(values.get(`grpc_server_handled_total{grpc_code="OK",${list}}`), "1");
  assertEquals(values.get(`grpc_server_handled_total{grpc_code="Unauthenticated",${list}}`), "1");
  assertEquals(values.get(`grpc_server_handling_seconds_count{${list}}`), "2");
  assertEquals(values.get(`grpc_server_handling_seconds_bucket{${list},le="+Inf"}`), "2");
  assertEquals(values.get(`grpc_server_msg_sent_total{${list}}`), "1");
  assertEquals(values.get('promhttp_metric_handler_requests_total{code="200"}'), "2");
});
