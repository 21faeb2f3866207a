/** `tiphys local` in one process, and every command that uses a cluster in other processes, without a kubeconfig. */
import { assertEquals } from "@std/assert";
import { needs } from "../lib/base/testing/needs.ts";

const MAIN = new URL("main.ts", import.meta.url).pathname;

/** A template that is suspended until a user resumes it, so that no pod is needed. */
const TEMPLATE = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: waits}
spec:
  entrypoint: main
  templates: [{name: main, suspend: {}}]
`;
const CLUSTER_TEMPLATE = TEMPLATE.replace("WorkflowTemplate", "ClusterWorkflowTemplate");
const CRON = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: cron}
spec:
  schedules: ["0 0 1 1 *"]
  suspend: true
  workflowSpec: {workflowTemplateRef: {name: waits}}
`;
/** A workflow that finishes without a pod. */
const DONE = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: done}
spec:
  entrypoint: main
  templates:
  - {name: main, steps: [[{name: a, template: b, when: "false"}]]}
  - {name: b, suspend: {}}
`;
const WORKFLOW = TEMPLATE.replace("WorkflowTemplate", "Workflow").replace("waits", "w");
/** Settings that do not name a database: finished workflows are archived in the data folder. */
const SETTINGS = "persistence: {archiveTTL: 30d}\n";

/** A command, a text in its output, and its exit code if it is not 0. */
type Expectation = readonly [command: string, text: string, code?: number];

/** Each command, in this order. */
const SESSION: readonly Expectation[] = [
  ["local status", "The embedded cluster runs at"],
  ["template create template.yaml", "waits"],
  ["template list", "waits"],
  ["template get waits", "waits"],
  ["cluster-template create cluster.yaml", "waits"],
  ["cluster-template list", "waits"],
  ["cron create cron.yaml", "cron"],
  ["cron list", "cron"],
  ["cron resume cron", "resumed"],
  ["cron suspend cron", "suspended"],
  ["lint workflow.yaml", "no linting errors found"],
  ["submit workflow.yaml -o name", "w"],
  ["submit --from workflowtemplate/waits --name from -o name", "from"],
  ["submit --from workflowtemplate/waits --name other -o name", "other"],
  ["run done.yaml", "done  Succeeded"],
  ["list -o name", "from"],
  ["get w", "Name:"],
  ["get nope", "not found", 1],
  ["why other", "Person"],
  ["suspend from", "suspended"],
  ["resume from", "resumed"],
  ["node set w --phase Succeeded --node-field-selector displayName=w", "workflow values set"],
  ["wait w", "w Succeeded"],
  ["watch w", "Succeeded"],
  ["logs w", ""],
  ["stop other", "stopped"],
  ["wait other", "other Failed", 1],
  ["retry other -o name", "other"],
  ["terminate other", "terminated"],
  ["wait other", "other Failed", 1],
  ["resubmit w -o name", "w-"],
  ["cp w out", "Workflow w has no output artifacts"],
  ["sync create lim --type database --limit 3", "Sync limit created"],
  ["sync get lim --type database", "Limit: 3"],
  // Archived workflows remain after the workflow is deleted.
  ["delete w", "deleted"],
  ["archive list -o name", "w"],
  ["archive get w", "Name:"],
  ["archive list-label-keys", "workflows.argoproj.io/phase"],
  ["archive resubmit w -o name", "w-"],
  ["archive retry other", '"other" already exists', 1],
  ["archive delete w", "deleted"],
  ["archive get w", "not found", 1],
  ["cron delete cron", "deleted"],
  ["template delete waits", "deleted"],
  ["cluster-template delete waits", "deleted"],
  ["version --short", "tiphys"],
];

/** Timeout of a command. */
const HANGS_MILLIS = 120_000;

Deno.test({
  ...needs("Linux", Deno.build.os === "linux", "second shell: every command reaches the embedded cluster"),
  async fn() {
    const folder = await Deno.makeTempDir();
    const files = {
      template: TEMPLATE,
      cluster: CLUSTER_TEMPLATE,
      cron: CRON,
      workflow: WORKFLOW,
      done: DONE,
      settings: SETTINGS,
    };
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}.yaml`, text);
    const process = (args: readonly string[], signal?: AbortSignal) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", MAIN, ...args, "--data", `${folder}/data`],
        cwd: folder,
        env: {
          KUBECONFIG: `${folder}/none`,
          HOME: folder,
          DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        ...(signal ? { signal } : {}),
      });
    const cluster = process(["local", "--no-ui", "--runtime", "host", "--settings", "settings.yaml"]).spawn();
    const errors = new Response(cluster.stderr).text();
    const output = cluster.stdout.pipeThrough(new TextDecoderStream()).getReader();
    try {
      // The first output appears when the cluster is ready.
      await output.read();
      const wrong: string[] = [];
      for (const [command, text, expected = 0] of SESSION) {
        const { code, stdout, stderr } = await process(command.split(" "), AbortSignal.timeout(HANGS_MILLIS)).output();
        const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
        if (code !== expected || !printed.includes(text)) wrong.push(`tiphys ${command} [${code}]: ${printed}`);
      }
      assertEquals(wrong, []);
    } finally {
      cluster.kill("SIGTERM");
      await output.cancel();
      await errors;
      await cluster.status;
      await Deno.remove(folder, { recursive: true });
    }
  },
});
