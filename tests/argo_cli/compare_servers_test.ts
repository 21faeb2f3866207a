/**
 * Compares the output of Argo's CLI with our server, with Argo's server, and with the embedded API without a server,
 * each with the same objects. All other differences than those listed here fail.
 */
import { ALLOW_ALL } from "@tiphys/base/net";
import { assertEquals } from "@std/assert";
import type { Workflow, WorkflowTemplate } from "@tiphys/model/api";
import { httpTransport, type KubeClient, NAMESPACES, PODS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { needs } from "../../lib/base/testing/needs.ts";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { listen } from "../../server/listen/listen.ts";
import { startServer } from "../../server/start.ts";
import { awaitFact } from "../await_fact.ts";
import { ARGO_PROGRAM, kubeconfigOf, startArgoServer } from "./argo_server.ts";
import { withoutVariableParts } from "./session.ts";

const NAMESPACE = "tenant";

/** A command, and the phase in which the test ends its workflow, if the command waits for that. */
interface Command {
  readonly args: string;
  readonly ends?: "Succeeded" | "Failed";
}

/** The log lines of each container: the second of each line, and its text. */
const LINES: Readonly<Record<string, readonly (readonly [second: number, text: string])[]>> = {
  "two-a main": [[0, "one"], [2, "two"], [4, "three"]],
  "two-a wait": [[1, "waits"]],
  "two-b main": [[1, "uno"], [3, "dos"]],
};
const LOG_MINUTE = "2026-11-01T00:00:";

const GONE = "--start 'Fri, 30 Dec 2022 00:00:00 UTC' --end 'Mon, 02 Jan 2023 00:00:00 UTC'";

const SESSION: readonly Command[] = [
  ...[
    "logs two --no-color",
    "logs two --no-color -c wait",
    "logs two --no-color --container nope",
    "logs two --no-color --grep t.o",
    "logs two --no-color --tail 1",
    "logs two --no-color --timestamps",
    "logs two --no-color --since-time 2026-11-01T00:00:03Z",
    "logs two --no-color --since 1h --since-time 2026-11-01T00:00:03Z",
    "logs two --no-color -f",
    "logs two --no-color -p",
    "logs two two-b --no-color",
    "logs two --no-color -l which=a",
    "logs nope --no-color",
    "logs two",
    "template create template.yaml",
    "submit --from workflowtemplate/tmpl --name filed --parameter-file params.yaml -o name",
    "submit --from workflowtemplate/tmpl --name both --parameter-file params.yaml -p message=flag --priority 3 -o name",
    "submit --from workflowtemplate/tmpl --name absent --parameter-file nope.yaml -o name",
    "list -o wide --prefix filed",
    "list -o wide --prefix both",
  ].map((args) => ({ args })),
  { args: "submit ended.yaml --name waited --wait", ends: "Succeeded" },
  { args: "submit ended.yaml --name broke --wait", ends: "Failed" },
  { args: "submit ended.yaml --name watched --watch", ends: "Succeeded" },
  { args: "submit ended.yaml --name logged --log", ends: "Succeeded" },
  { args: "submit ended.yaml --name quiet --wait -o name", ends: "Failed" },
  ...[
    "cron create yearly.yaml",
    `cron backfill yearly ${GONE} --name bf`,
    "list -o name --prefix backfill-wf",
    "list -o wide --prefix backfill-wf",
    "stop -l group=running --dry-run",
    "stop -l group=running --message enough",
    "get running-2 -o name",
    "stop -l group=none",
    "stop --field-selector metadata.name=running-1",
    "stop -l group=failed",
    "retry -l group=failed -o name",
    "retry -l group=failed --field-selector metadata.name=failed-2 -o name",
    "retry -l group=none",
    "retry failed-3 --restart-successful",
    "retry failed-3 --restart-successful --node-field-selector displayName=failed-3 -o name",
    "resubmit -l group=failed -o name",
    "resubmit -l group=none",
    "resubmit failed-3 --memoized --priority 7 -o name",
    "resubmit running-1 --memoized",
    "terminate -l group=running",
    "list -o name -l group=running",
    "sync create lim --type configmap --cm-name lims --limit 3",
    "sync get nope --type configmap --cm-name lims",
    "delete -l group=running",
    "delete --prefix failed --dry-run",
    "delete --completed -l group=ended",
    "cron delete yearly",
    "template delete tmpl",
  ].map((args) => ({ args })),
];

const WITHOUT_PHASE =
  "a workflow without a phase is reported as Pending, as in a list; Argo's message has an empty phase";

/** The commands whose output differs intentionally between our server and Argo's, with the reason. */
const INTENDED: Readonly<Record<string, string>> = {
  "list -o wide --prefix both": "of parameters with the same name only the last is created; Argo's workflow has both",
  "stop -l group=failed": "the code of the error is that of a client error",
  "retry -l group=failed --field-selector metadata.name=failed-2 -o name": WITHOUT_PHASE,
  "retry failed-3 --restart-successful --node-field-selector displayName=failed-3 -o name": WITHOUT_PHASE,
  "retry failed-3 --restart-successful": "a failed suspend node is reset to waiting; in Argo it remains failed",
};

const AT = `${LOG_MINUTE}00Z`;

function workflow(name: string, labels: Record<string, string>, phase: "Running" | "Failed"): Workflow {
  const isOver = phase === "Failed";
  const phased = { "workflows.argoproj.io/phase": phase, ...(isOver && { "workflows.argoproj.io/completed": "true" }) };
  const times = { startedAt: AT, ...(isOver && { finishedAt: AT }) };
  const node = { id: name, name, displayName: name, templateName: "main", templateScope: `local/${name}`, phase };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, labels: { ...labels, ...phased } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase, ...times, nodes: { [name]: { ...node, type: "Suspend", ...times } } },
  } as Workflow;
}

function podNode(of: string, which: string) {
  const name = `${of}.${which}`;
  return {
    id: `${of}-${which}`,
    name,
    displayName: which,
    type: "Pod",
    templateName: "main",
    phase: "Succeeded",
    boundaryID: of,
  };
}

async function createObjects(admin: KubeClient): Promise<void> {
  await admin.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  for (const index of [1, 2]) {
    await admin.create(WORKFLOWS, NAMESPACE, workflow(`running-${index}`, { group: "running" }, "Running"));
  }
  for (const index of [1, 2]) {
    await admin.create(WORKFLOWS, NAMESPACE, workflow(`failed-${index}`, { group: "failed" }, "Failed"));
  }
  await admin.create(WORKFLOWS, NAMESPACE, workflow("failed-3", { group: "other" }, "Failed"));
  const two = workflow("two", {}, "Failed");
  const nodes = Object.fromEntries(["a", "b"].map((which) => podNode("two", which)).map((node) => [node.id, node]));
  await admin.create(
    WORKFLOWS,
    NAMESPACE,
    { ...two, status: { ...two.status, nodes: { ...two.status?.nodes, ...nodes } } } as Workflow,
  );
  for (const which of ["a", "b"]) {
    const containers = ["main", "wait"].map((name) => ({ name, image: "busybox" }));
    await admin.create(PODS, NAMESPACE, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `two-${which}`,
        labels: { "workflows.argoproj.io/workflow": "two", which },
        annotations: { "workflows.argoproj.io/node-name": `two.${which}` },
      },
      spec: { nodeName: "here", containers },
    });
    const terminated = { exitCode: 0, startedAt: AT, finishedAt: AT };
    const containerStatuses = containers.map(({ name }) => ({ name, state: { terminated } }));
    const status = { phase: "Succeeded", containerStatuses };
    await admin.patch(PODS, NAMESPACE, `two-${which}`, { status }, "merge", { subresource: "status" });
  }
}

/** Installs a kubelet that returns the log lines of pods, filtered as requested. */
function kubelet(api: ApiServer): void {
  api.useKubelet({
    logs(_namespace, pod, container, { timestamps, tailLines, sinceTime, sinceSeconds }) {
      const since = sinceTime ? Date.parse(sinceTime) : sinceSeconds ? Date.now() - sinceSeconds * 1000 : 0;
      const lines = (LINES[`${pod} ${container}`] ?? [])
        .map(([second, text]) => ({ time: `${LOG_MINUTE}0${second}.000000000Z`, text }))
        .filter(({ time }) => Date.parse(time) >= since);
      const last = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
      const text = last.map((line) => `${timestamps ? `${line.time} ` : ""}${line.text}\n`).join("");
      return new Response(text).body!;
    },
    exec: () => Promise.reject(new Error("pods do not run in this test")),
  });
}

/** A kind of access of Argo's CLI to objects: its environment variables. */
interface Access extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly admin: KubeClient;
}

type AccessParts = Omit<Access, keyof AsyncDisposable>;

/** Starts an embedded API with the objects, and an access to it. */
async function openAccess(
  open: (api: ApiServer, parts: AsyncDisposableStack) => Promise<Record<string, string>>,
): Promise<Access> {
  await using parts = new AsyncDisposableStack();
  const api = createApiServer({ storePath: ":memory:" });
  parts.defer(() => api.close());
  kubelet(api);
  const admin = api.client();
  await createObjects(admin);
  const way: AccessParts = { admin, env: await open(api, parts) };
  const all = parts.move();
  return { ...way, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const ACCESSES = {
  ours: () =>
    openAccess(async (api, parts) => {
      const stop = new AbortController();
      parts.defer(() => stop.abort());
      const { url, token, close } = await api.serve();
      parts.defer(close);
      const authorization = `Bearer ${token}`;
      const credentials = () => Promise.resolve({ headers: { authorization } });
      const handler = await startServer({
        own: httpTransport({ server: url, credentials }),
        anonymous: httpTransport({ server: url, retriesUnauthorized: false }),
        modes: new Set(["client"]),
        sso: undefined,
        reach: ALLOW_ALL,
        log: silentLog,
        now: () => new Date(),
      }, stop.signal);
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler });
      parts.defer(() => listening.close());
      return { ARGO_SERVER: `127.0.0.1:${listening.port}`, ARGO_SECURE: "false", ARGO_TOKEN: authorization };
    }),
  argo: () =>
    openAccess(async (api, parts) => {
      const server = parts.use(await startArgoServer(api, { authMode: "client" }));
      const { host } = new URL(server.address);
      return { ARGO_SERVER: host, ARGO_SECURE: "false", ARGO_TOKEN: `Bearer ${server.token}` };
    }),
  kubernetes: () =>
    openAccess(async (api, parts) => {
      const served = await api.serve(0, { tls: true });
      parts.defer(() => served.close());
      const folder = await Deno.makeTempDir();
      parts.defer(() => Deno.remove(folder, { recursive: true }));
      await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(served));
      return { KUBECONFIG: `${folder}/kubeconfig` };
    }),
};

/** Ends the workflow that a command creates, once it exists. */
async function endWorkflow(admin: KubeClient, args: string, phase: string): Promise<void> {
  const name = /--name (\S+)/.exec(args)?.[1] ?? "";
  await awaitFact(`${name} exists`, async () => {
    const { items } = await admin.list<Workflow>(WORKFLOWS, NAMESPACE);
    return items.some(({ metadata }) => metadata.name === name);
  }, { seconds: 60 });
  const { status, metadata } = workflow(name, { group: "ended" }, "Failed");
  const labels = { ...metadata.labels, "workflows.argoproj.io/phase": phase };
  const nodes = { [name]: { ...status?.nodes?.[name], phase } };
  await admin.patch(WORKFLOWS, NAMESPACE, name, { metadata: { labels }, status: { ...status, phase, nodes } });
}

/**
 * Normalizes an output: workflows created in the same second have no defined order, the number of intermediate trees
 * varies, and without a server the program has its own log.
 */
function normalizeOutput(output: string): string {
  const lines = output.split("\n").filter((line) => !line.startsWith("time=TIME"));
  const last = lines.lastIndexOf(lines.find((line) => line.startsWith("Name:")) ?? "");
  const drawn = last > 0 ? lines.slice(last) : lines;
  const areAlike = drawn.every((line) => /^(?:workflow |Workflow '|\[\d\]$|[a-z0-9-]+(?:-XXXXX)?$|$)/.test(line));
  return (areAlike ? [...drawn].sort() : drawn).filter((line) => line !== "").join("\n");
}

function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

async function outputOf({ env, admin }: Access, { args, ends }: Command): Promise<string> {
  const command = new Deno.Command(ARGO_PROGRAM ?? "", {
    args: [...words(args)],
    env: { ...env, ARGO_NAMESPACE: NAMESPACE, PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
    clearEnv: true,
    cwd: new URL("testdata/", import.meta.url),
    signal: AbortSignal.timeout(60_000),
  });
  const [{ code, stdout, stderr }] = await Promise.all([command.output(), ends && endWorkflow(admin, args, ends)]);
  const decoder = new TextDecoder();
  return `${withoutVariableParts(decoder.decode(stdout) + decoder.decode(stderr))}\n[${code}]`;
}

async function session(open: () => Promise<Access>): Promise<ReadonlyMap<string, string>> {
  await using way = await open();
  const all = new Map<string, string>();
  for (const asked of SESSION) all.set(asked.args, normalizeOutput(await outputOf(way, asked)));
  return all;
}

/** Spellings of `entrypoint` in submit options, and the expected entrypoint. */
const SPELLINGS: readonly (readonly [options: string, entrypoint: string])[] = [
  ['{"entrypoint":"b"}', "b"],
  ['{"ENTRYPOINT":"b"}', "b"],
  ['{"entryPoint":"b","entrypoint":"main"}', "main"],
  ['{"entrypoint":"b","entryPoint":"main"}', "main"],
];

/** Submits with each spelling of `entrypoint` and returns the resulting entrypoints or error messages. */
async function entrypointsOf(open: () => Promise<Access>): Promise<readonly unknown[]> {
  await using way = await open();
  const templates = ["main", "b"].map((name) => ({ name, suspend: {} }));
  await way.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "spelled" },
    spec: { entrypoint: "main", templates },
  } as WorkflowTemplate);
  const url = `http://${way.env.ARGO_SERVER}/api/v1/workflows/${NAMESPACE}/submit`;
  const headers = { authorization: way.env.ARGO_TOKEN ?? "" };
  const submit = async (options: string): Promise<unknown> => {
    const body = `{"resourceKind":"WorkflowTemplate","resourceName":"spelled","submitOptions":${options}}`;
    const { spec, message } = await (await fetch(url, { method: "POST", headers, body })).json();
    return spec?.entrypoint ?? message;
  };
  // Argo's server reads templates from a cache that is updated with a delay.
  await awaitFact(
    "the template can be submitted",
    async () => !`${await submit("{}")}`.includes("not found"),
    { seconds: 60 },
  );
  const found: unknown[] = [];
  for (const [options] of SPELLINGS) found.push(await submit(options));
  return found;
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "submit: an option may be spelled in any case, and the last one counts, with our server as with Argo's",
  ),
  async fn() {
    const meant = SPELLINGS.map(([, entrypoint]) => entrypoint);
    assertEquals(await entrypointsOf(ACCESSES.argo), meant);
    assertEquals(await entrypointsOf(ACCESSES.ours), meant);
  },
});

/** The commands of a session whose output differs in another session. */
function differingCommands(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  return [...one].filter(([command, output]) => output !== other.get(command))
    .map(([command, output]) => ({ command, output, other: other.get(command) }));
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "Argo's CLI: prints the same with our server as with Argo's except for intended differences, and the same as Argo's without a server",
  ),
  async fn() {
    const ours = await session(ACCESSES.ours);
    const argo = await session(ACCESSES.argo);
    const differences = differingCommands(ours, argo);
    const unintended = differences.filter(({ command }) => !(command in INTENDED));
    assertEquals(unintended, []);
    assertEquals(differences.map(({ command }) => command).sort(), Object.keys(INTENDED).sort());
    const alone = await session(ACCESSES.kubernetes);
    assertEquals(differingCommands(alone, argo), []);
    // Guards against sessions that are equal because no command had an effect.
    const made = ours.get("list -o name --prefix backfill-wf");
    assertEquals(made?.split("\n").length, 2, made);
    assertEquals(ours.get("logs two --no-color --tail 1"), "two-b: dos\ntwo-a: three\n[0]");
    assertEquals(ours.get("submit ended.yaml --name broke --wait")?.endsWith("broke Failed at TIME\n[1]"), true);
  },
});
