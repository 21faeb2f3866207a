/** A test server: serves the page, and an API that plays runs, their changes and their logs from data. */
import type { Workflow } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import { makePage } from "../../../server/page/page.ts";
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import type { MissingRightsByAction, PodTimes } from "../../../ui/api/source.ts";

/** A line of a log, as sent by the server. */
export interface PlayedLine {
  readonly podName: string;
  readonly content: string;
}

/** A request that changes an object. */
export interface PlayedAction {
  readonly verb: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The data of the server. A journey may change all of it. */
export interface Stage {
  readonly runs: Map<string, Workflow>;
  /** The log of every run. */
  lines: readonly PlayedLine[];
  /** The line counts after which log streams are cut, one stream after the other. */
  cuts: number[];
  /** The reasons why a run waits. If undefined, the server does not provide them, and the page computes them. */
  reasons: readonly Reason[] | undefined;
  /** The times of pods, by name. */
  podTimes: Readonly<Record<string, PodTimes>>;
  /** The missing rights, by action on a run. */
  lacks: MissingRightsByAction;
  /** The Kubernetes events of every run. */
  events: readonly unknown[];
  /** The response with a run is delayed until this resolves. */
  beforeRun: Promise<void> | undefined;
  /** Called when a log is requested. */
  onLog: () => void;
  readonly actions: PlayedAction[];
  /** The queries of log requests. */
  readonly logQueries: URLSearchParams[];
}

/** A running server. Disposing it stops it. */
export interface PlayedServer extends AsyncDisposable {
  readonly stage: Stage;
  readonly address: string;
  /** Stores a run, and sends it to its watchers. */
  show(run: Workflow): void;
  /** Cuts the open log streams. */
  cutLogs(): void;
}

/** Starts a server on loopback that serves the page of a folder. */
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
    if (what === "info") {
      return Response.json({ extensions: EXTENSIONS.filter((extension) => extension !== "activity") });
    }
    if (what === "version") return Response.json({ version: "played" });
    if (what === "workflow-events") return stream(runUpdates(watchers));
    if (what === "stream") return stream(messagesThenSilence(stage.events));
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
      return stream(logLines(stage, searchParams, run.status?.finishedAt ? undefined : logs.signal));
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

/**
 * Yields lines since a time, which is truncated to seconds as in Kubernetes. Fails after a number of lines given by
 * `cuts`.
 */
async function* logLines(stage: Stage, query: URLSearchParams, open: AbortSignal | undefined): AsyncGenerator<unknown> {
  const since = query.get("logOptions.sinceTime");
  const pod = query.get("podName");
  const cut = stage.cuts.shift();
  let sent = 0;
  for (const line of stage.lines) {
    if (pod && line.podName !== pod || since && line.content.slice(0, 19) < since.slice(0, 19)) continue;
    if (sent++ === cut) throw new Error("the stream is cut");
    yield line;
  }
  // The log of a completed run ends, even if it is followed.
  if (query.get("logOptions.follow") !== "true" || !open) return;
  await new Promise((_, reject) => open.addEventListener("abort", () => reject(open.reason), { once: true }));
}

async function* runUpdates(watchers: Set<(run: Workflow) => void>): AsyncGenerator<unknown> {
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

async function* messagesThenSilence(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
  await new Promise(() => {});
}

function stream(messages: AsyncGenerator<unknown>): Response {
  const encoder = new TextEncoder();
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Sends a comment first, so that the browser receives the headers before the first message.
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
