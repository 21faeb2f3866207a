/**
 * One table of requests that have no effect: each has a 4xx code and the reason. The rows with 200 are those on which
 * Argo's clients rely.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { CRON_WORKFLOWS, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../tests/await_fact.ts";
import { archiveBench, endedWorkflow } from "./testing/archive_bench.ts";
import { NAMESPACE } from "./testing/server_bench.ts";

const API = "/api/v1";
const WORKFLOW = `${API}/workflows/${NAMESPACE}`;
const CRON = `${API}/cron-workflows/${NAMESPACE}`;
const ARCHIVED = `${API}/archived-workflows`;
const NONE = { nodeFieldSelector: "displayName=no" };

/** Method and path of a request, its body, the code of the response and a part of its text. */
type Row = readonly [request: string, body: object | undefined, code: number, text: string];

const ROWS: readonly Row[] = [
  // The object does not exist.
  ...["suspend", "resume", "stop", "terminate", "retry", "resubmit"].map((verb): Row => [
    `PUT ${WORKFLOW}/gone/${verb}`,
    {},
    404,
    '\\"gone\\" not found',
  ]),
  [`PUT ${WORKFLOW}/gone/set`, { ...NONE, message: "m" }, 404, '\\"gone\\" not found'],
  [`DELETE ${WORKFLOW}/gone`, undefined, 404, '\\"gone\\" not found'],
  ...["suspend", "resume"].map((verb): Row => [`PUT ${CRON}/gone/${verb}`, {}, 404, '\\"gone\\" not found']),
  [`PUT ${CRON}/running/suspend`, {}, 404, '\\"running\\" not found'],
  [`PUT ${WORKFLOW}/daily/suspend`, {}, 404, '\\"daily\\" not found'],
  ...["cron-workflows", "workflow-templates"].map((kind): Row => [
    `DELETE ${API}/${kind}/${NAMESPACE}/gone`,
    undefined,
    404,
    '\\"gone\\" not found',
  ]),
  [`DELETE ${API}/cluster-workflow-templates/gone`, undefined, 404, '\\"gone\\" not found'],
  [`POST ${WORKFLOW}/submit`, { resourceKind: "WorkflowTemplate", resourceName: "gone" }, 404, '\\"gone\\" not found'],
  [`POST ${WORKFLOW}/submit`, { resourceKind: "cronwf", resourceName: "running" }, 404, '\\"running\\" not found'],
  [`POST ${WORKFLOW}/submit`, { resourceKind: "Workflow", resourceName: "running" }, 400, "Workflow"],

  // The workflow has finished.
  [`PUT ${WORKFLOW}/ended/suspend`, {}, 400, "cannot suspend completed workflows"],
  [`PUT ${WORKFLOW}/ended/stop`, {}, 400, "cannot shutdown a completed workflow"],
  [`PUT ${WORKFLOW}/ended/terminate`, {}, 400, "cannot shutdown a completed workflow"],
  [`PUT ${WORKFLOW}/ended/retry`, {}, 400, "To retry a succeeded workflow"],
  [`PUT ${WORKFLOW}/ended/resubmit`, { memoized: true }, 400, "workflow must be Failed/Error"],
  [
    `PUT ${WORKFLOW}/ended/set`,
    { nodeFieldSelector: "displayName=ask", message: "m" },
    400,
    "no suspend nodes matching",
  ],
  [`PUT ${WORKFLOW}/running/retry`, {}, 400, "Cannot retry a workflow in phase Running"],

  // No node matches, or there is nothing to set.
  [`PUT ${WORKFLOW}/running/resume`, NONE, 400, "no suspend nodes matching"],
  [`PUT ${WORKFLOW}/running/stop`, NONE, 400, "no suspend nodes matching"],
  [`PUT ${WORKFLOW}/running/set`, { ...NONE, message: "m" }, 400, "no suspend nodes matching"],
  [`PUT ${WORKFLOW}/suspended/set`, { nodeFieldSelector: "displayName=ask" }, 400, "no suspend nodes matching"],
  [`PUT ${WORKFLOW}/suspended/set`, {}, 400, "use a node field selector"],
  [`PUT ${WORKFLOW}/failed/retry`, NONE, 400, "displayName=no"],
  [`PUT ${WORKFLOW}/ended/retry`, { ...NONE, restartSuccessful: true }, 400, "displayName=no"],

  // The archive.
  [`DELETE ${ARCHIVED}/none`, undefined, 404, "not found"],
  [`PUT ${ARCHIVED}/none/resubmit`, { namespace: NAMESPACE }, 404, "not found"],
  [`PUT ${ARCHIVED}/none/retry`, { namespace: NAMESPACE }, 404, "not found"],
  [`PUT ${ARCHIVED}/uid-past/retry`, { namespace: NAMESPACE }, 400, "To retry a succeeded workflow"],
  [`PUT ${ARCHIVED}/uid-past/resubmit`, { namespace: NAMESPACE, memoized: true }, 400, "workflow must be Failed/Error"],

  // As in Argo's server, the workflow is returned: a page may send a request twice.
  [`PUT ${WORKFLOW}/suspended/suspend`, {}, 200, '"suspend":true'],
  [`PUT ${WORKFLOW}/running/resume`, {}, 200, '"name":"running"'],
  [`PUT ${WORKFLOW}/ended/resume`, {}, 200, '"name":"ended"'],
  [`PUT ${CRON}/idle/suspend`, {}, 200, '"suspend":true'],
];

const AT = "2026-01-01T00:00:00Z";

function workflow(name: string, phase: string, type: string, nodePhase: string, spec: object = {}) {
  const node = { id: "n", name: "n", displayName: type === "Suspend" ? "ask" : "build", type, phase: nodePhase };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }], ...spec },
    status: {
      phase,
      startedAt: AT,
      ...(phase !== "Running" && { finishedAt: AT }),
      nodes: { n: { ...node, startedAt: AT, templateName: "main" } },
    },
  };
}

function cron(name: string, suspend: boolean) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name },
    spec: { schedules: ["0 0 * * *"], suspend, workflowSpec: { entrypoint: "main", templates: [] } },
  };
}

Deno.test("routes: a request without effect has a code for its reason, and changes nothing", async (t) => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  await archive.archive({ ...endedWorkflow("past", 1), status: { phase: "Succeeded", startedAt: AT, finishedAt: AT } });
  const made = [
    workflow("ended", "Succeeded", "Suspend", "Succeeded"),
    workflow("failed", "Failed", "Pod", "Failed"),
    workflow("running", "Running", "Pod", "Running"),
    workflow("suspended", "Running", "Suspend", "Running", { suspend: true }),
  ];
  for (const workflow of made) await server.admin.create(WORKFLOWS, NAMESPACE, workflow);
  await server.admin.create(CRON_WORKFLOWS, NAMESPACE, cron("daily", false));
  await server.admin.create(CRON_WORKFLOWS, NAMESPACE, cron("idle", true));
  await awaitFact("the server's copy has the workflows", async () => {
    const { items } = await (await server.ask("GET", WORKFLOW)).json();
    return (items ?? []).length >= made.length;
  }, { seconds: 10 });
  const stored = async () => {
    const { items: workflows } = await server.admin.list<KubeObject>(WORKFLOWS, NAMESPACE);
    const { items: crons } = await server.admin.list<KubeObject>(CRON_WORKFLOWS, NAMESPACE);
    return [...workflows, ...crons].map(({ metadata: { name }, spec, status }) => ({ name, spec, status }));
  };
  const before = await stored();
  for (const [request, body, code, text] of ROWS) {
    await t.step(`${request} ${JSON.stringify(body ?? {})}`, async () => {
      const [method = "", path = ""] = request.split(" ");
      const response = await server.ask(method, path, body === undefined ? {} : { body });
      const answer = await response.text();
      assertStringIncludes(answer, text);
      assertEquals(response.status, code, answer);
    });
  }
  assertEquals(await stored(), before);
});
