/**
 * `deno task bench:server`: our server, and Argo's where ARGO_CLI names its program, each over the same cluster and the same
 * archive, one after the other. LIVE, ARCHIVED and NODES are other sizes than 10,000, 100,000 and 10,000;
 * TIMES than 100 how often each list is asked for; DATABASE is the one kind that is measured (SQLite, PostgreSQL, MariaDB),
 * PROGRAM the one server (Tiphys, Argo).
 */
import { SERVER_KINDS, type ServerKind, type TestServer } from "../../../lib/database/testing/servers.ts";
import { connectKubeconfig, KubeClient } from "../../../lib/kube/mod.ts";
import { awaitFact } from "../../await_fact.ts";
import { type Figures, measure, type Measured } from "./measure.ts";
import { fillArchive, fillCluster, nameArchive, NAMESPACE } from "./seed.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const sizeOf = (name: string, usual: number) => Number(Deno.env.get(name) || usual);
const SIZES = { live: sizeOf("LIVE", 10_000), archived: sizeOf("ARCHIVED", 100_000), nodes: sizeOf("NODES", 10_000) };

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  /** The engines of databases that it knows. */
  readonly engines: readonly string[];
}

/** Argo's server asks its cluster 20 times a second unless it is told otherwise: what is measured is the server. */
const ASKS_FREELY = ["--kube-api-qps=10000", "--kube-api-burst=10000"];
const FLAGS = ["--secure=false", "--auth-mode=server", `--namespace=${NAMESPACE}`, ...ASKS_FREELY];
const OURS: Program = {
  name: "Tiphys",
  command: [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    `${ROOT}server/main.ts`,
    ...FLAGS,
    "--address=127.0.0.1",
    "--loglevel=warn",
  ],
  engines: ["sqlite", "postgresql", "mysql"],
};

function peer(): Program | undefined {
  const program = Deno.env.get("ARGO_CLI");
  if (!program) return undefined;
  return { name: "Argo", command: [program, "server", ...FLAGS, "--loglevel=fatal"], engines: ["postgresql", "mysql"] };
}

/** Whether the server of that name is measured. */
function isMeant({ name }: Program): boolean {
  return [undefined, "", name].includes(Deno.env.get("PROGRAM"));
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

/** Runs a server while something is done with it. */
async function withServer(program: Program, kubeconfig: string, use: (server: Measured) => Promise<void>) {
  const port = freePort();
  const [command = "", ...args] = program.command;
  const child = new Deno.Command(command, {
    args: [...args, `--kubeconfig=${kubeconfig}`, `--port=${port}`, "--api-rate-limit=1000000"],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const url = `http://127.0.0.1:${port}`;
  try {
    await awaitFact("the server lists workflows", async () => {
      const response = await fetch(`${url}/api/v1/workflows/${NAMESPACE}?listOptions.limit=1`).catch(() => undefined);
      const items = response?.ok ? (await response.json()).items : undefined;
      return Boolean(items?.length);
    }, { seconds: 120 });
    await use({ url, pid: child.pid });
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
}

async function withArchive(kind: ServerKind, use: (database: TestServer) => Promise<void>): Promise<void> {
  await using database = await kind.start();
  const begun = performance.now();
  await fillArchive(database, SIZES.archived);
  console.log(`${kind.name}: ${SIZES.archived} archived workflows in ${Math.round(performance.now() - begun)} ms`);
  await use(database);
}

function print(results: readonly { readonly title: string; readonly figures: Figures }[]): void {
  const names = [...new Set(results.flatMap(({ figures }) => [...figures.keys()]))];
  console.log(`\n| | ${results.map(({ title }) => title).join(" | ")} |\n|${"---|".repeat(results.length + 1)}`);
  for (const name of names) {
    console.log(`| ${name} | ${results.map(({ figures }) => figures.get(name) ?? "").join(" | ")} |`);
  }
}

const folder = await Deno.makeTempDir({ prefix: "bench-server-" });
const kubeconfig = `${folder}/kubeconfig`;
const api = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--no-check", new URL("api.ts", import.meta.url).pathname, kubeconfig],
  stdin: "piped",
  stdout: "piped",
  stderr: "inherit",
}).spawn();
try {
  await api.stdout.getReader().read();
  const { transport } = await connectKubeconfig({ kubeconfig });
  const client = new KubeClient(transport);
  await fillCluster(client, SIZES.live, SIZES.nodes);
  console.log(`${SIZES.live} workflows are there, one with ${SIZES.nodes} nodes`);
  const argo = peer();
  if (!argo) console.log("Argo's server is skipped: ARGO_CLI names no program");
  const results: { title: string; figures: Figures }[] = [];
  const only = Deno.env.get("DATABASE");
  const programs = [OURS, argo].filter((one) => one !== undefined && isMeant(one));
  for (const kind of SERVER_KINDS.filter(({ name }) => !only || name === only)) {
    const { ignore } = kind.test("bench");
    if (ignore) {
      console.log(`${kind.name} is skipped: it is not installed`);
      continue;
    }
    await withArchive(kind, async (database) => {
      await nameArchive(client, database);
      for (const program of programs) {
        if (!program?.engines.includes(database.engine)) continue;
        const title = `${program.name}, ${kind.name}`;
        console.log(title);
        await withServer(program, kubeconfig, async (server) => {
          results.push({ title, figures: await measure(server, client, console.log) });
        });
      }
    });
  }
  print(results);
  client.close();
} finally {
  await api.stdin.close();
  await api.status;
  await Deno.remove(folder, { recursive: true });
}
