/** The server of the benches: the page itself, and an API that plays large runs, a live list and a long log. */
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { makePage } from "../../../server/page/page.ts";
import { pageFolder } from "../../../server/page/page_folder.ts";

const NAMESPACE = "data";
const STARTED = "2026-01-01T00:00:00Z";
const encoder = new TextEncoder();

/** The runs of the live list, and how often one of them changes. */
export const LIVE = { runs: 500, updatesPerSecond: 50 } as const;

/** A server, until it is disposed. */
export interface BenchServer extends AsyncDisposable {
  readonly address: string;
}

/** Starts a server on loopback: runs are `graph-NODES` and `log-LINES`. */
export function startBenchServer(cache: string): BenchServer {
  const left = new AbortController();
  const page = makePage({
    folder: () => pageFolder(cache),
    baseHref: "/",
    login: "token",
    xFrameOptions: "DENY",
  });
  const made = new Map<string, Uint8Array<ArrayBuffer>>();
  const handler = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/api/v1/")) return await page(request, pathname) ?? new Response(null, { status: 405 });
    const [what, , name = "", part = ""] = pathname.slice("/api/v1/".length).split("/");
    if (what === "info") return Response.json({ links: [], columns: [] });
    if (what === "version") return Response.json({ version: "bench" });
    if (what === "workflow-events") {
      const isOne = searchParams.get("listOptions.fieldSelector")?.startsWith("metadata.name=") ?? false;
      return stream(isOne ? silence(left.signal) : updates(left.signal));
    }
    if (what !== "workflows") return Response.json({ code: 5, message: `no ${pathname}` }, { status: 404 });
    if (name === "") return Response.json(list());
    const [, kind, count = "0"] = /^(graph|log)-(\d+)$/.exec(name) ?? [];
    if (part === "log") return stream(logLines(Number(count)));
    const body = made.get(name) ?? encoder.encode(JSON.stringify(bigRun(name, kind === "graph" ? Number(count) : 1)));
    made.set(name, body);
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, signal: left.signal, onListen() {} }, handler);
  return {
    address: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      left.abort();
      await server.finished;
    },
  };
}

/** One flat DAG with two edges a node, most of it done, some failed. */
function bigRun(name: string, count: number): Workflow {
  const tasks = Array.from({ length: count }, (_, i) => ({
    name: `t${i}`,
    template: "work",
    dependencies: i < 10 ? [] : [`t${i - 1 - (i * 7) % 9}`, `t${Math.floor(i / 10) * 10 - 1 - (i * 13) % 10}`],
  }));
  const times = { startedAt: STARTED, finishedAt: "2026-01-01T00:01:00Z" };
  const nodes: Record<string, NodeStatus> = {
    [name]: {
      id: name,
      name,
      displayName: name,
      type: "DAG",
      phase: "Running",
      templateName: "main",
      startedAt: STARTED,
    },
  };
  for (const [i, task] of tasks.entries()) {
    const id = `${name}-${i}`;
    nodes[id] = {
      id,
      name: `${name}.${task.name}`,
      displayName: task.name,
      type: "Pod",
      phase: i % 1000 === 999 ? "Failed" : "Succeeded",
      boundaryID: name,
      templateName: "work",
      ...times,
    };
  }
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  const metadata = { name, namespace: NAMESPACE, uid: `uid-${name}`, resourceVersion: "1" };
  const spec = { entrypoint: "main", templates };
  return { metadata, spec, status: { phase: "Running", startedAt: STARTED, nodes } };
}

function row(at: number, version: number): Workflow {
  const metadata = {
    name: `etl-${at}`,
    namespace: NAMESPACE,
    uid: `uid-${at}`,
    resourceVersion: String(version),
    labels: { "workflows.argoproj.io/phase": "Running", team: `team-${at % 7}` },
  };
  const startedAt = new Date(Date.parse(STARTED) + at * 1000).toISOString();
  const status = { phase: "Running" as const, startedAt, progress: `${version % 40}/40`, message: `step ${version}` };
  return { metadata, spec: {}, status };
}

function list() {
  const items = Array.from({ length: LIVE.runs }, (_, at) => row(LIVE.runs - 1 - at, 1));
  return { metadata: { resourceVersion: "1" }, items };
}

async function* updates(signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let version = 1;
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 1000 / LIVE.updatesPerSecond));
    version++;
    yield message({ type: "MODIFIED", object: row(version * 7 % LIVE.runs, version) });
  }
}

async function* silence(signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  yield encoder.encode(":\n\n");
}

/** Lines of 120 bytes, many to a chunk; put together without much work, so that the page is what is measured. */
async function* logLines(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const AT_ONCE = 1_000;
  const FILLING = "of the log of a loop that tells what it does ".repeat(3);
  for (let from = 0; from < count; from += AT_ONCE) {
    // A thousand lines are the milliseconds of one second.
    const second = new Date(Date.parse(STARTED) + from).toISOString().slice(0, "2026-01-01T00:00:00.".length);
    let text = "";
    for (let at = from; at < Math.min(count, from + AT_ONCE); at++) {
      const own = `${second}${String(at - from).padStart(3, "0")}Z line ${at} `;
      text += `data: {"result":{"content":"${own}${FILLING.slice(0, 120 - own.length)}","podName":"pod"}}\n\n`;
    }
    yield await Promise.resolve(encoder.encode(text));
  }
}

function message(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ result: value })}\n\n`);
}

function stream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): Response {
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isBegun) {
        isBegun = true;
        return controller.enqueue(encoder.encode(":\n\n"));
      }
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // The chunks under way end with their next pull; nobody reads them any more.
    cancel: () => void chunks.return(undefined),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
