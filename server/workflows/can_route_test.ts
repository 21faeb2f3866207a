import { assertEquals } from "@std/assert";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

const workflows = (verb: string) => ({ verb, group: "argoproj.io", resource: "workflows" });
const PATH = `/api/v1/workflows/${NAMESPACE}/w`;

Deno.test("a caller is told which rights they lack for each action, and those are what the actions refuse", async () => {
  await using bench = await serverBench();
  await bench.admin.create(WORKFLOWS, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  const { token, grant } = await bench.account(["get", "update"].map(workflows));
  const ask = async () => (await (await bench.ask("GET", `${PATH}/can`, { token })).json()).lacks;
  const pods = { verb: "delete", group: "", resource: "pods" };
  assertEquals(await ask(), {
    delete: [workflows("delete")],
    stop: [workflows("patch")],
    terminate: [workflows("patch")],
    retry: [pods],
    resubmit: [workflows("create")],
  });
  assertEquals((await bench.ask("PUT", `${PATH}/stop`, { token, body: {} })).status, 403);
  await grant(["get", "update", "patch", "create", "delete"].map(workflows));
  bench.pass(30_001);
  assertEquals(await ask(), { retry: [pods] });
  await grant([]);
  bench.pass(30_001);
  assertEquals((await bench.ask("GET", `${PATH}/can`, { token })).status, 403);
});
