/**
 * Compares the output of Argo's CLI about data in a database (the archive, limits of semaphores) with our server and
 * with Argo's own.
 */
import { assertEquals } from "@std/assert";
import { stringify } from "yaml";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { SERVER_KINDS, type TestServer } from "../../lib/storage/database/testing/servers.ts";
import { type KubeObject, NAMESPACES, SECRETS } from "@tiphys/kube";
import { OpenLockDatabase } from "@tiphys/storage/lock_database";
import { silentLog } from "@tiphys/base/log";
import { needs } from "../../lib/base/testing/needs.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { ARGO_HOME, ARGO_PROGRAM, startArgoServer, startOurServer } from "./argo_server.ts";
import { withoutVariableParts } from "./session.ts";

const NAMESPACE = "tenant";
const UIDS = { one: "1aaaaaaa-0000-4000-8000-000000000001", two: "2aaaaaaa-0000-4000-8000-000000000002" };

const SESSION = [
  ...["create lim --limit 3", "create lim --limit 3", "get lim", "update lim --limit 4", "get lim"],
  ...["delete lim", "get lim", "delete lim", "update lim --limit 1", "create none --limit 0", "create less --limit -1"],
].map((sync) => `sync ${sync} --type database`).concat([
  "archive list",
  "archive list -o wide",
  "archive list -o name",
  "archive list -l kind=a",
  "archive list -l kind=none",
  "archive list -l kind=",
  "archive list --chunk-size 1",
  "archive get one",
  `archive get ${UIDS.two}`,
  "archive get one -o yaml",
  "archive get nope",
  "archive list-label-keys",
  "archive list-label-values -l kind",
  "archive list-label-values -l kind=a",
  "archive list-label-values",
  "archive resubmit one --memoized",
  "archive resubmit one",
  "archive resubmit nope",
  "archive resubmit -l kind=none",
  "archive retry one",
  "archive retry one",
  "archive retry nope",
  `archive retry ${UIDS.two}`,
  "archive delete one",
  "archive delete one",
  `archive delete ${UIDS.two}`,
  "archive list",
]);

/** The commands whose output differs intentionally between our server and Argo's, with the reason. */
const INTENDED: Readonly<Record<string, string>> = {};

type Start = typeof startArgoServer;

async function session(database: TestServer, start: Start): Promise<ReadonlyMap<string, string>> {
  const api = createApiServer({ storePath: ":memory:" });
  const admin = api.client();
  try {
    const named = (kind: string, name: string) => ({ apiVersion: "v1", kind, metadata: { name } });
    await admin.create(NAMESPACES, undefined, named("Namespace", NAMESPACE));
    const secrets = await Promise.all(
      ["user", "password"].map(async (key) => [key, btoa(await database.secret("login", key))]),
    );
    const login = { ...named("Secret", "login"), data: Object.fromEntries(secrets) } as KubeObject;
    await admin.create(SECRETS, ARGO_HOME, login);
    const persistence = { archive: true, clusterName: "default", ...settingsOf(database, "argo_workflows") };
    await fill(database, persistence);
    const settings = {
      persistence: stringify(persistence),
      synchronization: stringify({ enableAPI: true, ...settingsOf(database) }),
    };
    await using server = await start(api, { authMode: "client", settings });
    const all = new Map<string, string>();
    for (const [index, args] of SESSION.entries()) {
      const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
        args: args.split(" "),
        env: {
          ARGO_SERVER: new URL(server.address).host,
          ARGO_SECURE: "false",
          ARGO_TOKEN: `Bearer ${server.token}`,
          ARGO_NAMESPACE: NAMESPACE,
          HOME: "/nonexistent",
        },
        clearEnv: true,
        signal: AbortSignal.timeout(60_000),
      }).output();
      const text = new TextDecoder();
      const lines = withoutVariableParts(text.decode(stdout) + text.decode(stderr)).split("\n");
      // The labels of an archive have no defined order.
      const said = args === "archive list-label-keys" ? lines.toSorted() : lines;
      all.set(`${index} ${args}`, `${said.join("\n")}\n[${code}]`);
    }
    return all;
  } finally {
    api.close();
  }
}

function settingsOf({ settings: { postgresql } }: TestServer, tableName?: string) {
  if (!postgresql) throw new Error("Expected PostgreSQL, got another database");
  return { postgresql: { ...postgresql, ssl: false, ...(tableName && { tableName }) } };
}

/** Archives two completed workflows. */
async function fill(database: TestServer, settings: object): Promise<void> {
  const world = { clock: systemClock, log: silentLog, secret: database.secret };
  await using archive = await OpenArchive.open(settings, world);
  // Opening the lock database also creates the tables of limits.
  await using _locks = await OpenLockDatabase.open({ controllerName: "a", ...settingsOf(database) }, world);
  for (const [index, [name, uid]] of Object.entries(UIDS).entries()) {
    const kind = index === 0 ? "a" : "b";
    const labels = {
      kind,
      "workflows.argoproj.io/phase": "Failed",
      "workflows.argoproj.io/completed": "true",
      "workflows.argoproj.io/workflow-archiving-status": "Pending",
    };
    await archive.archive({ ...endedWorkflow(name, index, { uid, labels, namespace: NAMESPACE }) });
  }
}

const postgresql = SERVER_KINDS.find(({ name }) => name === "PostgreSQL")!;

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program, and Debian's package postgresql",
    ARGO_PROGRAM !== undefined && postgresql.test("").ignore !== true,
    "Argo's CLI: prints the same limits and archive of a database with our server as with Argo's",
  ),
  async fn() {
    await using database = await postgresql.start();
    const ours = await session(database, startOurServer);
    const argo = await session(database, startArgoServer);
    const differing = [...ours].filter(([command, output]) => output !== argo.get(command));
    const unmeant = differing.filter(([command]) => !(command.replace(/^\d+ /, "") in INTENDED))
      .map(([command, output]) => ({ command, ours: output, argo: argo.get(command) }));
    assertEquals(unmeant, []);
    assertEquals(new Set(differing.map(([command]) => command.replace(/^\d+ /, ""))), new Set(Object.keys(INTENDED)));
    assertEquals(ours.get("2 sync get lim --type database")?.includes("3"), true);
    assertEquals(ours.get("13 archive list -o name"), "two\none\n[0]");
  },
});
