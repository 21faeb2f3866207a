/**
 * The server as a function from requests to responses: routing, authentication, and the conversion of results and
 * errors.
 */
import { METHODS } from "@tiphys/proto";
import { VERSION } from "@tiphys/base/version";
import { runAudited } from "./audit.ts";
import { cookiesNamed } from "./gate/cookies.ts";
import { type Caller, queueKeyOf, SERVER_KEY } from "./gate/caller.ts";
import type { Gate } from "./gate/gate.ts";
import { WebhookError, type Webhooks } from "./events/webhooks.ts";
import { isLoginPath, type Login } from "./sso/login.ts";
import type { Page } from "./page/page.ts";
import { ROUTES } from "./table.ts";
import { type Answer, API_PATH, type Call, type Route, type RouteInput } from "./routes/route.ts";
import { Router } from "./routes/router.ts";
import { withCounts } from "./metrics/count_messages.ts";
import type { ServerMetrics } from "./metrics/server_metrics.ts";
import type { ServerContext } from "./served.ts";
import { answerHealth, isHealthPath } from "./grpc/health.ts";
import { answerReflection, isReflectionPath } from "./grpc/reflection.ts";
import { grpcServer, isGrpc } from "./grpc/serve.ts";
import { readObject, readText } from "./wire/body.ts";
import { badRequest, CODE, errorBody, streamError, WireError, wireErrorOf } from "./wire/errors.ts";
import { withFieldNames } from "./wire/field_names.ts";
import { type FieldMask, fieldMask } from "./wire/field_mask.ts";
import { readQuery } from "./wire/query.ts";
import { clientOf, type RateLimiter } from "./listen/rate_limit.ts";
import { textResponse } from "./wire/whole_text.ts";
import type { Handler } from "./wire/peer.ts";
import { acceptsEventStream, batchesOf, messageText, streamBody, streamHeaders, waitForFirst } from "./wire/streams.ts";

/** The components of the handler. */
export interface HandlerOptions {
  readonly served: ServerContext;
  readonly gate: Gate;
  /** The page, for requests outside of the API. */
  readonly page?: Page | undefined;
  /** The path prefix behind a proxy that does not strip it. It begins and ends with a slash. */
  readonly baseHref?: string | undefined;
  /** The login pages, if SSO is enabled. */
  readonly login?: Login | undefined;
  readonly webhooks: Webhooks;
  readonly metrics: ServerMetrics;
  /** Whether metrics are public. Otherwise they require an authenticated caller. */
  readonly showsMetrics?: boolean | undefined;
  /** Whether gRPC reflection is enabled. */
  readonly reflects?: boolean | undefined;
  /** The rate limit per address; undefined for no limit. */
  readonly rate?: RateLimiter | undefined;
  /** Headers that identify the client behind a proxy. */
  readonly keyHeaders: readonly string[];
}

/** The input messages by operation ID. */
const INPUTS = new Map(METHODS.map(({ id, input }) => [id, input]));

/** Creates the server. It never throws: every error becomes a response. */
export function makeHandler(options: HandlerOptions): Handler {
  const router = new Router(ROUTES);
  const grpc = grpcServer((routed) => runCounted(options, routed), ROUTES, options.served.texts);
  return async (request, peer) => {
    const address = clientOf(request.headers, peer.address, options.keyHeaders);
    const url = withoutBase(new URL(request.url), options.baseHref ?? "/");
    const limits = options.rate?.take(request.headers, peer.address);
    const isOver = limits?.isOver ?? false;
    const speaksGrpc = peer.isHttp2 === true && isGrpc(request);
    const response = speaksGrpc && isHealthPath(url.pathname) && !isOver
      ? await answerHealth(request, url.pathname, () => options.served.workflows.synced)
      : speaksGrpc && options.reflects === true && isReflectionPath(url.pathname) && !isOver
      ? answerReflection(request)
      : speaksGrpc
      ? await grpc(request, { path: url.pathname, address, isOver, sort: errorConverter(options, url.pathname) })
      : await answer(options, router, request, { url, address, isOver });
    for (const [name, value] of Object.entries(limits?.headers ?? {})) response.headers.set(name, value);
    return request.method === "HEAD" ? withoutBody(response) : response;
  };
}

/** Removes the path prefix from a URL, unless the proxy has stripped it. */
function withoutBase(url: URL, base: string): URL {
  if (base !== "/" && url.pathname.startsWith(base)) url.pathname = url.pathname.slice(base.length - 1);
  return url;
}

async function answer(
  options: HandlerOptions,
  router: Router,
  request: Request,
  { url, address, isOver }: { readonly url: URL; readonly address: string; readonly isOver: boolean },
): Promise<Response> {
  const sort = errorConverter(options, url.pathname);
  if (isOver) return plainResponse(429, "Too Many Requests");
  if (url.pathname === "/healthz") return plainResponse(200, "ok\n");
  if (url.pathname === "/readyz") {
    return options.served.workflows.synced
      ? plainResponse(200, "ok\n")
      : plainResponse(503, "the cache of workflows is not synced\n");
  }
  if (url.pathname === "/metrics") return await answerMetrics(options, request);
  if (isLoginPath(url.pathname)) return await answerLogin(options, request, url, sort);
  const isApi = url.pathname.startsWith(API_PATH);
  const match = router.find(request.method === "HEAD" && !isApi ? "GET" : request.method, url.pathname);
  if (!match) {
    const page = router.hasPath(url.pathname) ? undefined : await pageResponse(options, request, url);
    if (page) return page;
    request.body?.cancel().catch(() => {});
    if (isApi) return refuse(new WireError(CODE.unimplemented, "Not Implemented"), request, { isApi });
    const allowed = router.methodsOf(url.pathname);
    return allowed.length > 0 ? methodNotAllowed("Method not allowed", allowed) : plainResponse(404, "not found\n");
  }
  try {
    const admitted = match.route.takesWebhooks && !hasCredentials(request)
      ? await options.webhooks.admit(request, match.params.namespace ?? "", address)
      : request;
    return await handleRoute(options, admitted, { url, address, match, sort });
  } catch (error) {
    request.body?.cancel().catch(() => {});
    if (error instanceof WebhookError) return refuseWebhook(error);
    return refuse(sort(error), request, { isApi, route: match.route });
  }
}

/** Returns a response without its body. */
function withoutBody({ status, headers, body }: Response): Response {
  body?.cancel().catch(() => {});
  return new Response(null, { status, headers });
}

/**
 * Serves the metrics. They contain information about all users, so they require an authenticated caller unless they are
 * public.
 */
async function answerMetrics({ gate, metrics, showsMetrics }: HandlerOptions, request: Request): Promise<Response> {
  request.body?.cancel().catch(() => {});
  if (!["GET", "HEAD"].includes(request.method)) return methodNotAllowed("only GET", ["GET"]);
  try {
    if (!showsMetrics) await gate.callerOf(request);
  } catch {
    return plainResponse(403, "forbidden\n");
  }
  return metrics.response();
}

async function pageResponse(
  { page, served }: HandlerOptions,
  request: Request,
  url: URL,
): Promise<Response | undefined> {
  try {
    return await page?.(request, url.pathname);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    served.log.error("Failed to serve the page", { path: url.pathname, detail });
    return plainResponse(500, "failed to serve the page: see the server's log\n");
  }
}

async function answerLogin(
  { login }: HandlerOptions,
  request: Request,
  url: URL,
  sort: (error: unknown) => WireError,
): Promise<Response> {
  request.body?.cancel().catch(() => {});
  if (!login) return plainResponse(501, "login is not available: the server runs without --auth-mode sso\n");
  try {
    return await login.answer(request, url);
  } catch (error) {
    return refuse(sort(error), request, { isApi: false });
  }
}

/** Returns a function that converts errors and logs internal ones. */
function errorConverter({ served: { log } }: HandlerOptions, path: string): (error: unknown) => WireError {
  return (error) =>
    wireErrorOf(error, (defect) => {
      const detail = defect instanceof Error ? defect.stack ?? defect.message : String(defect);
      log.error("A request failed with an internal error", { path, detail });
    });
}

/** A request for a route over HTTP. */
interface HttpRequest {
  readonly url: URL;
  readonly address: string;
  readonly match: { readonly route: Route; readonly params: Readonly<Record<string, string>> };
  readonly sort: (error: unknown) => WireError;
}

async function handleRoute(
  options: HandlerOptions,
  request: Request,
  { url, address, match: { route, params }, sort }: HttpRequest,
): Promise<Response> {
  const left = new AbortController();
  const signal = AbortSignal.any([request.signal, left.signal]);
  const read = async (key: string) => {
    const query = readQuery(url.searchParams, route.query);
    const text = route.takesAnyJson ? await readText(request, route.maxBody) : "";
    const sent = route.maxBody > 0 && !route.takesAnyJson
      ? await readObject(request, route.maxBody, { texts: options.served.texts, key })
      : {};
    const message = INPUTS.get(route.id);
    const body = message ? withFieldNames(sent, message) : sent;
    const content = route.takesContent ? request.body ?? undefined : undefined;
    return { params, query, body, text, content };
  };
  const namespace = namespaceOf(route, params, url);
  const { answer, mask } = await runCounted(options, { request, address, route, read, signal, namespace });
  return await respond(answer, request, { mask, sort, abort: (reason) => left.abort(reason) });
}

/** A request for a route, of any protocol. */
interface RouteRequest {
  readonly request: Request;
  /** The address of the client. */
  readonly address: string;
  readonly route: Route;
  /** Reads the parameters and body. Large bodies of callers with the same key are parsed one after the other. */
  readonly read: (key: string) => Promise<RouteInput>;
  readonly signal: AbortSignal;
  /** The namespace of the request; undefined if it is known only after the body is read. */
  readonly namespace?: string;
}

/** Runs a route with metrics and debug log. */
async function runCounted(options: HandlerOptions, routed: RouteRequest): Promise<RouteResult> {
  const { served: { log }, metrics } = options;
  const { request: { method }, route, signal } = routed;
  const begun = performance.now();
  const handling = metrics.begin(route.id);
  const answered = (status: number) => {
    handling.recordStatus(status);
    const duration = (performance.now() - begun) / 1000;
    log.debug("HTTP request", { method, path: route.path, status, duration });
  };
  const codeOf = (error: unknown) => signal.aborted ? CODE.canceled : wireErrorOf(error, () => {}).code;
  try {
    const { answer, mask } = await runRoute(options, routed);
    answered("response" in answer ? answer.response.status : 200);
    return { answer: withCounts(answer, handling, codeOf), mask };
  } catch (error) {
    answered(wireErrorOf(error, () => {}).status);
    handling.recordEnd(codeOf(error));
    throw error;
  }
}

/** The result of a route, and the fields to return. */
interface RouteResult {
  readonly answer: Answer;
  readonly mask: FieldMask;
}

async function runRoute(options: HandlerOptions, routed: RouteRequest): Promise<RouteResult> {
  const { served, gate } = options;
  const { request, address, route, read, signal, namespace } = routed;
  const from = (caller: Caller): Caller => caller.key === SERVER_KEY ? { ...caller, address } : caller;
  const isKnownLater = namespace === undefined || route.namespacesOf !== undefined;
  const first = isKnownLater ? await gate.requireAuthenticated(request) : await gate.callerOf(request, namespace);
  const known = isKnownLater ? undefined : first;
  const given = await read(first ? queueKeyOf(from(first)) : "");
  const { fields, namespace: queried } = given.query as { readonly fields?: string; readonly namespace?: string };
  const callerIn = (namespace: string) => gate.callerOf(request, namespace);
  const caller = known ??
    (route.namespacesOf
      ? await firstCaller(["", ...route.namespacesOf(given)], callerIn)
      : await gate.callerOf(request, given.params.namespace || queried));
  // The body of an update may contain the name instead.
  const isUpdate = route.method === "PUT" && route.path.endsWith("/{name}");
  if (given.params.name === "" && !isUpdate) throw badRequest("resource name may not be empty");
  const mask = fieldMask(fields ?? "");
  const call: Call = {
    served,
    gate,
    caller: from(caller),
    callerIn,
    ...given,
    mask,
    signal,
    headers: request.headers,
    isHeadOnly: request.method === "HEAD",
  };
  const rights = route.rights(call);
  const answer = await runAudited({ log: served.log, route, params: given.params, caller, rights }, async () => {
    await gate.check(caller, rights);
    return await route.answer(call);
  });
  return { answer, mask };
}

/** Authenticates the caller in the first namespace that accepts it. @throws {WireError} when no namespace does. */
async function firstCaller(
  namespaces: readonly string[],
  callerIn: (namespace: string) => Promise<Caller>,
): Promise<Caller> {
  let refusal: unknown;
  for (const namespace of new Set(namespaces)) {
    try {
      return await callerIn(namespace);
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Whether a request has credentials, so that it is not treated as a webhook. */
function hasCredentials({ headers }: Request): boolean {
  return headers.has("authorization") || cookiesNamed("authorization", headers.get("cookie") ?? "").length > 0;
}

/** Returns the refusal of a webhook, identical to Argo's. */
function refuseWebhook({ message }: WebhookError): Response {
  return new Response(`{"message": ${JSON.stringify(message)}}`, {
    status: 403,
    headers: { "content-type": "application/json" },
  });
}

/** Returns the namespace of a request, which may determine the caller's service account. */
function namespaceOf({ query }: Route, params: Readonly<Record<string, string>>, url: URL): string {
  return params.namespace || ("namespace" in query ? url.searchParams.get("namespace") ?? "" : "");
}

async function respond(
  answered: Answer,
  request: Request,
  context: { mask: Call["mask"]; sort: (error: unknown) => WireError; abort: (reason: unknown) => void },
): Promise<Response> {
  if ("response" in answered) return answered.response;
  const headers = new Headers(VERSION_HEADER);
  if ("json" in answered) {
    headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(answered.headers ?? {})) headers.set(name, value);
    return textResponse(JSON.stringify(answered.json), { headers });
  }
  const isWritten = "written" in answered;
  const asEvents = isWritten || acceptsEventStream(request);
  for (const [name, value] of Object.entries(streamHeaders(asEvents))) headers.set(name, value);
  return new Response(streamBody(await waitForFirst(batchesOf(answered)), { ...context, asEvents, isWritten }), {
    headers,
  });
}

const VERSION_HEADER = { "grpc-metadata-argo-version": `v${VERSION}` };

/** Returns an error response, as an event if the client requested server-sent events. */
function refuse(
  error: WireError,
  request: Request,
  { isApi, route }: { readonly isApi: boolean; readonly route?: Route },
): Response {
  const { status } = error;
  if (!isApi) return plainResponse(status, `${error.message}\n`);
  if (route?.isStream) {
    const asEvents = acceptsEventStream(request);
    const text = messageText(streamError(error), asEvents);
    return new Response(text, { status, headers: streamHeaders(asEvents) });
  }
  return textResponse(errorBody(error), { status, headers: { "content-type": "application/json" } });
}

/** Returns the response for a method that a path does not support. HEAD is allowed wherever GET is. */
function methodNotAllowed(text: string, allowed: readonly string[]): Response {
  const response = plainResponse(405, `${text}\n`);
  response.headers.set("allow", allowed.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", "));
  return response;
}

function plainResponse(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return textResponse(text, { status, headers });
}
