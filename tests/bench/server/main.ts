/**
 * `deno task bench server`: our server, and Argo's where ARGO_CLI names its program, each over the same cluster and the same
 * archive, one after the other. LIVE, ARCHIVED and NODES are other sizes than 10,000, 100,000 and 10,000;
 * TIMES than 100 how often each list is asked for; DATABASE is the one kind that is measured (SQLite, PostgreSQL, MariaDB),
 * PROGRAM the one server (Tiphys, Argo).
 */
import { SERVER_KINDS, type ServerKind, type TestServer } from "../../../lib/storage/database/testing/servers.ts";
import { connectKubeconfig, KubeClient } from "@tiphys/kube";
import { bundleProgram } from "../../../scripts/build_executor.ts";
import { programCommand, SERVER_PROGRAM } from "../../../scripts/image_programs.ts";
import { awaitFact } from "../../await_fact.ts";
import { type Figures, measure, type Measured } from "./measure.ts";
import { fillArchive, fillCluster, nameArchive, NAMESPACE, newestOf } from "./seed.ts";

const FOLDER = new URL("../../../build/bench/argo-server", import.meta.url).pathname;
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
/** The lines of a server's log that are shown. */
const MOST_TOLD = 3;
const FLAGS = ["--secure=false", "--auth-mode=server", `--namespace=${NAMESPACE}`, ...ASKS_FREELY];

/** Our server as it is delivered: one bundle, with the flags of its image. */
async function ours(): Promise<Program> {
  const { entry, parts, flags } = SERVER_PROGRAM;
  const command = programCommand(SERVER_PROGRAM, await bundleProgram(FOLDER, entry, parts, flags));
  return {
    name: "Tiphys",
    command: [...command, ...FLAGS, "--address=127.0.0.1", "--loglevel=warn"],
    engines: ["sqlite", "postgresql", "mysql"],
  };
}

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
    stderr: "piped",
  }).spawn();
  const said = told(child.stderr);
  const url = `http://127.0.0.1:${port}`;
  try {
    // A server that serves while it still reads its cluster lists the archive alone.
    await awaitFact("the server lists the newest workflow first", async () => {
      const response = await fetch(`${url}/api/v1/workflows/${NAMESPACE}?listOptions.limit=1`).catch(() => undefined);
      const items = response?.ok ? (await response.json()).items : undefined;
      return items?.[0]?.metadata.name === newestOf(SIZES.live);
    }, { seconds: 120 });
    await use({ url, pid: child.pid });
  } finally {
    child.kill("SIGKILL");
    await child.status;
    const lines = await said;
    for (const line of lines.slice(0, MOST_TOLD)) console.log(`  it said: ${line.slice(0, 200)}`);
    if (lines.length > MOST_TOLD) console.log(`  and ${lines.length - MOST_TOLD} more lines`);
  }
}

/** The lines that a server wrote, the same one told once whatever its time. */
async function told(stream: ReadableStream<Uint8Array>): Promise<string[]> {
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

/** The mean numbers of processes that wanted a processor in the last 1, 5 and 15 minutes. */
function load(): string {
  return Deno.loadavg().map((one) => one.toFixed(1)).join(" ");
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
  console.log(`${SIZES.live} workflows are there, one with ${SIZES.nodes} nodes`);
  const argo = peer();
  if (!argo) console.log("Argo's server is skipped: ARGO_CLI names no program");
  const results: { title: string; figures: Figures }[] = [];
  const only = Deno.env.get("DATABASE");
  const programs = [await ours(), argo].filter((one) => one !== undefined && isMeant(one));
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
  console.log(`\nThe load of the machine: ${loadBefore} before, ${load()} after`);
  client.close();
} finally {
  await api.stdin.close();
  await api.status;
  await Deno.remove(folder, { recursive: true });
}
