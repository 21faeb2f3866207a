/**
 * Compares our CLI with Argo's, with the same objects: on Argo's server and on ours, each with a PostgreSQL for the
 * archive and an artifact store.
 */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { assertEquals } from "@std/assert";
import { parse, stringify } from "yaml";
import type { Artifact, Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { SERVER_KINDS, type TestServer } from "../../lib/storage/database/testing/servers.ts";
import { type KubeClient, type KubeObject, NAMESPACES, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { ALLOW_ALL } from "@tiphys/base/net";
import { OpenLockDatabase } from "@tiphys/storage/lock_database";
import { silentLog } from "@tiphys/base/log";
import { needs } from "../../lib/base/testing/needs.ts";
import { openArtifact } from "@tiphys/service/artifacts";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { runCli } from "../../cli/program.ts";
import { realWorld } from "../../cli/real_world.ts";
import { ARGO_HOME, ARGO_PROGRAM, startArgoServer, startOurServer } from "./argo_server.ts";
import { withoutVariableParts } from "./session.ts";

const NAMESPACE = "tenant";
const uidOf = (index: number) => `${index}aaaaaaa-0000-4000-8000-000000000000`;

const GONE = "--start 'Fri, 30 Dec 2022 00:00:00 UTC' --end 'Mon, 02 Jan 2023 00:00:00 UTC'";

/** The commands, in order of execution. */
const SESSION: readonly string[] = [
  "archive list",
  "archive list -o name",
  "archive list -o wide",
  "archive list -o yaml -l kind=c",
  "archive list -o json -l kind=c",
  "archive list -o short",
  "archive list -l kind=a",
  "archive list -l kind=none",
  "archive list -l kind=none -o name",
  "archive list -l kind=none -o json",
  "archive list -l kind=none -o yaml",
  "archive list -l 'kind in (a,b)' -o name",
  "archive list -l kind!=a -o name",
  "archive list -l kind=",
  "archive list -l ==",
  "archive list --chunk-size 1 -o name",
  "archive list --chunk-size 0 -o name",
  "archive list --chunk-size x",
  "archive list -n elsewhere",
  "archive list extra",
  "archive get one",
  "archive get one -o wide",
  "archive get one -o name",
  "archive get one -o json",
  "archive get one -o yaml",
  "archive get one -o short",
  `archive get ${uidOf(2)}`,
  `archive get ${uidOf(2)} --name`,
  "archive get one --uid",
  "archive get one --uid --name",
  "archive get twin",
  "archive get nope",
  `archive get ${uidOf(9)}`,
  "archive get",
  "archive get one two",
  "archive list-label-keys",
  "archive list-label-keys extra",
  "archive list-label-values -l kind",
  "archive list-label-values -l kind=a",
  "archive list-label-values -l nope",
  "archive list-label-values",
  "archive resubmit one --memoized -o name",
  "archive resubmit one -o name",
  "archive resubmit one two -o name",
  "archive resubmit one --priority 5 -p message=other -o wide",
  "archive resubmit one --priority x",
  "archive resubmit one -p message",
  "archive resubmit one",
  "archive resubmit nope",
  "archive resubmit",
  "archive resubmit -l kind=none",
  "archive resubmit -l kind=b -o name",
  "archive retry one -o name",
  "archive retry one -o name",
  "archive retry two --restart-successful",
  "archive retry two --restart-successful --node-field-selector displayName=two -o name",
  "archive retry nope",
  "archive retry",
  `archive retry ${uidOf(3)} -o name`,
  "archive retry good",
  "archive delete one",
  "archive delete one",
  `archive delete ${uidOf(2)}`,
  `archive delete ${uidOf(2)}`,
  "archive delete nope",
  "archive delete",
  "archive nope",
  "archive list -o name",
  "cp w out",
  "cp w deep/er/out --artifact-name report.txt",
  "cp w out --artifact-name nope",
  "cp w out --node-id w --artifact-name report.txt",
  "cp w out --node-id nope",
  "cp w out --template-name main",
  "cp w out --template-name nope",
  "cp w out --path {workflowName}/{templateName}/{artifactName}",
  "cp w out --path flat --artifact-name report.txt",
  "cp w out --path= --artifact-name report.txt",
  "cp w out -n elsewhere",
  "cp nope out",
  "cp w",
  "cp old out",
  "cp old out --artifact-name report.txt",
  "node set gate --node-field-selector displayName=approve -p answer=yes",
  "node set gate --node-field-selector displayName=approve -p answer=again",
  "node set gate --node-field-selector displayName=approve -p nope=yes",
  "node set gate --node-field-selector displayName=approve -p answer",
  `node set gate2 --node-field-selector displayName=approve -p 'answer="a\\nb"' -m 'a word'`,
  "node set gate --node-field-selector displayName=approve --message 'We did it'",
  "node set gate --node-field-selector displayName=approve --phase Nope",
  "node set gate --node-field-selector displayName=nope --message x",
  "node set gate --node-field-selector ==x --message x",
  "node set gate --message x",
  "node set gate --node-field-selector displayName=approve",
  "node set gate --node-field-selector displayName=approve --phase Succeeded",
  "node set gate --node-field-selector displayName=approve --phase Succeeded",
  "node set nope --node-field-selector displayName=approve --phase Failed",
  "node get gate",
  "node set",
  "node",
  "get gate",
  "get gate2",
  "template list",
  "template list -o name",
  "template create template.yaml",
  "template create template.yaml",
  "template create nope.yaml",
  "template create wrong.yaml",
  "template create cron.yaml",
  "template create",
  "template list",
  "template list -o wide",
  "template list -o name",
  "template list -o json",
  "template list -A",
  "template list -l a=b",
  "template list -n elsewhere",
  "template get tmpl",
  "template get tmpl nope",
  "template get tmpl -o name",
  "template get tmpl -o wide",
  "template get nope",
  "template get",
  "template update template.yaml",
  "template lint template.yaml",
  "template lint wrong.yaml",
  "template lint nope.yaml",
  "template delete nope",
  "template delete",
  "template delete tmpl",
  "template delete --all",
  "template update template.yaml -o name",
  "template delete --all",
  "template nope",
  "template",
  "cluster-template list",
  "cluster-template create cluster_template.yaml",
  "cluster-template create cluster_template.yaml",
  "cluster-template list",
  "cluster-template list -o wide",
  "cluster-template list -o name",
  "cluster-template get ctmpl",
  "cluster-template get nope",
  "cluster-template update cluster_template.yaml -o name",
  "cluster-template lint cluster_template.yaml",
  "cluster-template delete nope",
  "cluster-template delete --all",
  "cron list",
  "cron list -o name",
  "cron create yearly.yaml",
  "cron create yearly.yaml",
  "cron create yearly.yaml --name other --schedule '0 0 1 1 *' -l a=b -p x=y --entrypoint main -o name",
  "cron list",
  "cron list -o wide",
  "cron list -o name",
  "cron list -A",
  "cron list -l a=b",
  "cron get yearly",
  "cron get yearly other",
  "cron get other -o name",
  "cron get nope",
  "cron get",
  "cron suspend yearly",
  "cron suspend yearly nope",
  "cron get yearly",
  "cron resume yearly",
  "cron resume nope",
  "cron resume",
  "cron suspend",
  "cron update yearly.yaml",
  "cron lint yearly.yaml",
  `cron backfill yearly ${GONE} --name bf`,
  `cron backfill yearly ${GONE} --name bp --parallel --argname when --maxworkflowcount 1`,
  `cron backfill yearly --start 2022-12-30T00:00:00Z --end 2023-01-02T00:00:00Z --format 2006-01-02T15:04:05Z07:00 --name bz`,
  "cron backfill yearly --start 'Fri, 30 Dec 2022 00:00:00 UTC' --end 'Sat, 31 Dec 2022 00:00:00 UTC' --name none",
  "cron backfill yearly",
  "cron backfill yearly --start 2022",
  `cron backfill nope ${GONE}`,
  "cron backfill",
  "cron delete nope",
  "cron delete yearly",
  "cron delete",
  "cron delete --all",
  "cron list",
  ...["configmap --cm-name lims", "database"].flatMap((type) =>
    [
      "create lim --limit 3",
      "create lim --limit 3",
      "get lim",
      "update lim --limit 4",
      "get lim",
      "get nope",
      "delete lim",
      "delete lim",
      "update lim --limit 1",
      "create none --limit 0",
      "create less --limit -1",
      "create lim",
      "create lim --limit x",
      "create --limit 1",
    ].map((sync) => `sync ${sync} --type ${type}`)
  ),
  "sync create lim --limit 3",
  "sync create lim --limit 3 --type nope",
  "sync create lim --limit 3 --type configmap",
  "sync",
  "auth token",
  "auth",
  "convert singular.yaml",
  "convert singular.yaml -o json",
  "convert nope.yaml",
  "convert",
  "executor-plugin build plugin",
  "executor-plugin build nope",
  "executor-plugin build",
  "executor-plugin",
];

const NO_NAME = "a missing name is an error; Argo's CLI prints help or nothing, and exits with 0";

/** The commands whose output or exit code differs intentionally from Argo's, with the reason. */
const INTENDED: readonly (readonly [commands: RegExp, reason: string])[] = [
  [/ extra$/, "an unexpected argument is an error"],
  [
    /^(?:archive|template|node) (?:nope|get gate)$/,
    "an unknown subcommand is an error; Argo's CLI prints help",
  ],
  [/^(?:archive|template|cron|cluster-template) (?:get|delete|resubmit|retry|suspend|resume|backfill)$/, NO_NAME],
  [/^cp w$/, NO_NAME],
  [/^archive get (?:one|one -o wide|2a\S*)$/, "the parameters and nodes of the workflow are also printed"],
  [/^archive get one -o name$/, "an output format that other commands support"],
  [/^archive (?:resubmit|retry) .*(?:-o (?:name|wide)|one)$/, "-o is supported; the header is that of submit"],
  [
    /^archive retry two/,
    "--restart-successful without a node selector is an error; Argo's CLI accepts it",
  ],
  [/^cp w out .*nope$/, "a missing artifact is an error; Argo's CLI copies nothing and exits with 0"],
  [/^cp old out/, "artifacts of archived workflows are available; Argo's server does not serve them"],
  [/^node$/, "a group without a subcommand prints help and exits with 0, like all groups"],
  [/^get gate2?$/, "nodes without a pod also have a duration"],
  [/^template list -o json$/, "an output format that other commands support"],
  [/^cron create .*-o name$/, "-o is supported; Argo's CLI ignores it"],
  [/^cron list -l a=b$/, "--labels of create is supported; Argo's CLI ignores it"],
  [/^cron delete (?:yearly|--all)$/, "the deleted objects are printed, as for all kinds"],
  [/^cron backfill yearly .*--maxworkflowcount 1$/, "no workflow without steps is created"],
  [/^convert singular.yaml/, "no field is added to the file"],
];

/** A workflow that waits for a user's answer. */
function gate(name: string): Workflow {
  const startedAt = new Date().toISOString();
  const node = { startedAt, templateScope: `local/${name}` };
  const approve = { ...node, id: `${name}-1`, name: `${name}[0].approve`, displayName: "approve", type: "Suspend" };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, labels: { "workflows.argoproj.io/phase": "Running" } },
    spec: {
      entrypoint: "main",
      templates: [
        { name: "main", steps: [[{ name: "approve", template: "approve" }]] },
        {
          name: "approve",
          suspend: {},
          outputs: { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] },
        },
      ],
    },
    status: {
      phase: "Running",
      startedAt,
      nodes: {
        [name]: { ...node, id: name, name, displayName: name, type: "Steps", templateName: "main", phase: "Running" },
        [approve.id]: {
          ...approve,
          templateName: "approve",
          phase: "Running",
          boundaryID: name,
          outputs: { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] },
        },
      },
    },
  } as Workflow;
}

/** The cluster of the objects. */
interface Cluster {
  readonly api: ApiServer;
  readonly admin: KubeClient;
  readonly settings: Readonly<Record<string, string>>;
}

function databaseOf({ settings: { postgresql } }: TestServer, tableName?: string) {
  if (!postgresql) throw new Error("Expected PostgreSQL, got another database");
  return { postgresql: { ...postgresql, ssl: false, ...(tableName && { tableName }) } };
}

const FILES = { "report.txt": "all is well", empty: "" };

async function createObjects(place: Cluster, database: TestServer, repository: object): Promise<void> {
  const { admin } = place;
  const named = (kind: string, name: string) => ({ apiVersion: "v1", kind, metadata: { name } });
  await admin.create(NAMESPACES, undefined, named("Namespace", NAMESPACE));
  const login = await Promise.all(
    ["user", "password"].map(async (key) => [key, btoa(await database.secret("login", key))]),
  );
  await admin.create(
    SECRETS,
    ARGO_HOME,
    { ...named("Secret", "login"), data: Object.fromEntries(login) } as KubeObject,
  );
  for (const name of ["gate", "gate2"]) await admin.create(WORKFLOWS, NAMESPACE, gate(name));
  const kept = withArtifacts(endedWorkflow("w", 1, { namespace: NAMESPACE, uid: undefined }), repository);
  await admin.create(WORKFLOWS, NAMESPACE, kept);
  for (const [key, text] of Object.entries(FILES)) {
    await using artifact = await openArtifact(admin, kept, { nodeId: "w", artifactName: key }, { reach: ALLOW_ALL });
    if (!("write" in artifact.driver)) throw new TypeError("Expected an object store");
    const bytes = new TextEncoder().encode(text);
    await artifact.driver.write(artifact.place, ReadableStream.from([bytes]), new AbortController().signal);
  }
  const world = { clock: systemClock, log: silentLog, secret: database.secret };
  const persistence = { archive: true, clusterName: "default", ...databaseOf(database, "argo_workflows") };
  await using archive = await OpenArchive.open(persistence, world);
  // Opening the lock database also creates the tables of limits.
  await using _locks = await OpenLockDatabase.open({ controllerName: "a", ...databaseOf(database) }, world);
  const archived: readonly (readonly [name: string, kind: string])[] = [
    ["one", "a"],
    ["two", "b"],
    ["three", "c"],
    ["twin", "d"],
    ["twin", "d"],
    ["good", "e"],
    ["old", "f"],
  ];
  for (const [index, [name, kind]] of archived.entries()) {
    const labels = {
      kind,
      "workflows.argoproj.io/phase": name === "good" ? "Succeeded" : "Failed",
      "workflows.argoproj.io/completed": "true",
      "workflows.argoproj.io/workflow-archiving-status": "Pending",
    };
    const ended = endedWorkflow(name, index, { uid: uidOf(index + 1), labels, namespace: NAMESPACE });
    const spec = { ...ended.spec, arguments: { parameters: [{ name: "message", value: "hello" }] } };
    const workflow = { ...ended, spec } as Workflow;
    const phase = name === "good" ? "Succeeded" : "Failed";
    const node = { ...workflow.status!.nodes![name]!, phase, ...(phase === "Succeeded" && { message: undefined }) };
    const whole = { ...workflow, status: { ...workflow.status, phase, nodes: { [name]: node } } } as Workflow;
    await archive.archive(name === "old" ? withArtifacts(whole, repository) : whole);
  }
}

function withArtifacts(workflow: Workflow, artifactRepository: object): Workflow {
  const { name = "" } = workflow.metadata;
  const artifacts: Artifact[] = Object.keys(FILES).map((key) => ({ name: key, s3: { key } } as Artifact));
  const node = workflow.status!.nodes![name]!;
  return {
    ...workflow,
    status: {
      ...workflow.status,
      artifactRepositoryRef: { artifactRepository },
      nodes: { [name]: { ...node, outputs: { artifacts } } },
    },
  } as Workflow;
}

function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files that the command has written to its folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs a command in a folder. Returns its outputs and its exit code. */
type Run = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
) => Promise<Omit<CommandResult, "files">>;

const argo: Run = async (args, env, folder) => {
  const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
    args: [...args],
    cwd: folder,
    env: { ...env, HOME: "/nonexistent", PATH: "/usr/bin:/bin" },
    clearEnv: true,
    stdin: "null",
    signal: AbortSignal.timeout(120_000),
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
};

/**
 * Runs our CLI in this process, with this folder as working directory. Only its outputs and environment variables are
 * replaced.
 */
const ours: Run = async (args, env, folder) => {
  let [stdout, stderr] = ["", ""];
  const here = Deno.cwd();
  Deno.chdir(folder);
  try {
    const code = await runCli(args, {
      ...realWorld,
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      terminal: () => undefined,
      env: (name) => env[name],
      stdin: () => Promise.resolve(""),
    });
    return { code, stdout, stderr };
  } finally {
    Deno.chdir(here);
  }
};

/** Runs a command in a new folder with the files of `testdata`. */
async function runCommandLine(line: string, run: Run, env: Readonly<Record<string, string>>): Promise<CommandResult> {
  const folder = await Deno.makeTempDir();
  try {
    const testdata = new URL("testdata/", import.meta.url).pathname;
    for (const path of filesOf(testdata)) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.copyFile(`${testdata}/${path}`, `${folder}/${path}`);
    }
    const before = new Set(filesOf(folder));
    const { code, stdout, stderr } = await run(words(line), env, folder);
    const read = (text: string) =>
      withoutVariableParts(text).replaceAll(folder, "FOLDER").replace(/127\.0\.0\.1:\d+/g, "ADDRESS")
        .replace(/^\d{4}\/\d\d\/\d\d [\d:]{8}/gm, "TIME");
    const files = filesOf(folder).filter((path) => !before.has(path))
      .map((path) => [path, Deno.readTextFileSync(`${folder}/${path}`)] as const);
    return { code, stdout: read(stdout), stderr: read(stderr), files: Object.fromEntries(files) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    .filter((path) => Deno.statSync(`${folder}/${path}`).isFile);
}

const postgresql = SERVER_KINDS.find(({ name }) => name === "PostgreSQL")!;

/** A server with all objects, and the environment variables to use it. */
interface TestServerSetup extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
}

async function openSetup(start: typeof startArgoServer): Promise<TestServerSetup> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await postgresql.start());
  const api = createApiServer({ storePath: ":memory:" });
  opened.defer(() => api.close());
  const dataDir = await Deno.makeTempDir({ prefix: "artifacts-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const admin = api.client();
  const store = opened.use(await serveArtifacts(api, { dataDir }));
  const settings = {
    persistence: stringify({ archive: true, clusterName: "default", ...databaseOf(database, "argo_workflows") }),
    synchronization: stringify({ enableAPI: true, ...databaseOf(database) }),
  };
  await createObjects({ api, admin, settings }, database, store.repository);
  const server = opened.use(await start(api, { authMode: "client", settings }));
  const env = {
    ARGO_SERVER: new URL(server.address).host,
    ARGO_SECURE: "false",
    ARGO_TOKEN: `Bearer ${server.token}`,
    ARGO_NAMESPACE: NAMESPACE,
  };
  const parts = opened.move();
  return { env, token: server.token, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** Runs all commands, and returns the result of each. */
async function session(run: Run, { env, token }: TestServerSetup): Promise<Map<string, CommandResult>> {
  const all = new Map<string, CommandResult>();
  for (const [index, line] of SESSION.entries()) {
    const result = await runCommandLine(line, run, env);
    const stdout = result.stdout.replaceAll(token, "TOKEN");
    all.set(`${index} ${line}`, { ...result, stdout });
  }
  return all;
}

/** The part of a result that scripts depend on: the output, success or failure, and the files. */
function scriptVisible(line: string, { code, stdout, files }: CommandResult) {
  // YAML is parsed, because equal values may be formatted differently.
  const written = Object.entries(files).map(([path, text]) => {
    if (!path.endsWith(".yaml")) return [path, text.replace(/[ \t]+$/gm, "")];
    const { data, ...rest } = parse(text);
    return [path, { ...rest, data: { ...data, "sidecar.container": parse(data["sidecar.container"]) } }];
  });
  return { succeeds: code === 0, stdout: comparableOutput(line, stdout), written };
}

function comparableOutput(line: string, stdout: string): string {
  if (/^Usage:/m.test(stdout)) return "help";
  // The labels of an archive have no defined order.
  if (line === "archive list-label-keys") return stdout.split("\n").sort().join("\n");
  const form = /-o (json|yaml)/.exec(line)?.[1];
  if (form === undefined) return stdout;
  // A server may omit the kind in each object and empty fields, and fields have no defined order.
  const fields = stdout.split(form === "json" ? /[\n,{}]+/ : "\n").map((line) => line.trim())
    .filter((line) => !/:(?: ?(?:\{\}|""))?$|^\W*(?:apiVersion|kind"?: ?"?Workflow)/.test(line)).filter(Boolean);
  const isOneLine = form === "json" && !stdout.includes("\n");
  return [...fields.sort(), `${isOneLine ? "one line" : "lines"}`].join("\n");
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program, and Debian's package postgresql",
    ARGO_PROGRAM !== undefined && postgresql.test("").ignore !== true,
    "our CLI: prints the same as Argo's for the archive, artifacts, templates, schedules and limits, with either server",
  ),
  async fn() {
    // Our commands change the working directory of this process, so all servers are started before. Only Argo's
    // commands run in parallel.
    await using ground = await openSetup(startArgoServer);
    await using ownGround = await openSetup(startArgoServer);
    await using ourGround = await openSetup(startOurServer);
    const both = async () => [await session(ours, ownGround), await session(ours, ourGround)];
    const [argos, sessions] = await Promise.all([session(argo, ground), both()]);
    for (const own of sessions) {
      const differing = [...own].map(([key, our]) => {
        const line = key.replace(/^\d+ /, "");
        const argo = argos.get(key)!;
        return {
          line,
          our: scriptVisible(line, our),
          argo: scriptVisible(line, argo),
          errors: [our.stderr, argo.stderr],
        };
      }).filter(({ our, argo }) => JSON.stringify(our) !== JSON.stringify(argo));
      const unintended = differing.filter(({ line }) => !INTENDED.some(([commands]) => commands.test(line)));
      assertEquals(unintended, []);
      const equal = INTENDED.filter(([commands]) => !differing.some(({ line }) => commands.test(line)));
      assertEquals(
        equal.filter(([commands]) => !commands.source.includes("old")),
        [],
        "listed as an intended difference, but equal",
      );
    }
  },
});
