/** The server of the journeys: the page itself, and an API that plays runs, their changes and their logs from data. */
import type { Workflow } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import { makePage } from "../../../server/page/page.ts";
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import type { Lacks, PodTimes } from "../../../ui/api/source.ts";

/** A line of a log, as the server tells it. */
export interface PlayedLine {
  readonly podName: string;
  readonly content: string;
}

/** A request that changed something. */
export interface PlayedAction {
  readonly verb: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The data that the server plays; a journey may change all of it. */
export interface Stage {
  readonly runs: Map<string, Workflow>;
  /** The log of every run. */
  lines: readonly PlayedLine[];
  /** The numbers of lines after which streams of logs break, one after the other. */
  cuts: number[];
  /** Undefined as before a server that does not know: the page works them out. */
  reasons: readonly Reason[] | undefined;
  /** The moments of pods, by their names. */
  podTimes: Readonly<Record<string, PodTimes>>;
  /** The rights that are lacking, by what can be done to a run. */
  lacks: Lacks;
  /** The events of Kubernetes that are told of every run. */
  events: readonly unknown[];
  /** The answer about a run is held until this resolves. */
  beforeRun: Promise<void> | undefined;
  /** Called when a log is asked for. */
  onLog: () => void;
  readonly actions: PlayedAction[];
  /** The queries with which logs were asked for. */
  readonly logQueries: URLSearchParams[];
}

/** A server that plays, until it is disposed. */
export interface PlayedServer extends AsyncDisposable {
  readonly stage: Stage;
  readonly address: string;
  /** Puts a run on the stage, and tells those who watch it. */
  show(run: Workflow): void;
  /** Breaks the streams of logs that are open. */
  cutLogs(): void;
}

/** Starts a server on loopback, with the page of a folder. */
export function playServer(folder: () => Promise<string>): PlayedServer {
  const stage: Stage = {
    runs: new Map(),
    lines: [],
    cuts: [],
    reasons: [],
    podTimes: {},
    lacks: {},
    events: [],
    beforeRun: undefined,
    onLog: () => {},
    actions: [],
    logQueries: [],
  };
  const watchers = new Set<(run: Workflow) => void>();
  const page = makePage({
    folder,
    baseHref: "/",
    login: "token",
    modes: ["client"],
    xFrameOptions: "DENY",
  });
  const left = new AbortController();
  let logs = new AbortController();
  const handler = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/api/v1/")) {
      return await page(request, pathname) ?? new Response(null, { status: 405 });
    }
    const [what, , name = "", part = ""] = pathname.slice("/api/v1/".length).split("/");
    if (what === "info") return Response.json({ extensions: EXTENSIONS.filter((one) => one !== "activity") });
    if (what === "version") return Response.json({ version: "played" });
    if (what === "workflow-events") return stream(watched(watchers));
    if (what === "stream") return stream(toldThenNever(stage.events));
    const run = stage.runs.get(name);
    if (what !== "workflows" || !run) return Response.json({ code: 5, message: `no ${pathname}` }, { status: 404 });
    if (request.method !== "GET") {
      const body = await request.json().catch(() => ({})) as Record<string, unknown>;
      stage.actions.push({ verb: part || "delete", name, body });
      return Response.json(run);
    }
    if (part === "why") {
      return stage.reasons
        ? Response.json({ reasons: stage.reasons })
        : Response.json({ code: 12, message: "not known here" }, { status: 501 });
    }
    if (part === "pod-times") return Response.json({ pods: stage.podTimes });
    if (part === "can") return Response.json({ lacks: stage.lacks });
    if (part === "log") {
      stage.logQueries.push(searchParams);
      stage.onLog();
      return stream(played(stage, searchParams, run.status?.finishedAt ? undefined : logs.signal));
    }
    await stage.beforeRun;
    return Response.json(run);
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, signal: left.signal, onListen() {} }, handler);
  return {
    stage,
    address: `http://127.0.0.1:${server.addr.port}`,
    show(run) {
      stage.runs.set(run.metadata.name!, run);
      for (const tell of watchers) tell(run);
    },
    cutLogs() {
      logs.abort(new Error("the stream is cut"));
      logs = new AbortController();
    },
    async [Symbol.asyncDispose]() {
      left.abort();
      await server.finished;
    },
  };
}

/** Lines from the asked time on, whole seconds as Kubernetes has them; breaks where the stage says so. */
async function* played(stage: Stage, query: URLSearchParams, open: AbortSignal | undefined): AsyncGenerator<unknown> {
  const since = query.get("logOptions.sinceTime");
  const pod = query.get("podName");
  const cut = stage.cuts.shift();
  let told = 0;
  for (const line of stage.lines) {
    if (pod && line.podName !== pod || since && line.content.slice(0, 19) < since.slice(0, 19)) continue;
    if (told++ === cut) throw new Error("the stream is cut");
    yield line;
  }
  // The log of a run that is over has an end, whoever follows it.
  if (query.get("logOptions.follow") !== "true" || !open) return;
  await new Promise((_, reject) => open.addEventListener("abort", () => reject(open.reason), { once: true }));
}

async function* watched(watchers: Set<(run: Workflow) => void>): AsyncGenerator<unknown> {
  const queue: Workflow[] = [];
  let wake = () => {};
  const tell = (run: Workflow) => {
    queue.push(run);
    wake();
  };
  watchers.add(tell);
  try {
    while (true) {
      const run = queue.shift();
      if (run) yield { type: "MODIFIED", object: run };
      else await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    watchers.delete(tell);
  }
}

async function* toldThenNever(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
  await new Promise(() => {});
}

function stream(messages: AsyncGenerator<unknown>): Response {
  const encoder = new TextEncoder();
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A sign of life, so that the browser has the headers before the first message.
      if (!isBegun) {
        isBegun = true;
        return controller.enqueue(encoder.encode(":\n\n"));
      }
      const { done, value } = await messages.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(`data: ${JSON.stringify({ result: value })}\n\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
