/** The server as a function from requests to responses: the router, the gate, and what becomes of answers and errors. */
import { METHODS } from "../lib/argo_proto/mod.ts";
import { VERSION } from "../lib/version.ts";
import { audited } from "./audit.ts";
import { cookiesNamed } from "./gate/cookies.ts";
import type { Caller } from "./gate/caller.ts";
import { turnOf } from "./gate/caller.ts";
import type { Gate } from "./gate/gate.ts";
import { WebhookError, type Webhooks } from "./events/webhooks.ts";
import { isLoginPath, type Login } from "./sso/login.ts";
import type { Page } from "./page/page.ts";
import { ROUTES } from "./table.ts";
import { type Answer, API_PATH, type Call, type Given, type Route } from "./routes/route.ts";
import { Router } from "./routes/router.ts";
import { countedAnswer } from "./metrics/counted_answer.ts";
import type { ServerMetrics } from "./metrics/server_metrics.ts";
import type { Served } from "./served.ts";
import { answerHealth, isHealthPath } from "./grpc/health.ts";
import { answerReflection, isReflectionPath } from "./grpc/reflection.ts";
import { grpcServer, isGrpc } from "./grpc/serve.ts";
import { readObject, readText } from "./wire/body.ts";
import { badRequest, CODE, errorBody, streamError, WireError, wireErrorOf } from "./wire/errors.ts";
import { withFieldNames } from "./wire/field_names.ts";
import { type FieldMask, fieldMask } from "./wire/field_mask.ts";
import { readQuery } from "./wire/query.ts";
import type { RateLimiter } from "./listen/rate_limit.ts";
import { textResponse } from "./wire/whole_text.ts";
import { asksForEvents, batchesOf, messageText, opened, streamBody, streamHeaders } from "./wire/streams.ts";

/** The parts that the handler puts together: the server's state, the gate and the rate limit. */
export interface HandlerOptions {
  readonly served: Served;
  readonly gate: Gate;
  /** The page, for what is no request of the API. */
  readonly page?: Page | undefined;
  /** The path before all others, behind a proxy that leaves it there; begins and ends with a slash. */
  readonly baseHref?: string | undefined;
  /** The pages that log people in, where they can. */
  readonly login?: Login | undefined;
  readonly webhooks: Webhooks;
  readonly metrics: ServerMetrics;
  /** Whether the metrics are shown to everybody; else to callers who are known. */
  readonly showsMetrics?: boolean | undefined;
  /** Whether clients of gRPC are told what services and messages there are. */
  readonly reflects?: boolean | undefined;
  /** Requests of one caller by address; without it there is no limit. */
  readonly rate?: RateLimiter | undefined;
}

/** The address that a request came from. */
export interface Peer {
  readonly address: string;
  /** Whether it speaks HTTP/2, which gRPC needs. */
  readonly isHttp2?: boolean;
}

/** The messages of requests, by the operations that take them. */
const INPUTS = new Map(METHODS.map(({ id, input }) => [id, input]));

/** A server without a network. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

/** Makes the server. It throws nothing: whatever happens is an answer. */
export function makeHandler(options: HandlerOptions): Handler {
  const router = new Router(ROUTES);
  const grpc = grpcServer((asked) => perform(options, asked), ROUTES, options.served.texts);
  return async (request, peer) => {
    const url = withoutBase(new URL(request.url), options.baseHref ?? "/");
    const limits = options.rate?.take(request.headers, peer.address);
    const isOver = limits?.isOver ?? false;
    const speaksGrpc = peer.isHttp2 === true && isGrpc(request);
    const response = speaksGrpc && isHealthPath(url.pathname) && !isOver
      ? await answerHealth(request, url.pathname, () => options.served.workflows.synced)
      : speaksGrpc && options.reflects === true && isReflectionPath(url.pathname) && !isOver
      ? answerReflection(request)
      : speaksGrpc
      ? await grpc(request, { path: url.pathname, isOver, sort: sorter(options, url.pathname) })
      : await answer(options, router, request, { url, address: peer.address, isOver });
    for (const [name, value] of Object.entries(limits?.headers ?? {})) response.headers.set(name, value);
    return request.method === "HEAD" ? headOf(response) : response;
  };
}

/** The address as it would be without the path before all others, whether or not the proxy has taken it away. */
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
  const sort = sorter(options, url.pathname);
  if (isOver) return plain(429, "Too Many Requests");
  if (url.pathname === "/healthz") return plain(200, "ok\n");
  if (url.pathname === "/readyz") {
    return options.served.workflows.synced ? plain(200, "ok\n") : plain(503, "the copy of workflows is not whole\n");
  }
  if (url.pathname === "/metrics") return await answerMetrics(options, request);
  if (isLoginPath(url.pathname)) return await answerLogin(options, request, url, sort);
  const isApi = url.pathname.startsWith(API_PATH);
  const match = router.find(request.method === "HEAD" && !isApi ? "GET" : request.method, url.pathname);
  if (!match) {
    const page = router.holds(url.pathname) ? undefined : await pageAnswer(options, request, url);
    if (page) return page;
    request.body?.cancel().catch(() => {});
    if (isApi) return refuse(new WireError(CODE.unimplemented, "Not Implemented"), request, { isApi });
    const allowed = router.methodsOf(url.pathname);
    return allowed.length > 0 ? otherMethod("Method not allowed", allowed) : plain(404, "not found\n");
  }
  try {
    const admitted = match.route.takesWebhooks && !hasCredentials(request)
      ? await options.webhooks.admit(request, match.params.namespace ?? "", address)
      : request;
    return await carryOut(options, admitted, url, match.route, match.params, sort);
  } catch (error) {
    request.body?.cancel().catch(() => {});
    if (error instanceof WebhookError) return refuseWebhook(error);
    return refuse(sort(error), request, { isApi, route: match.route });
  }
}

/** The head of an answer, whose content nobody wants. */
function headOf({ status, headers, body }: Response): Response {
  body?.cancel().catch(() => {});
  return new Response(null, { status, headers });
}

/** The metrics tell of everybody's work: they are for callers who may come in. */
async function answerMetrics({ gate, metrics, showsMetrics }: HandlerOptions, request: Request): Promise<Response> {
  request.body?.cancel().catch(() => {});
  if (!["GET", "HEAD"].includes(request.method)) return otherMethod("only GET", ["GET"]);
  try {
    if (!showsMetrics) await gate.callerOf(request);
  } catch {
    return plain(403, "forbidden\n");
  }
  return metrics.response();
}

async function pageAnswer({ page, served }: HandlerOptions, request: Request, url: URL): Promise<Response | undefined> {
  try {
    return await page?.(request, url.pathname);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    served.log.error("The page could not be served", { path: url.pathname, detail });
    return plain(500, "the page could not be served: the server's log says why\n");
  }
}

async function answerLogin(
  { login }: HandlerOptions,
  request: Request,
  url: URL,
  sort: (error: unknown) => WireError,
): Promise<Response> {
  request.body?.cancel().catch(() => {});
  if (!login) return plain(501, "logging in is not set up: the server runs without --auth-mode sso\n");
  try {
    return await login.answer(request, url);
  } catch (error) {
    return refuse(sort(error), request, { isApi: false });
  }
}

/** Sorts what was thrown; mistakes of the server are written to its log. */
function sorter({ served: { log } }: HandlerOptions, path: string): (error: unknown) => WireError {
  return (error) =>
    wireErrorOf(error, (defect) => {
      const detail = defect instanceof Error ? defect.stack ?? defect.message : String(defect);
      log.error("A request met a mistake of the server", { path, detail });
    });
}

async function carryOut(
  options: HandlerOptions,
  request: Request,
  url: URL,
  route: Route,
  params: Readonly<Record<string, string>>,
  sort: (error: unknown) => WireError,
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
  const { answer, mask } = await perform(options, { request, route, read, signal, namespace });
  return await respond(answer, request, { mask, sort, abort: (reason) => left.abort(reason) });
}

/** A request on its way to its route, whatever protocol it came in. */
interface Asked {
  readonly request: Request;
  readonly route: Route;
  /** Reads it; the key is that of the caller among those whose large bodies wait. */
  readonly read: (key: string) => Promise<Given>;
  readonly signal: AbortSignal;
  /** The namespace that it is about; undefined where that is known when it is read. */
  readonly namespace?: string;
}

/** Does what a route is for: who calls is asked before anything is read, and their rights before anything is looked up. */
async function perform(options: HandlerOptions, asked: Asked): Promise<Performed> {
  const { served: { log }, metrics } = options;
  const { request: { method }, route, signal } = asked;
  const begun = performance.now();
  const handling = metrics.begin(route.id);
  const answered = (status: number) => {
    handling.answered(status);
    const duration = (performance.now() - begun) / 1000;
    log.debug("HTTP request", { method, path: route.path, status, duration });
  };
  const codeOf = (error: unknown) => signal.aborted ? CODE.canceled : wireErrorOf(error, () => {}).code;
  try {
    const { answer, mask } = await performUncounted(options, asked);
    answered("response" in answer ? answer.response.status : 200);
    return { answer: countedAnswer(answer, handling, codeOf), mask };
  } catch (error) {
    answered(wireErrorOf(error, () => {}).status);
    handling.ended(codeOf(error));
    throw error;
  }
}

/** The answer of a route, and the fields of it that are wanted. */
interface Performed {
  readonly answer: Answer;
  readonly mask: FieldMask;
}

async function performUncounted(options: HandlerOptions, asked: Asked): Promise<Performed> {
  const { served, gate } = options;
  const { request, route, read, signal, namespace } = asked;
  const isKnownLater = namespace === undefined || route.namespacesOf !== undefined;
  const first = isKnownLater ? await gate.mustBeKnown(request) : await gate.callerOf(request, namespace);
  const known = isKnownLater ? undefined : first;
  const given = await read(first ? turnOf(first, namespace) : "");
  const { fields, namespace: queried } = given.query as { readonly fields?: string; readonly namespace?: string };
  const callerIn = (one: string) => gate.callerOf(request, one);
  const caller = known ??
    (route.namespacesOf
      ? await callerAmong(["", ...route.namespacesOf(given)], callerIn)
      : await gate.callerOf(request, given.params.namespace || queried));
  // The object of an update may say the name itself.
  const isUpdate = route.method === "PUT" && route.path.endsWith("/{name}");
  if (given.params.name === "" && !isUpdate) throw badRequest("resource name may not be empty");
  const mask = fieldMask(fields ?? "");
  const call: Call = {
    served,
    gate,
    caller,
    callerIn,
    ...given,
    mask,
    signal,
    headers: request.headers,
    isHeadOnly: request.method === "HEAD",
  };
  const rights = route.rights(call);
  const answer = await audited({ log: served.log, route, params: given.params, caller, rights }, async () => {
    await gate.check(caller, rights);
    return await route.answer(call);
  });
  return { answer, mask };
}

/** The caller in the first namespace in which they may be one. @throws {WireError} where there is none. */
async function callerAmong(
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

/** Whether a request carries credentials of its own, so that it is no webhook. */
function hasCredentials({ headers }: Request): boolean {
  return headers.has("authorization") || cookiesNamed("authorization", headers.get("cookie") ?? "").length > 0;
}

/** The refusal of a webhook, byte for byte as Argo's. */
function refuseWebhook({ message }: WebhookError): Response {
  return new Response(`{"message": ${JSON.stringify(message)}}`, {
    status: 403,
    headers: { "content-type": "application/json" },
  });
}

/** The namespace that a request is about, which may decide as whom somebody acts. */
function namespaceOf({ query }: Route, params: Readonly<Record<string, string>>, url: URL): string {
  return params.namespace || ("namespace" in query ? url.searchParams.get("namespace") ?? "" : "");
}

async function respond(
  answered: Answer,
  request: Request,
  how: { mask: Call["mask"]; sort: (error: unknown) => WireError; abort: (reason: unknown) => void },
): Promise<Response> {
  if ("response" in answered) return answered.response;
  const headers = new Headers(VERSION_HEADER);
  if ("json" in answered) {
    headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(answered.headers ?? {})) headers.set(name, value);
    return textResponse(JSON.stringify(answered.json), { headers });
  }
  const isWritten = "written" in answered;
  const asEvents = isWritten || asksForEvents(request);
  for (const [name, value] of Object.entries(streamHeaders(asEvents))) headers.set(name, value);
  return new Response(streamBody(await opened(batchesOf(answered)), { ...how, asEvents, isWritten }), { headers });
}

const VERSION_HEADER = { "grpc-metadata-argo-version": `v${VERSION}` };

/** A refusal; a client that asked for events reads it as an event. */
function refuse(
  error: WireError,
  request: Request,
  { isApi, route }: { readonly isApi: boolean; readonly route?: Route },
): Response {
  const { status } = error;
  if (!isApi) return plain(status, `${error.message}\n`);
  if (route?.isStream) {
    const asEvents = asksForEvents(request);
    const text = messageText(streamError(error), asEvents);
    return new Response(text, { status, headers: streamHeaders(asEvents) });
  }
  return textResponse(errorBody(error), { status, headers: { "content-type": "application/json" } });
}

/** The refusal of a method that a path does not take; where GET is one that it does, HEAD is one, too. */
function otherMethod(text: string, allowed: readonly string[]): Response {
  const response = plain(405, `${text}\n`);
  response.headers.set("allow", allowed.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", "));
  return response;
}

function plain(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return textResponse(text, { status, headers });
}
