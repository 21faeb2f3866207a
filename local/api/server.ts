/** The API server: its state, interfaces and lifecycle. */

import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import {
  CUSTOM_RESOURCE_DEFINITIONS,
  handlerTransport,
  KubeClient,
  type KubeObject,
  NAMESPACES,
  type Transport,
} from "@tiphys/kube";
import type { WebSocketLike } from "@tiphys/kube/connections";
import { EXEC_PROTOCOLS } from "@tiphys/kube/exec";
import { systemClock } from "@tiphys/base/clock";
import { timeText } from "@tiphys/model/status";
import { TextWorker } from "@tiphys/language/text_worker";
import { accountExists, type Caller, callingPodExists, checkMayDo, OURSELVES } from "./access/caller.ts";
import { makeServerCertificate, type ServerCertificate } from "./access/certificate.ts";
import type { ApiContext } from "./context.ts";
import { serveExec } from "./kubelet/exec_session.ts";
import { streamsOver } from "./kubelet/exec_streams.ts";
import { startGarbageCollector } from "./writing/garbage.ts";
import { type GateClient, openGate } from "./access/gate.ts";
import { OpenStreams } from "./access/open_streams.ts";
import { listenTls } from "./access/tls_listener.ts";
import { errorResponse, handleRequest, type HandlerWorld } from "./handler.ts";
import { type ExecStreams, type KubeletHooks, namedContainer, requireKubelet } from "./kubelet/kubelet_hooks.ts";
import { memorySocketPair } from "./kubelet/memory_socket.ts";
import { ensureNamespace, INITIAL_NAMESPACES } from "./rules/namespaces.ts";
import { parseRoute } from "./route.ts";
import { type ServedResource, ServedResources } from "./served_resource.ts";
import { openSqliteJournal, type SqliteJournal } from "./sqlite_journal.ts";
import { badRequest, StatusError, statusResponse } from "./status_error.ts";
import { collectionName, type HistoryLimits, Store, type StoreEvent } from "./store.ts";
import { isWatch } from "./reading/list_options.ts";
import { groupsOf } from "./access/reviews.ts";
import { rolesAllow } from "./access/roles.ts";
import { isStoredInSecret } from "./access/token_secret.ts";
import { Tokens } from "./access/tokens.ts";

export interface ApiServerOptions {
  /** The file of the store, or ":memory:". */
  readonly storePath: string;
  /** Bearer tokens that are accepted over HTTP. By default, one is generated (see ServedApi.token). */
  readonly tokens?: readonly string[] | undefined;
  readonly kubelet?: KubeletHooks | undefined;
  /** Whether roles determine the rights of service accounts. Otherwise, all holders of tokens are administrators. */
  readonly roles?: boolean | undefined;
  /** The clock, for tests. */
  readonly now?: () => Date;
  /** Called if the store could not be written. Returns true if space was freed, so that the write is retried. */
  readonly onNoRoom?: () => boolean;
  /** The limits of the history for watches, for tests. */
  readonly history?: HistoryLimits;
}

/** The server on loopback. */
export interface ServedApi {
  readonly url: string;
  /** A valid bearer token. */
  readonly token: string;
  /** The certificate authority that clients must trust, in PEM format; only with TLS. */
  readonly caCert: string | undefined;
  close(): Promise<void>;
}

/** Objects that every namespace has in addition to its service account. */
export interface NamespaceContents {
  /** The objects of a namespace, of served kinds and with names. The result must be deterministic. */
  objects(namespace: string): readonly KubeObject[];
  /** Namespaces with resources elsewhere. Some of them may have been deleted while the server was not running. */
  knownNamespaces(): readonly string[];
  /** Called for each deleted namespace. It is called again later if it throws. */
  onNamespaceDeleted(namespace: string): void;
}

/** An API server in this process. */
export interface ApiServer {
  /** Responds to a request without authentication, which is only required over HTTP. */
  handler(request: Request): Promise<Response>;
  /**
   * Listens on 127.0.0.1; port 0 means any free port. kubectl and other client-go clients send their token only over
   * TLS. The certificate authority of a store does not change.
   */
  serve(port?: number, options?: { tls?: boolean }): Promise<ServedApi>;
  /** A client within this process. */
  client(): KubeClient;
  /** The transport of such a client, for callers that create their own clients. */
  transport(): Transport;
  /** Connects the kubelet, which is created after the server. */
  useKubelet(hooks: KubeletHooks): void;
  /** Creates objects in all existing and future namespaces. */
  createInNamespaces(furniture: NamespaceContents): void;
  /** Ends the server and closes the store. Close served ports first. */
  close(): void;
}

/**
 * Opens the store and starts the server.
 * @throws if the store cannot be opened.
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const journal = options.storePath === ":memory:" ? undefined : openSqliteJournal(options.storePath, options.onNoRoom);
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
  const tokens = new Tokens(given, journal?.readOrCreateSetting("tokenSecret", newSecret) ?? newSecret(), now);
  let kubelet = options.kubelet;
  let caCert: string | undefined;
  const texts = new TextWorker();
  const streams = new OpenStreams();
  const world: HandlerWorld = { context, tokens, kubelet: () => kubelet, caCert: () => caCert, callerOf, texts };

  serveDefinitions(store, resources);
  for (const name of INITIAL_NAMESPACES) ensureNamespace(context, name);
  const stops = [startGarbageCollector(context, createFinder(resources))];

  /**
   * Returns a function that runs the command of an exec path.
   * @throws {StatusError} for an invalid request, before anything runs.
   */
  function execOf(path: string, caller = OURSELVES): (streams?: ExecStreams) => ReturnType<KubeletHooks["exec"]> {
    const url = new URL(path, "http://kubernetes.internal");
    const route = parseRoute(url.pathname, resources);
    if (route.kind !== "object" || route.subresource !== "exec") {
      throw badRequest("exec is the only supported request over a socket");
    }
    const { resource: { group, plural }, subresource, name } = route;
    checkMayDo(caller, { verb: "create", group, plural, subresource, namespace: route.namespace, name }, true);
    const { namespace, pod, container } = namedContainer(context, route, url.searchParams.get("container"));
    const command = url.searchParams.getAll("command");
    if (url.searchParams.get("tty") === "true") {
      throw badRequest("exec does not support terminals: omit -t");
    }
    if (command.length === 0) throw badRequest("you must specify at least one command for the container");
    const hooks = requireKubelet(kubelet);
    return (streams) => hooks.exec(namespace, pod, container, command, streams);
  }

  // deno-lint-ignore require-await -- errors must become rejections
  async function openSocket(path: string, protocols: string[]): Promise<WebSocketLike> {
    const run = execOf(path);
    const [near, far] = memorySocketPair(protocols[0] ?? "");
    queueMicrotask(() => void serveExec(far, run));
    return near;
  }

  /** Responds to any request, even if it fails: Deno would only log the error, without a response. */
  async function answerHttp(request: Request, client: GateClient): Promise<Response> {
    try {
      return await answerUser(request, client);
    } catch (error) {
      return errorResponse(error);
    }
  }

  async function answerUser(request: Request, client: GateClient): Promise<Response> {
    const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const { pathname, searchParams } = new URL(request.url);
    const open = ["/healthz", "/readyz", "/livez", "/version"].includes(pathname);
    const caller = await callerOf(token);
    if (!open && caller === undefined) {
      return statusResponse(new StatusError(401, "Unauthorized", "Unauthorized").status);
    }
    if (caller !== undefined) client.identify(caller.user, caller.pod?.uid);
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket") {
      return upgradeToExec(request, caller ?? NOBODY, client);
    }
    if (isWatch(searchParams) || pathname.endsWith("/log")) {
      const release = streams.acquire(caller ?? NOBODY);
      client.completed.then(release, release);
    }
    return await handleRequest(world, request, caller ?? NOBODY);
  }

  /** The caller of a token; undefined if the token is not valid now. */
  async function callerOf(token: string): Promise<Caller | undefined> {
    const content = await tokens.read(token);
    if (content === undefined) return undefined;
    const { caller, secretNamespace, account } = content;
    if (account && !accountExists(context, account)) return undefined;
    if (caller.pod && !callingPodExists(context, caller.pod)) return undefined;
    if (secretNamespace !== undefined && !isStoredInSecret(context, secretNamespace, token)) return undefined;
    return options.roles ? addRoles(caller) : caller;
  }

  /** Adds the rights of roles to a caller. The administrator is returned unchanged. */
  function addRoles(caller: Caller): Caller {
    if (caller.user === OURSELVES.user) return caller;
    const groups = groupsOf(caller.user);
    return { ...caller, allows: (act) => rolesAllow(context, caller.user, groups, act) };
  }

  /**
   * Upgrades a request to an exec. Its errors are sent over the socket, since kubectl does not show the response to a
   * refused upgrade.
   */
  function upgradeToExec(request: Request, caller: Caller, client: GateClient): Response {
    const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());
    const protocol = EXEC_PROTOCOLS.find((name) => offered.includes(name));
    if (!protocol) return errorResponse(badRequest(`Expected one of the protocols ${EXEC_PROTOCOLS.join(", ")}`));
    const { socket, response } = Deno.upgradeWebSocket(request);
    // Deno does not select a protocol from a list without spaces, as Python and Node clients send it.
    response.headers.set("sec-websocket-protocol", protocol);
    const hasInput = new URL(request.url).searchParams.get("stdin") === "true";
    const streamsOfExec = streamsOver(socket, { hasInput, holdBack: () => client.pauseReading() });
    const run = async () => {
      const release = streams.acquire(caller);
      try {
        return await execOf(request.url, caller)(streamsOfExec);
      } finally {
        release();
      }
    };
    socket.onopen = () => void serveExec(socket, run);
    return response;
  }

  const transport = () => handlerTransport((request) => handleRequest(world, request), openSocket);

  return {
    handler: (request) => handleRequest(world, request),
    async serve(port = 0, { tls = false } = {}) {
      const certificate = tls ? serverCertificate(journal, now()) : undefined;
      caCert = certificate?.caCert;
      const address = { hostname: "127.0.0.1", port };
      const listener = certificate
        ? listenTls({
          ...address,
          cert: certificate.cert,
          key: certificate.key,
          alpnProtocols: ["h2", "http/1.1"],
        })
        : Deno.listen(address);
      const bound = "addr" in listener ? listener.addr.port : listener.port;
      const folder = await Deno.makeTempDir({ prefix: "tiphys-" });
      const gate = openGate({ listener, folder, answer: answerHttp });
      return {
        url: `${tls ? "https" : "http"}://127.0.0.1:${bound}`,
        token: given[0]!,
        caCert: certificate?.caCert,
        // Not awaited: watches do not end by themselves.
        async close() {
          await gate[Symbol.asyncDispose]();
          await Deno.remove(folder, { recursive: true });
        },
      };
    },
    client: () => new KubeClient(transport()),
    transport,
    useKubelet(hooks) {
      kubelet = hooks;
    },
    createInNamespaces: (furniture) => void stops.push(startFurnishing(context, furniture)),
    close() {
      for (const stop of stops) stop();
      texts.close();
      store.close();
    },
  };
}

/** The pause before failed operations on namespaces are retried. */
const FURNISH_AGAIN_MS = 1000;

/** The caller without a token, for requests that need none. */
const NOBODY: Caller = { user: "system:anonymous", pod: { namespace: "", name: "", uid: "" } };

/** The certificate of the store, created on first use. */
function serverCertificate(journal: SqliteJournal | undefined, now: Date): ServerCertificate {
  const make = () => JSON.stringify(makeServerCertificate(now));
  const { caCert, cert, key } = textsIn(
    fieldsOfJson(journal?.readOrCreateSetting("serverCertificate", make) ?? make()),
    ["caCert", "cert", "key"],
  );
  if (caCert !== undefined && cert !== undefined && key !== undefined) return { caCert, cert, key };
  throw new Error("The stored server certificate cannot be parsed");
}

function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Serves the resources of CustomResourceDefinitions in the store, and follows their changes. */
function serveDefinitions(store: Store, resources: ServedResources): void {
  const definitions = collectionName(CUSTOM_RESOURCE_DEFINITIONS);
  const follow = ({ type, after }: Pick<StoreEvent, "type" | "after">) => {
    if (type === "DELETED") resources.forget(after.object.metadata.name ?? "");
    else resources.define(after.object);
  };
  for (const after of store.list(definitions)) follow({ type: "ADDED", after });
  store.listen(definitions, follow);
}

/**
 * Creates objects in all existing and future namespaces. Existing objects that are equal are unchanged. Returns a
 * function that stops it.
 */
function startFurnishing(
  { store, resources, now }: ApiContext,
  { objects, knownNamespaces: known, onNamespaceDeleted: onGone }: NamespaceContents,
): () => void {
  const namespaces = collectionName(NAMESPACES);
  const isThere = (namespace: string) => store.get(namespaces, namespace) !== undefined;
  const furnish = (namespace: string) => {
    for (const object of objects(namespace)) {
      const resource = resources.all().find(({ kind }) => kind === object.kind);
      if (!resource) throw new TypeError(`no objects of the kind ${object.kind} are served`);
      const name = collectionName(resource);
      const there = store.get(name, `${namespace}/${object.metadata.name}`)?.object;
      const metadata = there?.metadata ?? { uid: crypto.randomUUID(), creationTimestamp: timeText(now()) };
      const next = { ...object, metadata: { ...metadata, ...object.metadata } };
      if (JSON.stringify(next) !== JSON.stringify(there)) store.put(name, next);
    }
  };
  const late = new Map<string, () => void>();
  // Failures, such as a full disk, are not reported to the client that created or deleted a namespace; they are
  // retried.
  const settle = (namespace: string) => {
    try {
      isThere(namespace) ? furnish(namespace) : onGone(namespace);
    } catch {
      if (late.has(namespace)) return;
      const again = () => {
        late.delete(namespace);
        settle(namespace);
      };
      late.set(namespace, systemClock.after(FURNISH_AGAIN_MS, again));
    }
  };
  for (const { object } of store.list(namespaces)) furnish(object.metadata.name ?? "");
  for (const namespace of known()) if (!isThere(namespace)) onGone(namespace);
  const unlisten = store.listen(namespaces, ({ type, after: { object } }) => {
    if (type !== "MODIFIED") settle(object.metadata.name ?? "");
  });
  return () => {
    unlisten();
    for (const cancelTimer of late.values()) cancelTimer();
  };
}

/** Finds the resource of a collection by name, regardless of the version. */
function createFinder(resources: ServedResources): (collection: string) => ServedResource | undefined {
  return (collection) => resources.all().find((resource) => collectionName(resource) === collection);
}
