/** The server as a function from requests to responses: the router, the gate, and what becomes of answers and errors. */
import { VERSION } from "../lib/version.ts";
import type { Gate } from "./gate/gate.ts";
import { ROUTES } from "./table.ts";
import type { Answer, Call, Given, Route } from "./routes/route.ts";
import { Router } from "./routes/router.ts";
import type { Served } from "./served.ts";
import { grpcServer, isGrpc } from "./grpc/serve.ts";
import { readObject } from "./wire/body.ts";
import { CODE, errorBody, streamError, WireError, wireErrorOf } from "./wire/errors.ts";
import { type FieldMask, fieldMask } from "./wire/field_mask.ts";
import { readQuery } from "./wire/query.ts";
import type { RateLimiter } from "./listen/rate_limit.ts";
import { asksForEvents, messageText, streamBody, streamHeaders } from "./wire/streams.ts";

/** The parts that the handler puts together: the server's state, the gate and the rate limit. */
export interface HandlerOptions {
  readonly served: Served;
  readonly gate: Gate;
  /** Requests of one caller by address; without it there is no limit. */
  readonly rate?: RateLimiter | undefined;
}

/** The address that a request came from. */
export interface Peer {
  readonly address: string;
  /** Whether it speaks HTTP/2, which gRPC needs. */
  readonly isHttp2?: boolean;
}

/** A server without a network. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

/** Makes the server. It throws nothing: whatever happens is an answer. */
export function makeHandler(options: HandlerOptions): Handler {
  const router = new Router(ROUTES);
  const grpc = grpcServer((request, ask, read, signal) => perform(options, request, ask, read, signal), ROUTES);
  return async (request, peer) => {
    const url = new URL(request.url);
    const limits = options.rate?.take(request.headers, peer.address);
    const isOver = limits?.isOver ?? false;
    const response = peer.isHttp2 && isGrpc(request)
      ? await grpc(request, { path: url.pathname, isOver, sort: sorter(options, url.pathname) })
      : await answer(options, router, request, url, isOver);
    for (const [name, value] of Object.entries(limits?.headers ?? {})) response.headers.set(name, value);
    return response;
  };
}

async function answer(
  options: HandlerOptions,
  router: Router,
  request: Request,
  url: URL,
  isOverRate: boolean,
): Promise<Response> {
  const sort = sorter(options, url.pathname);
  if (isOverRate) return plain(429, "Too Many Requests");
  if (url.pathname === "/healthz") return plain(200, "ok\n");
  if (url.pathname === "/readyz") {
    return options.served.workflows.synced ? plain(200, "ok\n") : plain(503, "the copy of workflows is not whole\n");
  }
  const match = router.find(request.method, url.pathname);
  if (!match) {
    request.body?.cancel().catch(() => {});
    if (!url.pathname.startsWith("/api/")) return plain(404, "not found\n");
    return refuse(new WireError(CODE.unimplemented, "Not Implemented"), request, undefined);
  }
  try {
    return await carryOut(options, request, url, match.route, match.params, sort);
  } catch (error) {
    request.body?.cancel().catch(() => {});
    return refuse(sort(error), request, match.route);
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
  const read = async () => {
    const query = readQuery(url.searchParams, route.query);
    return { params, query, body: route.maxBody > 0 ? await readObject(request, route.maxBody) : {} };
  };
  const { answer, mask } = await perform(options, request, route, read, signal);
  return respond(answer, request, { mask, sort, abort: (reason) => left.abort(reason) });
}

/** Does what a route is for: who calls is asked before anything is read, and their rights before anything is looked up. */
async function perform(
  { served, gate }: HandlerOptions,
  request: Request,
  route: Route,
  read: () => Promise<Given>,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly mask: FieldMask }> {
  const caller = await gate.callerOf(request);
  const { params, query, body } = await read();
  const { fields } = query as { readonly fields?: string };
  const mask = fieldMask(fields ?? "");
  const call: Call = { served, gate, caller, params, query, body, mask, signal, headers: request.headers };
  await gate.check(caller, route.rights(call));
  return { answer: await route.answer(call), mask };
}

function respond(
  answered: Answer,
  request: Request,
  how: { mask: Call["mask"]; sort: (error: unknown) => WireError; abort: (reason: unknown) => void },
): Response {
  if ("response" in answered) return answered.response;
  const headers = new Headers(VERSION_HEADER);
  if ("json" in answered) {
    headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(answered.headers ?? {})) headers.set(name, value);
    return new Response(JSON.stringify(answered.json), { headers });
  }
  const asEvents = asksForEvents(request);
  for (const [name, value] of Object.entries(streamHeaders(asEvents))) headers.set(name, value);
  return new Response(streamBody(answered.stream, { ...how, asEvents }), { headers });
}

const VERSION_HEADER = { "grpc-metadata-argo-version": `v${VERSION}` };

/** A refusal; who asked for events reads it as one. */
function refuse(error: WireError, request: Request, route: Route | undefined): Response {
  const { status } = error;
  if (route?.isStream) {
    const asEvents = asksForEvents(request);
    const text = messageText(streamError(error), asEvents);
    return new Response(text, { status, headers: streamHeaders(asEvents) });
  }
  return new Response(errorBody(error), { status, headers: { "content-type": "application/json" } });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
