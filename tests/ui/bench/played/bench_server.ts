/**
 * The server of the bench: serves a page, and an API with large runs, live lists and long logs in the REST format of
 * Argo. Runs are named `graph-NODES`, `log-LINES` and `follow-SECONDS`, in any namespace.
 */
import { FollowedLog, wholeLog } from "./log_lines.ts";
import { largeRun, type WantedRun } from "./large_run.ts";
import { largeTemplate } from "./large_template.ts";
import { RunLists } from "./run_lists.ts";
import type { Workflow } from "@tiphys/model/api";
import { PATCHES } from "@tiphys/model/api/workflow_patch";
import { mergeSources } from "../../../../server/shared_stream/merged.ts";
import { serializeMessage } from "../../../../server/shared_stream/routes.ts";
import { withPatches } from "../../../../server/workflows/watch_routes.ts";
import { Announcements, messageOf, type Pieces, silence, Streams } from "./streams.ts";

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** Responds to requests outside the API. */
export type PageHandler = (request: Request, pathname: string) => Promise<Response> | Response;

/** A running server. Disposing it stops it. */
export interface BenchServer extends AsyncDisposable {
  readonly address: string;
  readonly lists: RunLists;
  readonly streams: Streams;
  /** Sent to clients that watch one run. */
  readonly changes: Announcements<Workflow>;
  /** The log of the run that was followed last. */
  followedLog(): FollowedLog | undefined;
  /** Stops listening, and cuts all streams. */
  disconnect(): Promise<void>;
  /** Listens again at the same address. */
  reconnect(): void;
}

/** Starts a server on loopback. */
export function startBenchServer(page: PageHandler): BenchServer {
  const lists = new RunLists();
  const streams = new Streams();
  const changes = new Announcements<Workflow>();
  const runs = new Map<string, Uint8Array<ArrayBuffer>>();
  const logs = new Map<string, FollowedLog>();
  const openStream: OpenStream = (url, from, signal) => {
    const { pathname, searchParams } = new URL(url, "http://bench");
    const [what, namespace = ""] = pathname.slice("/api/v1/".length).split("/");
    if (what !== "workflow-events") return silence(signal);
    return isOfOne(searchParams)
      ? runMessages(changes, namespace, searchParams, signal)
      : lists.watch(namespace, from, signal);
  };
  const handler = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/api/tiphys/v1/stream") {
      const { subscriptions } = await request.json() as { readonly subscriptions: readonly Subscription[] };
      return streams.respond((signal) => multiplexed(subscriptions, openStream, signal));
    }
    if (!pathname.startsWith("/api/v1/")) return await page(request, pathname);
    await request.body?.cancel();
    const [what = "", namespace = "", name = "", part = ""] = pathname.slice("/api/v1/".length).split("/");
    if (what === "info") return Response.json({ links: [], columns: [], modals: {} });
    if (what === "version") return Response.json({ version: "bench" });
    if (what === "userinfo" || what === "tracking") return Response.json({});
    if (what === "workflow-events" || what === "stream") {
      return streams.respond((signal) =>
        openStream(request.url, searchParams.get("listOptions.resourceVersion"), signal)
      );
    }
    if (what === "workflow-templates" && name !== "" && part === "") {
      return Response.json(largeTemplate(namespace, name));
    }
    if (what !== "workflows") {
      return name === "" ? Response.json({ metadata: {}, items: [] }) : notFound(pathname);
    }
    if (name === "") return listResponse(lists, namespace, searchParams);
    const withTimes = searchParams.get("logOptions.timestamps") === "true";
    const [, kind, size = "0"] = /^(graph|log|follow)-(\d+)$/.exec(name) ?? [];
    if (part === "log" && kind === "follow") {
      const log = logs.get(pathname) ?? new FollowedLog(Number(size));
      logs.set(pathname, log);
      return streams.respond((signal) => log.read(searchParams.get("logOptions.sinceTime"), withTimes, signal));
    }
    if (part === "log") return streams.respond(() => wholeLog(kind === "log" ? Number(size) : 1, withTimes));
    if (part !== "") return notFound(pathname);
    const body = runs.get(name) ?? encoder.encode(JSON.stringify(largeRun(runOf(namespace, name))));
    runs.set(name, body);
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const serve = (port: number) => Deno.serve({ hostname: "127.0.0.1", port, onListen() {}, onError }, handler);
  let http: Deno.HttpServer<Deno.NetAddr> | undefined = serve(0);
  const { port } = http.addr;
  const leave = async () => {
    const leaving = http;
    http = undefined;
    const closed = leaving?.shutdown();
    streams.cut();
    await closed;
  };
  return {
    address: `http://127.0.0.1:${port}`,
    lists,
    streams,
    changes,
    followedLog: () => [...logs.values()].at(-1),
    disconnect: leave,
    reconnect: () => http = serve(port),
    [Symbol.asyncDispose]: leave,
  };
}

/** The description of a run, derived from its name. */
export function runOf(namespace: string, name: string): WantedRun {
  const [, kind, size = "1"] = /^(graph|log|follow)-(\d+)$/.exec(name) ?? [];
  return { namespace, name, nodes: kind === "graph" ? Number(size) : 1, isOver: kind === "log" };
}

interface Subscription {
  readonly id: string;
  readonly path: string;
  readonly cursor?: string;
}

/** Opens a stream by its URL, from a resource version. */
type OpenStream = (url: string, from: string | null, signal: AbortSignal) => Pieces;

/** Multiplexes streams into one, like our server. */
async function* multiplexed(
  subscriptions: readonly Subscription[],
  openStream: OpenStream,
  signal: AbortSignal,
): Pieces {
  const sources = subscriptions.map(({ id, path, cursor = null }) =>
    async function* () {
      yield [serializeMessage(id, { open: true })];
      for await (const piece of openStream(path, cursor, signal)) {
        yield [`event: ${id}\n${decoder.decode(piece)}`];
      }
    }
  );
  for await (const texts of mergeSources(sources)) yield encoder.encode(texts.join(""));
}

/**
 * The messages about a run: its current state, then its changes. As patches if the client requests them, like our
 * server.
 */
async function* runMessages(
  changes: Announcements<Workflow>,
  namespace: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Pieces {
  async function* wholeRunEvents() {
    yield { type: "ADDED", object: largeRun(runOf(namespace, nameIn(query))) };
    for await (const object of changes.listen(signal)) yield { type: "MODIFIED", object };
  }
  const messages = query.get("patches") === PATCHES ? withPatches(wholeRunEvents()) : wholeRunEvents();
  for await (const message of messages) yield messageOf(message);
}

function isOfOne(query: URLSearchParams): boolean {
  return nameIn(query) !== "";
}

function nameIn(query: URLSearchParams): string {
  const [, name = ""] = /(?:^|,)metadata\.name=([^,]*)/.exec(query.get("listOptions.fieldSelector") ?? "") ?? [];
  return name;
}

function listResponse(lists: RunLists, namespace: string, query: URLSearchParams): Response {
  const [, wanted = ""] = /metadata\.name=([^,]*)/.exec(query.get("listOptions.fieldSelector") ?? "") ?? [];
  const all = lists.runsOf(namespace).filter(({ metadata }) => metadata.name!.includes(wanted));
  const items = all.slice(0, Number(query.get("listOptions.limit") || all.length));
  return Response.json({ metadata: { resourceVersion: "1" }, items });
}

function notFound(pathname: string): Response {
  return Response.json({ code: 5, message: `no ${pathname}` }, { status: 404 });
}

/** Errors of streams that were cut are not reported: their clients are gone. */
function onError(): Response {
  return new Response(null, { status: 500 });
}
