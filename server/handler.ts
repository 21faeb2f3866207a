/** The server as a function from requests to responses: the router, the gate, and what becomes of answers and errors. */
import { VERSION } from "../lib/version.ts";
import type { Gate } from "./gate/gate.ts";
import type { Page } from "./page/page.ts";
import { ROUTES } from "./table.ts";
import type { Answer, Call, Route } from "./routes/route.ts";
import { Router } from "./routes/router.ts";
import type { Served } from "./served.ts";
import { readObject } from "./wire/body.ts";
import { CODE, errorBody, streamError, WireError, wireErrorOf } from "./wire/errors.ts";
import { fieldMask } from "./wire/field_mask.ts";
import { readQuery } from "./wire/query.ts";
import type { RateLimiter } from "./listen/rate_limit.ts";
import { asksForEvents, messageText, streamBody, streamHeaders } from "./wire/streams.ts";

/** The parts that the handler puts together: the server's state, the gate and the rate limit. */
export interface HandlerOptions {
  readonly served: Served;
  readonly gate: Gate;
  /** The page, for what is no request of the API. */
  readonly page?: Page | undefined;
  /** The path before all others, behind a proxy that leaves it there; begins and ends with a slash. */
  readonly baseHref?: string | undefined;
  /** The origin whose pages may use the API. */
  readonly allowedOrigin?: string | undefined;
  /** Requests of one caller by address; without it there is no limit. */
  readonly rate?: RateLimiter | undefined;
}

/** The address that a request came from. */
export interface Peer {
  readonly address: string;
}

/** A server without a network. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

/** Makes the server. It throws nothing: whatever happens is an answer. */
export function makeHandler(options: HandlerOptions): Handler {
  const router = new Router(ROUTES);
  return async (request, peer) => {
    const url = withoutBase(new URL(request.url), options.baseHref ?? "/");
    const limits = options.rate?.take(request.headers, peer.address);
    const response = await answer(options, router, request, url, limits?.isOver ?? false);
    for (const [name, value] of Object.entries(limits?.headers ?? {})) response.headers.set(name, value);
    if (options.allowedOrigin) response.headers.set("access-control-allow-origin", options.allowedOrigin);
    return response;
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
  url: URL,
  isOverRate: boolean,
): Promise<Response> {
  const { log } = options.served;
  const sort = (error: unknown) =>
    wireErrorOf(error, (defect) => {
      const detail = defect instanceof Error ? defect.stack ?? defect.message : String(defect);
      log.error("A request met a mistake of the server", { path: url.pathname, detail });
    });
  if (isOverRate) return plain(429, "Too Many Requests");
  if (url.pathname === "/healthz") return plain(200, "ok\n");
  if (url.pathname === "/readyz") {
    return options.served.workflows.synced ? plain(200, "ok\n") : plain(503, "the copy of workflows is not whole\n");
  }
  const match = router.find(request.method, url.pathname);
  if (!match) {
    if (!url.pathname.startsWith("/api/")) {
      const page = await pageAnswer(options, request, url);
      if (page) return page;
    }
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

async function pageAnswer({ page, served }: HandlerOptions, request: Request, url: URL): Promise<Response | undefined> {
  try {
    return await page?.(request, url.pathname);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    served.log.error("The page could not be served", { path: url.pathname, detail });
    return plain(500, "the page could not be served: the server's log says why\n");
  }
}

async function carryOut(
  { served, gate }: HandlerOptions,
  request: Request,
  url: URL,
  route: Route,
  params: Readonly<Record<string, string>>,
  sort: (error: unknown) => WireError,
): Promise<Response> {
  const caller = await gate.callerOf(request);
  const query = readQuery(url.searchParams, route.query);
  const body = route.maxBody > 0 ? await readObject(request, route.maxBody) : {};
  const left = new AbortController();
  const signal = AbortSignal.any([request.signal, left.signal]);
  const mask = fieldMask("fields" in route.query ? url.searchParams.get("fields") ?? "" : "");
  const call: Call = { served, gate, caller, params, query, body, mask, signal, headers: request.headers };
  await gate.check(caller, route.rights(call));
  const answered = await route.answer(call);
  return respond(answered, request, { mask, sort, abort: (reason) => left.abort(reason) });
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
