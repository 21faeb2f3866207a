import { assert, assertEquals } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { recordedLog } from "./sso/testing/login_bench.ts";
import { NAMESPACE, serverBench } from "./testing/server_bench.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

Deno.test("audit: logs each change with caller, permissions, object and outcome, and no request contents", async () => {
  const log = recordedLog();
  await using bench = await serverBench(["client"], { log });
  const right = { verb: "create", group: WORKFLOWS.group, resource: WORKFLOWS.plural };
  const { token, name } = await bench.account([right]);
  const path = `/api/v1/workflows/${NAMESPACE}`;
  const metadata = { name: "w", annotations: { note: "canary-body" } };
  const create = { token, body: { workflow: { metadata, spec: SPEC } } };
  await bench.ask("POST", `${path}?x=canary-query`, create);
  await bench.ask("POST", path, create);
  await bench.ask("DELETE", `${path}/w`, { token });
  await bench.ask("GET", path, { token });
  const lines = log.lines.filter((line) => line.includes("Audit")).map((line) =>
    JSON.parse(line.replace("info Audit ", ""))
  );
  const caller = `system:serviceaccount:${NAMESPACE}:${name}`;
  const shared = { caller, serviceAccount: `${NAMESPACE}/${name}`, namespace: NAMESPACE };
  assertEquals(lines, [
    { operation: "WorkflowService_CreateWorkflow", ...shared, rights: "create workflows", outcome: "done" },
    {
      operation: "WorkflowService_CreateWorkflow",
      ...shared,
      rights: "create workflows",
      outcome: "refused with 409 (code 6)",
    },
    {
      operation: "WorkflowService_DeleteWorkflow",
      ...shared,
      name: "w",
      rights: "get workflows, delete workflows",
      outcome: "refused with 403 (code 7)",
    },
  ]);
  for (const canary of [token, "canary"]) assert(!log.lines.join("\n").includes(canary));
});
