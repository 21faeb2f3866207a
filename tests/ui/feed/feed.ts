/** The server of journeys: ours, on an embedded API in memory, on loopback, with faults on request. */
import { ALLOW_ALL } from "@tiphys/base/net";
import type { Workflow } from "@tiphys/model/api";
import { KubeClient, type KubeObject, type Resource, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { createApiServer } from "../../../local/api/mod.ts";
import { API_DOCUMENTS } from "../../../server/api_documents.ts";
import type { Handler } from "../../../server/wire/peer.ts";
import { listen } from "../../../server/listen/listen.ts";
import { makePage } from "../../../server/page/page.ts";
import { pageFolder } from "../../../server/page/page_folder.ts";
import type { Info } from "../../../server/served.ts";
import { startServer } from "../../../server/start.ts";
import { openStores, type Stores } from "./stores.ts";

/** The namespace of runs in journeys. */
export const NAMESPACE = "data";

/** Settings of a feed. */
export interface FeedOptions {
  readonly baseHref?: string;
  readonly info?: Partial<Info>;
  readonly widgetAncestors?: readonly string[];
  /** Adds an archive in a file, and an artifact store on loopback. */
  readonly withStores?: boolean;
}

/** The fields of a request that journeys check. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A running server with its data. */
export interface Feed extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string;
  readonly client: KubeClient;
  /** Requests to the API, in order. */
  readonly seen: readonly SeenRequest[];
  put(...objects: readonly (readonly [Resource, KubeObject])[]): Promise<void>;
  run(name: string, run?: Partial<SeededRun>): Promise<Workflow>;
  /** Changes the status of a run, like a controller. */
  progress(name: string, status: Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a run with artifacts: the files of the node `main`, by `ARTIFACT` or `ARTIFACT/PATH`. */
  runWithArtifacts(name: string, files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<void>;
  /** Archives a run, as the controller does with completed ones. */
  archive(run: KubeObject): Promise<void>;
  /** Intercepts requests. A returned response replaces the server's response; a returned promise delays the request. */
  fault: ((request: SeenRequest, headers: Headers) => Response | Promise<void> | undefined) | undefined;
  /** The current number of open event streams, and the largest number so far. */
  readonly streams: { readonly open: number; readonly peak: number };
  /** Cuts all open streams, like a proxy. */
  cutStreams(): void;
}

/** The fields of a seeded run. */
export interface SeededRun {
  readonly phase: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly startedAt: string;
}

/** The current time in journeys, in milliseconds since the epoch. */
export const NOW = Date.parse("2026-03-28T12:00:00Z");

const PAGE_CACHE = new URL("../../../build/ui-cache", import.meta.url).pathname;
let made: Promise<string> | undefined;

/** The folder of the built page. It is built once for all journeys. */
export const journeyPage = () => made ??= pageFolder(PAGE_CACHE);

/** Starts a server. */
export async function startFeed(
  { baseHref = "/", info, widgetAncestors, withStores = false }: FeedOptions = {},
): Promise<Feed> {
  const api = createApiServer({ storePath: ":memory:" });
  const transport = api.transport();
  const client = new KubeClient(transport);
  const stop = new AbortController();
  const stores = withStores ? await openStores(api) : undefined;
  const server = await startServer({
    own: transport,
    anonymous: transport,
    modes: new Set(["server"]),
    reach: ALLOW_ALL,
    log: silentLog,
    baseHref,
    info: () => ({ links: [], columns: [], modals: {}, ...info }),
    archive: stores?.source,
    artifactRepository: () => stores?.repository,
    page: makePage({
      folder: journeyPage,
      baseHref,
      login: "token",
      modes: ["client", "sso"],
      xFrameOptions: "DENY",
      widgetAncestors,
      documents: API_DOCUMENTS,
    }),
  }, stop.signal);
  const seen: SeenRequest[] = [];
  const streams = { open: 0, peak: 0 };
  let open = new AbortController();
  let fault: Feed["fault"];
  const handler: Handler = async (request, peer) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.startsWith(baseHref) ? `/${pathname.slice(baseHref.length)}` : pathname;
    if (!path.startsWith("/api/") && !path.startsWith("/upload-artifacts/")) return await server(request, peer);
    const requests = [{ method: request.method, path, query: searchParams }];
    const isShared = path === SHARED;
    const content = isShared ? await request.text() : undefined;
    // Streams inside a shared one are recorded like separate requests.
    if (content !== undefined) requests.push(...streamsIn(content));
    seen.push(...requests);
    const refused = requests.map((call) => fault?.(call, request.headers)).find((refusal) => refusal !== undefined);
    if (refused instanceof Promise) await refused;
    if (refused instanceof Response) {
      if (!isShared) await request.body?.cancel();
      return refused;
    }
    // Credentials that journeys type are not valid on the cluster, and removed.
    const headers = new Headers(request.headers);
    headers.delete("authorization");
    headers.delete("cookie");
    const { method, url, signal } = request;
    const passed = isShared
      ? new Request(url, { method, headers, body: content!, signal })
      : new Request(request, { headers });
    const response = await server(passed, peer);
    if (response.headers.get("content-type") !== "text/event-stream") return response;
    return countStream(cuttable(response, open.signal), streams);
  };
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler });
  const put: Feed["put"] = async (...objects) => {
    for (const [resource, object] of objects) {
      await client.create(resource, resource.namespaced ? object.metadata.namespace ?? NAMESPACE : undefined, object);
    }
  };
  await put([{ ...WORKFLOWS, group: "", version: "v1", plural: "namespaces", kind: "Namespace", namespaced: false }, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: NAMESPACE },
  }]);
  return {
    url: `http://127.0.0.1:${listening.port}${baseHref}`,
    client,
    seen,
    streams,
    put,
    async run(name, run = {}) {
      return await client.create<Workflow>(WORKFLOWS, NAMESPACE, seededRun(name, run));
    },
    async runWithArtifacts(name, files) {
      await client.create(WORKFLOWS, NAMESPACE, await storesOf().withArtifacts(client, seededRun(name), files));
    },
    archive: (run) => storesOf().archive(run),
    async progress(name, status) {
      const { phase } = status;
      const labels = typeof phase === "string" ? { "workflows.argoproj.io/phase": phase } : {};
      await client.patch(WORKFLOWS, NAMESPACE, name, { metadata: { labels }, status });
    },
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    cutStreams() {
      open.abort();
      open = new AbortController();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      open.abort();
      await listening.close();
      client.close();
      await stores?.[Symbol.asyncDispose]();
      api.close();
    },
  };

  function storesOf(): Stores {
    if (!stores) throw new Error("Expected a feed that was started withStores");
    return stores;
  }
}

/** A run with a status, as written by a controller. */
export function seededRun(
  name: string,
  { phase = "Running", labels = {}, annotations = {}, status = {}, startedAt }: Partial<SeededRun> = {},
): KubeObject {
  const isOver = phase === "Succeeded" || phase === "Failed" || phase === "Error";
  const started = startedAt ?? new Date(NOW - 180_000).toISOString().replace(".000", "");
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, labels: { "workflows.argoproj.io/phase": phase, ...labels }, annotations },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }] },
    status: {
      phase,
      startedAt: started,
      progress: isOver ? "3/3" : "1/3",
      ...(isOver ? { finishedAt: new Date(Date.parse(started) + 72_000).toISOString().replace(".000", "") } : {}),
      ...status,
    },
  } as unknown as KubeObject;
}

/** The path of the shared stream, which multiplexes others. */
const SHARED = "/api/tiphys/v1/stream";

function streamsIn(content: string): SeenRequest[] {
  const { subscriptions } = JSON.parse(content) as { readonly subscriptions: readonly { readonly path: string }[] };
  return subscriptions.map(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://feed");
    return { method: "GET", path: pathname, query: searchParams };
  });
}

/** Counts a stream while it is being read. */
function countStream({ body, status, headers }: Response, streams: { open: number; peak: number }): Response {
  const reader = body!.getReader();
  streams.peak = Math.max(streams.peak, ++streams.open);
  let isOpen = true;
  const end = () => {
    if (isOpen) streams.open--;
    isOpen = false;
  };
  const read = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(read, { status, headers });
}

function cuttable(response: Response, signal: AbortSignal): Response {
  const cut = new TransformStream<Uint8Array, Uint8Array>();
  response.body?.pipeTo(cut.writable, { signal }).catch(() => {});
  return new Response(cut.readable, { status: response.status, headers: response.headers });
}
