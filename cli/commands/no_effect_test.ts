/**
 * One table of commands that have no effect: each fails with its reason. The rows with exit code 0 are those on which
 * scripts for Argo's CLI rely.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { CRON_WORKFLOWS, WORKFLOWS } from "@tiphys/kube";
import { ServerArchive } from "@tiphys/service/server";
import { archiveBench, endedWorkflow } from "../../server/testing/archive_bench.ts";
import { FakeWorld } from "../testing/fake_world.ts";

const SELECTOR = "--node-field-selector";
const LIMIT = ["--type", "configmap", "--cm-name", "limits"];

/** The words of a command, its exit code, and a part of what it prints. */
type Row = readonly [words: readonly string[], code: number, text: string];

const ROWS: readonly Row[] = [
  // The workflow does not exist.
  ...["suspend", "resume", "stop", "terminate", "retry", "resubmit"].flatMap((command): Row[] => [
    [[command, "gone"], 1, '"gone" not found'],
    [[command, "@latest", "-n", "empty"], 1, "No workflows found"],
    // As in Argo's CLI: a cleanup may find nothing to do.
    [[command, "-l", "team=none"], 0, "No workflows found"],
    [[command], 2, "Expected"],
  ]),
  [["stop", "gone", "--dry-run"], 1, '"gone" not found'],
  [["stop", "running", SELECTOR, "displayName=no", "--dry-run"], 1, "displayName=no"],
  [["terminate", "gone", "--dry-run"], 1, '"gone" not found'],
  [["stop", "gone", SELECTOR, "displayName=ask"], 1, '"gone" not found'],
  [["resume", "gone", SELECTOR, "displayName=ask"], 1, '"gone" not found'],
  [["node", "set", "gone", SELECTOR, "displayName=ask", "--message", "m"], 1, '"gone" not found'],
  // As in Argo's CLI, so that a cleanup may run twice.
  [["delete", "gone"], 0, "Workflow 'gone' not found"],
  [["delete", "gone", "--dry-run"], 0, "Workflow 'gone' not found"],
  [["delete", "-l", "team=none"], 0, "No resources found"],

  // The workflow has finished.
  [["suspend", "ended"], 1, "cannot suspend completed workflows"],
  [["resume", "ended"], 1, "workflow ended was not resumed: it is not suspended"],
  [["stop", "ended"], 1, "cannot shutdown a completed workflow"],
  [["stop", "ended", "--dry-run"], 1, "cannot shutdown a completed workflow"],
  [["terminate", "ended"], 1, "cannot shutdown a completed workflow"],
  [["terminate", "ended", "--dry-run"], 1, "cannot shutdown a completed workflow"],
  [["retry", "ended"], 1, "To retry a succeeded workflow"],
  [["retry", "ended", "--restart-successful", SELECTOR, "displayName=none"], 1, "displayName=none"],
  [["resubmit", "ended", "--memoized"], 1, "workflow must be Failed/Error to resubmit in memoized mode"],
  [["node", "set", "ended", SELECTOR, "displayName=ask", "--message", "m"], 1, "no suspend nodes matching"],

  // It is in that state already.
  [["suspend", "suspended"], 1, "workflow suspended was not suspended: it is suspended already"],
  [["resume", "running"], 1, "workflow running was not resumed: it is not suspended"],
  [["stop", "stopping"], 1, "workflow stopping was not stopped: it is being stopped already"],
  [["stop", "stopping", "--dry-run"], 1, "workflow stopping was not stopped: it is being stopped already"],
  [["terminate", "ending"], 1, "workflow ending was not terminated: it is being terminated already"],
  [["stop", "ending"], 1, "workflow ending was not stopped: it is being terminated already"],
  [["retry", "running"], 1, "Cannot retry a workflow in phase Running"],

  // No node matches.
  ...["resume", "stop"].map((command): Row => [[command, "running", SELECTOR, "displayName=no"], 1, "displayName=no"]),
  [["node", "set", "running", SELECTOR, "displayName=no", "--message", "m"], 1, "displayName=no"],
  [["node", "set", "suspended", SELECTOR, "displayName=ask", "-p", "a=b"], 1, "not expecting"],
  [["node", "set", "suspended", SELECTOR, "displayName=ask"], 2, "--phase"],
  [["retry", "failed", SELECTOR, "displayName=no"], 1, "displayName=no"],

  // Other kinds.
  ...["suspend", "resume", "delete", "get"].map((verb): Row => [["cron", verb, "gone"], 1, '"gone" not found']),
  [["cron", "suspend", "idle"], 1, "CronWorkflow 'idle' is suspended already"],
  [["cron", "resume", "daily"], 1, "CronWorkflow 'daily' is not suspended"],
  [["cron", "suspend", "running"], 1, '"running" not found'],
  [["suspend", "daily"], 1, '"daily" not found'],
  [["template", "delete", "gone"], 1, '"gone" not found'],
  [["cluster-template", "delete", "gone"], 1, '"gone" not found'],
  [["submit", "--from", "workflowtemplate/gone"], 1, '"gone" not found'],
  [["submit", "--from", "cronwf/running"], 1, '"running" not found'],
  [["submit", "--from", "workflow/running"], 1, "workflow"],
  [["sync", "update", "none", ...LIMIT, "--limit", "1"], 1, "not found"],
  [["sync", "delete", "none", ...LIMIT], 1, "not found"],

  // The archive.
  ...["delete", "resubmit", "retry", "get"].flatMap((verb): Row[] => [
    [["archive", verb, "gone"], 1, "archived workflow 'gone' not found"],
    [["archive", verb, "--uid", "none"], 1, "not found"],
  ]),
  [["archive", "resubmit", "-l", "team=none"], 0, "No workflows found"],
  [["archive", "retry", "-l", "team=none"], 0, "No workflows found"],
  [["archive", "retry", "past"], 1, "To retry a succeeded workflow"],
  [["archive", "resubmit", "past", "--memoized"], 1, "workflow must be Failed/Error to resubmit in memoized mode"],
];

const AT = "2026-01-01T00:00:00Z";

function workflow(
  name: string,
  phase: "Running" | "Succeeded" | "Failed",
  spec: object = {},
  nodes?: object,
): Workflow {
  const isOver = phase !== "Running";
  const prefix = "workflows.argoproj.io/";
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, labels: { [`${prefix}phase`]: phase, [`${prefix}completed`]: String(isOver) } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }], ...spec },
    status: { phase, startedAt: AT, ...(isOver && { finishedAt: AT }), nodes },
  } as Workflow;
}

const node = (type: string, phase: string, displayName: string) => ({
  n: { id: "n", name: "n", displayName, type, phase, startedAt: AT, templateName: "main" },
});

const WORKFLOW_LIST = [
  workflow("ended", "Succeeded", {}, node("Suspend", "Succeeded", "ask")),
  workflow("failed", "Failed", {}, node("Pod", "Failed", "build")),
  workflow("running", "Running", {}, node("Pod", "Running", "build")),
  workflow("suspended", "Running", { suspend: true }, node("Suspend", "Running", "ask")),
  workflow("stopping", "Running", { shutdown: "Stop" }),
  workflow("ending", "Running", { shutdown: "Terminate" }),
];

function cron(name: string, suspend: boolean) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name },
    spec: { schedules: ["0 0 * * *"], suspend, workflowSpec: { entrypoint: "main", templates: [] } },
  };
}

Deno.test("commands: an action without effect exits with an error and its reason, and changes nothing", async (t) => {
  await using bench = await archiveBench();
  const past = endedWorkflow("past", 1, { namespace: "default" });
  await bench.archive.archive({ ...past, status: { phase: "Succeeded", startedAt: AT, finishedAt: AT } });
  using world = new FakeWorld({ now: new Date("2026-01-01T01:00:00Z") });
  world.archive = new ServerArchive(({ method, path, headers, body }) =>
    bench.server.ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
  );
  for (const workflow of WORKFLOW_LIST) await world.client.create(WORKFLOWS, "default", workflow);
  await world.client.create(CRON_WORKFLOWS, "default", cron("daily", false));
  await world.client.create(CRON_WORKFLOWS, "default", cron("idle", true));
  const stored = async () => [
    await world.client.list(WORKFLOWS, "default"),
    await world.client.list(CRON_WORKFLOWS, "default"),
    (await bench.archive.list({})).items.length,
  ];
  const before = await stored();
  for (const [words, code, text] of ROWS) {
    await t.step(words.join(" "), async () => {
      const exit = await world.run(...words);
      assertStringIncludes(world.output + world.errors, text);
      assertEquals(exit, code);
    });
  }
  assertEquals(await stored(), before);
});
