/** The API server as a whole: its state, its ways in, its end. */

import {
  CUSTOM_RESOURCE_DEFINITIONS,
  EXEC_PROTOCOLS,
  handlerTransport,
  KubeClient,
  type WebSocketLike,
} from "../../lib/kube/mod.ts";
import { makeServerCertificate, type ServerCertificate } from "./certificate.ts";
import type { ApiContext } from "./context.ts";
import { serveExec } from "./exec_session.ts";
import { startGarbageCollector } from "./garbage.ts";
import { errorResponse, handleRequest, type HandlerWorld } from "./handler.ts";
import { type KubeletHooks, namedContainer, requireKubelet } from "./kubelet_hooks.ts";
import { memorySocketPair } from "./memory_socket.ts";
import { ensureNamespace, INITIAL_NAMESPACES } from "./namespaces.ts";
import { parseRoute } from "./route.ts";
import { type ServedResource, ServedResources } from "./served_resource.ts";
import { openSqliteJournal, type SqliteJournal } from "./sqlite_journal.ts";
import { badRequest, StatusError, statusResponse } from "./status_error.ts";
import { collectionName, type HistoryLimits, Store, type StoreEvent } from "./store.ts";
import { Tokens } from "./tokens.ts";

export interface ApiServerOptions {
  /** The file that holds everything, or ":memory:". */
  readonly storePath: string;
  /** Bearer tokens that are let in over HTTP; without any, one is made up (see Served.token). */
  readonly tokens?: readonly string[] | undefined;
  readonly kubelet?: KubeletHooks | undefined;
  /** The clock, for tests. */
  readonly now?: () => Date;
  /** How much history watches can go back, for tests. */
  readonly history?: HistoryLimits;
}

/** The server on loopback. */
export interface Served {
  readonly url: string;
  /** A bearer token that is let in. */
  readonly token: string;
  /** What a client must trust, as PEM; with TLS only. */
  readonly caCert: string | undefined;
  close(): Promise<void>;
}

/** An API server in this process. */
export interface ApiServer {
  /** Answers one request, trusted: authentication is for those who come over HTTP. */
  handler(request: Request): Promise<Response>;
  /**
   * Listens on 127.0.0.1; port 0 picks a free one. With TLS, kubectl and other clients of client-go send their token
   * (without, they keep it to themselves); the certificate authority stays the same for a store.
   */
  serve(port?: number, options?: { tls?: boolean }): Promise<Served>;
  /** A client without a network between. */
  client(): KubeClient;
  /** Connects the kubelet, which needs the server before it can be there. */
  useKubelet(hooks: KubeletHooks): void;
  /** Ends the server; the store is closed. Close what was served first. */
  close(): void;
}

/** Opens the store and starts serving it. Throws when the store cannot be opened. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const journal = options.storePath === ":memory:" ? undefined : openSqliteJournal(options.storePath);
  try {
    return serverOver(journal, options);
  } catch (error) {
    journal?.close();
    throw error;
  }
}

function serverOver(journal: SqliteJournal | undefined, options: ApiServerOptions): ApiServer {
  const now = options.now ?? (() => new Date());
  const store = new Store(journal, options.history);
  const resources = new ServedResources();
  const context: ApiContext = { store, resources, now };
  const given = options.tokens ?? [newSecret()];
  const tokens = new Tokens(given, journal?.setting("tokenSecret", newSecret) ?? newSecret(), now);
  let kubelet = options.kubelet;
  let caCert: string | undefined;
  const world: HandlerWorld = { context, tokens, kubelet: () => kubelet, caCert: () => caCert };

  serveDefinitions(store, resources);
  for (const name of INITIAL_NAMESPACES) ensureNamespace(context, name);
  const stopCollecting = startGarbageCollector(context, finder(resources));

  /** Runs the command that an exec path describes. Throws StatusError before anything runs. */
  function execOf(path: string): () => ReturnType<KubeletHooks["exec"]> {
    const url = new URL(path, "http://kubernetes.internal");
    const route = parseRoute(url.pathname, resources);
    if (route.kind !== "object" || route.subresource !== "exec") {
      throw badRequest("of what takes a socket, only exec is offered here");
    }
    const { namespace, pod, container } = namedContainer(context, route, url.searchParams.get("container"));
    const command = url.searchParams.getAll("command");
    if (["stdin", "tty"].some((name) => url.searchParams.get(name) === "true")) {
      throw badRequest("exec hands no standard input to a command here: leave out -i and -t");
    }
    if (command.length === 0) throw badRequest("you must specify at least one command for the container");
    const hooks = requireKubelet(kubelet);
    return () => hooks.exec(namespace, pod, container, command);
  }

  // deno-lint-ignore require-await -- what it throws must come out as a rejection
  async function openSocket(path: string, protocols: string[]): Promise<WebSocketLike> {
    const run = execOf(path);
    const [near, far] = memorySocketPair(protocols[0] ?? "");
    queueMicrotask(() => void serveExec(far, run));
    return near;
  }

  /** Whatever goes wrong is an answer: Deno would tell it to the terminal, and the client nothing. */
  async function answerHttp(request: Request): Promise<Response> {
    try {
      return await answerUser(request);
    } catch (error) {
      return errorResponse(error);
    }
  }

  async function answerUser(request: Request): Promise<Response> {
    const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const { pathname } = new URL(request.url);
    const open = ["/healthz", "/readyz", "/livez", "/version"].includes(pathname);
    const user = await tokens.userOf(token);
    if (!open && user === undefined) {
      return statusResponse(new StatusError(401, "Unauthorized", "Unauthorized").status);
    }
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket") return upgradeToExec(request);
    return await handleRequest(world, request, user);
  }

  /** What is wrong with an exec is told over its socket: kubectl does not show the answer to an upgrade that was refused. */
  function upgradeToExec(request: Request): Response {
    const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());
    const protocol = EXEC_PROTOCOLS.find((name) => offered.includes(name));
    if (!protocol) return errorResponse(badRequest(`Expected one of the protocols ${EXEC_PROTOCOLS.join(", ")}`));
    const { socket, response } = Deno.upgradeWebSocket(request);
    // Deno's own choice of a protocol does not find it in a list without blanks, as clients in Python and Node send it.
    response.headers.set("sec-websocket-protocol", protocol);
    socket.onopen = () => void serveExec(socket, async () => await execOf(request.url)());
    return response;
  }

  return {
    handler: (request) => handleRequest(world, request),
    async serve(port = 0, { tls = false } = {}) {
      const certificate = tls ? await serverCertificate(journal, now()) : undefined;
      caCert = certificate?.caCert;
      return await new Promise((resolve) => {
        const stop = new AbortController();
        const server = Deno.serve({
          signal: stop.signal,
          hostname: "127.0.0.1",
          port,
          ...(certificate && { cert: certificate.cert, key: certificate.key }),
          onListen: ({ port }) =>
            resolve({
              url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
              token: given[0]!,
              caCert: certificate?.caCert,
              // Watches never end by themselves, so nobody waits for them.
              close() {
                stop.abort();
                return server.finished;
              },
            }),
        }, answerHttp);
      });
    },
    client: () => new KubeClient(handlerTransport((request) => handleRequest(world, request), openSocket)),
    useKubelet(hooks) {
      kubelet = hooks;
    },
    close() {
      stopCollecting();
      store.close();
    },
  };
}

/** The certificate of the store, made the first time. */
async function serverCertificate(journal: SqliteJournal | undefined, now: Date): Promise<ServerCertificate> {
  const made = JSON.stringify(await makeServerCertificate(now));
  return JSON.parse(journal?.setting("serverCertificate", () => made) ?? made);
}

function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Serves what the custom resource definitions in the store define, now and as they come and go. */
function serveDefinitions(store: Store, resources: ServedResources): void {
  const definitions = collectionName(CUSTOM_RESOURCE_DEFINITIONS);
  const follow = ({ type, after }: Pick<StoreEvent, "type" | "after">) => {
    if (type === "DELETED") resources.forget(after.object.metadata.name ?? "");
    else resources.define(after.object);
  };
  for (const after of store.list(definitions)) follow({ type: "ADDED", after });
  store.listen(definitions, follow);
}

/** Finds the resource of a collection's name, whatever its version. */
function finder(resources: ServedResources): (collection: string) => ServedResource | undefined {
  return (collection) => resources.all().find((resource) => collectionName(resource) === collection);
}
