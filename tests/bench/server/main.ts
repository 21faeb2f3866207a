/**
 * `deno task bench server`: measures our server, and Argo's if ARGO_CLI is the path of its program. Both run on the
 * same cluster and the same archive, one after the other.
 *
 * Environment: LIVE, ARCHIVED and NODES are the numbers of objects (10,000, 100,000 and 10,000 by default); TIMES is
 * the number of requests of each list (100); DATABASE selects one kind (SQLite, PostgreSQL, MariaDB); PROGRAM selects
 * one server (Tiphys, Argo).
 */
import { SERVER_KINDS, type ServerKind, type TestServer } from "../../../lib/storage/database/testing/servers.ts";
import { KubeClient } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { bundleProgram } from "../../../scripts/build_executor.ts";
import { programCommand, SERVER_PROGRAM } from "../../../scripts/image_programs.ts";
import { awaitFact } from "../../await_fact.ts";
import { type Figures, type ListeningServer, measure } from "./measure.ts";
import { configureArchive, fillArchive, fillCluster, NAMESPACE, newestOf } from "./seed.ts";

const FOLDER = new URL("../../../build/bench/argo-server", import.meta.url).pathname;
const sizeOf = (name: string, defaultValue: number) => Number(Deno.env.get(name) || defaultValue);
const SIZES = { live: sizeOf("LIVE", 10_000), archived: sizeOf("ARCHIVED", 100_000), nodes: sizeOf("NODES", 10_000) };

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  /** The supported database engines. */
  readonly engines: readonly string[];
}

/**
 * Argo's server limits its requests to the cluster to 20 per second by default. Raised, so that the server itself is
 * measured.
 */
const NO_RATE_LIMIT = ["--kube-api-qps=10000", "--kube-api-burst=10000"];
/** The number of log lines of a server that are printed. */
const MAX_LINES = 3;
const FLAGS = ["--secure=false", "--auth-mode=server", `--namespace=${NAMESPACE}`, ...NO_RATE_LIMIT];

/** Our server as it is shipped: one bundle, with the flags of its image. */
async function findOwnServer(): Promise<Program> {
  const { entry, parts, flags } = SERVER_PROGRAM;
  const command = programCommand(SERVER_PROGRAM, await bundleProgram(FOLDER, entry, parts, flags));
  return {
    name: "Tiphys",
    command: [...command, ...FLAGS, "--address=127.0.0.1", "--loglevel=warn"],
    engines: ["sqlite", "postgresql", "mysql"],
  };
}

function findArgoServer(): Program | undefined {
  const program = Deno.env.get("ARGO_CLI");
  if (!program) return undefined;
  return { name: "Argo", command: [program, "server", ...FLAGS, "--loglevel=fatal"], engines: ["postgresql", "mysql"] };
}

/** Whether a server is selected. */
function isSelected({ name }: Program): boolean {
  return [undefined, "", name].includes(Deno.env.get("PROGRAM"));
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

/** Runs a server while a function uses it. */
async function withServer(program: Program, kubeconfig: string, use: (server: ListeningServer) => Promise<void>) {
  const port = freePort();
  const [command = "", ...args] = program.command;
  const child = new Deno.Command(command, {
    args: [...args, `--kubeconfig=${kubeconfig}`, `--port=${port}`, "--api-rate-limit=1000000"],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const logged = logLines(child.stderr);
  const url = `http://127.0.0.1:${port}`;
  try {
    // A server that still fills its cache may list only the archive.
    await awaitFact("the server lists the newest workflow first", async () => {
      const response = await fetch(`${url}/api/v1/workflows/${NAMESPACE}?listOptions.limit=1`).catch(() => undefined);
      const items = response?.ok ? (await response.json()).items : undefined;
      return items?.[0]?.metadata.name === newestOf(SIZES.live);
    }, { seconds: 120 });
    await use({ url, pid: child.pid });
  } finally {
    child.kill("SIGKILL");
    await child.status;
    const lines = await logged;
    for (const line of lines.slice(0, MAX_LINES)) console.log(`  log: ${line.slice(0, 200)}`);
    if (lines.length > MAX_LINES) console.log(`  and ${lines.length - MAX_LINES} more lines`);
  }
}

/** The distinct log lines of a server, ignoring their times. */
async function logLines(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const lines = new Set<string>();
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    for (const part of parts) if (lines.size < 1_000) lines.add(part.replace(/^time=\S+ /, ""));
  }
  return [...lines, ...(rest ? [rest] : [])];
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

/** The load averages of the last 1, 5 and 15 minutes. */
function load(): string {
  return Deno.loadavg().map((load) => load.toFixed(1)).join(" ");
}

const loadBefore = load();
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
  console.log(`Created ${SIZES.live} workflows, one with ${SIZES.nodes} nodes`);
  const argo = findArgoServer();
  if (!argo) console.log("Argo's server is skipped: ARGO_CLI is not set");
  const results: { title: string; figures: Figures }[] = [];
  const only = Deno.env.get("DATABASE");
  const programs = [await findOwnServer(), argo].filter((program) => program !== undefined && isSelected(program));
  for (const kind of SERVER_KINDS.filter(({ name }) => !only || name === only)) {
    const { ignore } = kind.test("bench");
    if (ignore) {
      console.log(`${kind.name} is skipped: it is not installed`);
      continue;
    }
    await withArchive(kind, async (database) => {
      await configureArchive(client, database);
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
  console.log(`\nThe load of the machine: ${loadBefore} before, ${load()} after`);
  client.close();
} finally {
  await api.stdin.close();
  await api.status;
  await Deno.remove(folder, { recursive: true });
}
