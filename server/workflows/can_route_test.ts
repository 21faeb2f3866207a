import { assertEquals } from "@std/assert";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

const workflows = (verb: string) => ({ verb, group: "argoproj.io", resource: "workflows" });
const PATH = `/api/v1/workflows/${NAMESPACE}/w`;

Deno.test("can: lists the missing rights of each action, and exactly those actions are refused", async () => {
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
  bench.advanceClock(30_001);
  assertEquals(await ask(), { retry: [pods] });
  await grant([]);
  bench.advanceClock(30_001);
  assertEquals((await bench.ask("GET", `${PATH}/can`, { token })).status, 403);
});

Deno.test("can: covers templates, cluster templates and cron workflows", async () => {
  await using bench = await serverBench();
  const spec = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
  const of = (kind: string, more: object) => ({
    apiVersion: "argoproj.io/v1alpha1",
    kind,
    metadata: { name: "t" },
    ...more,
  });
  await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, of("WorkflowTemplate", { spec }));
  await bench.admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, of("ClusterWorkflowTemplate", { spec }));
  await bench.admin.create(
    CRON_WORKFLOWS,
    NAMESPACE,
    of("CronWorkflow", { spec: { schedules: ["0 0 * * *"], workflowSpec: spec } }),
  );
  const to = (resource: string) => (verb: string) => ({ verb, group: "argoproj.io", resource });
  const [templates, crons] = [to("workflowtemplates"), to("cronworkflows")];
  const { token, grant } = await bench.account([templates("get"), crons("get"), crons("update")]);
  const ask = async (path: string) => (await (await bench.ask("GET", `/api/v1/${path}/can`, { token })).json()).lacks;
  const create = workflows("create");
  assertEquals(await ask(`workflow-templates/${NAMESPACE}/t`), {
    update: [templates("update")],
    delete: [templates("delete")],
    submit: [create],
  });
  assertEquals(await ask(`cron-workflows/${NAMESPACE}/t`), {
    delete: [crons("delete")],
    suspend: [crons("patch")],
    resume: [crons("patch")],
    submit: [create],
  });
  // Rights in one namespace do not apply to cluster templates.
  assertEquals((await bench.ask("GET", "/api/v1/cluster-workflow-templates/t/can", { token })).status, 403);
  await grant([templates("get"), templates("update"), templates("delete"), create]);
  bench.advanceClock(30_001);
  assertEquals(await ask(`workflow-templates/${NAMESPACE}/t`), {});
});
