/**
 * Protects the page on this machine: loopback only, no login and no cookies. The link in the terminal contains a
 * ticket, which the page exchanges for a token. Every request to the API and to artifacts requires the token.
 */
import type { Handler } from "../wire/peer.ts";
import { readObject } from "../wire/body.ts";
import { CODE, errorBody, WireError } from "../wire/errors.ts";
import type { Page } from "./page.ts";
import { isEqual, Tickets } from "./tickets.ts";

/** The protected handlers, and the key. */
export interface LocalGateOptions {
  /** The port that the server listens on, which the `host` of each request must have. */
  readonly port: () => number;
  /** The API. It admits every caller, because it is protected by this gate. */
  readonly api: Handler;
  readonly page: Page;
  /** The key with which programs of this user request tickets. */
  readonly key: string;
  readonly now: () => number;
}

/** The gate, and the ticket that grants access. */
export interface LocalGate {
  readonly handler: Handler;
  /** The ticket of every link. It is valid as long as the gate exists. */
  readonly ticket: string;
}

const MAX_BODY_BYTES = 4096;

/** The paths to exchange a ticket for a token, and to request a ticket with the key. */
const SESSION_PATH = "/api/tiphys/v1/session";
export const TICKETS_PATH = "/api/tiphys/v1/tickets";
/** The path to request a ticket for a single path: requests of a frame cannot have a token. */
const PATH_TICKETS_PATH = "/api/tiphys/v1/path-tickets";
/** The paths that frames may show. They are read-only, and their responses have a separate content security policy. */
const FRAMED = /^\/artifact-files\//;

/** Creates the gate. */
export function localGate({ port, api, page, key, now }: LocalGateOptions): LocalGate {
  const tickets = new Tickets(now);
  const handler: Handler = async (request, peer) => {
    try {
      const refused = refusalOf(request, port());
      if (refused) return await refuse(request, refused);
      const { pathname } = new URL(request.url);
      if (!isApiPath(pathname)) {
        return await page(request, pathname) ?? await refuse(request, unsupportedMethod());
      }
      const bearer = bearerOf(request);
      if (pathname === TICKETS_PATH) {
        if (request.method !== "POST") return await refuse(request, unsupportedMethod());
        if (bearer === undefined || !await isEqual(bearer, key)) return await refuse(request, notLoggedIn());
        return json({ ticket: tickets.ticket });
      }
      if (pathname === SESSION_PATH) {
        if (request.method !== "POST") return await refuse(request, unsupportedMethod());
        const { ticket } = await readObject(request, MAX_BODY_BYTES);
        const token = typeof ticket === "string" ? await tickets.redeem(ticket) : undefined;
        return token === undefined ? await refuse(request, invalidLink()) : json({ token });
      }
      const isKnown = bearer === undefined ? await hasTicketOfPath(request, tickets) : await tickets.isSession(bearer);
      if (!isKnown) return await refuse(request, notLoggedIn());
      if (pathname === PATH_TICKETS_PATH) {
        if (request.method !== "POST") return await refuse(request, unsupportedMethod());
        const { path } = await readObject(request, MAX_BODY_BYTES);
        if (typeof path !== "string" || !FRAMED.test(path)) return await refuse(request, invalidPath());
        return json({ ticket: await tickets.createForPath(path) });
      }
      return await api(withoutCredentials(request), peer);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return await refuse(request, error);
    }
  };
  return { handler, ticket: tickets.ticket };
}

/** Returns the error for a request that does not come from the page on this machine; undefined if it does. */
function refusalOf(request: Request, port: number): WireError | undefined {
  const hosts = ["127.0.0.1", "[::1]", "localhost"].map((host) => `${host}:${port}`);
  // Prevents DNS rebinding: another host name that resolves to this machine is refused.
  if (!hosts.includes(request.headers.get("host") ?? "")) {
    return new WireError(CODE.failedPrecondition, "the Host header must be the name of this machine", {
      status: 421,
    });
  }
  const origin = request.headers.get("origin");
  if (origin !== null && !hosts.some((host) => origin === `http://${host}`)) return foreignRequest();
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return undefined;
  // Other pages may link to this one, since it shows nothing without a token.
  const isVisit = request.method === "GET" && request.headers.get("sec-fetch-mode") === "navigate" &&
    request.headers.get("sec-fetch-dest") === "document";
  return isVisit && !isApiPath(new URL(request.url).pathname) ? undefined : foreignRequest();
}

/** Reports whether a path requires a session: one of the API, or of artifacts. */
function isApiPath(pathname: string): boolean {
  return /^\/(api|artifacts|input-artifacts|artifacts-by-uid|input-artifacts-by-uid|artifact-files|upload-artifacts)\//
    .test(pathname);
}

/** Reports whether a request has a valid ticket for its path instead of a token. */
async function hasTicketOfPath(request: Request, tickets: Tickets): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url);
  const ticket = searchParams.get("ticket");
  return request.method === "GET" && ticket !== null && FRAMED.test(pathname) &&
    await tickets.isForPath(ticket, pathname);
}

function invalidPath(): WireError {
  return new WireError(CODE.invalidArgument, "expected the path of an artifact");
}

function foreignRequest(): WireError {
  return new WireError(CODE.permissionDenied, "only the page of this server may send requests");
}

function notLoggedIn(): WireError {
  return new WireError(CODE.unauthenticated, "not logged in: open the link that  tiphys ui  prints");
}

function invalidLink(): WireError {
  return new WireError(
    CODE.unauthenticated,
    "this link is not valid: the server that printed it has ended. Open the link that  tiphys ui  prints",
  );
}

function unsupportedMethod(): WireError {
  return new WireError(CODE.unimplemented, "Not Implemented");
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer ([\w-]{16,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** Removes the token, which only the gate reads, and cookies, which may belong to any server on this machine. */
function withoutCredentials(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.delete("cookie");
  const url = new URL(request.url);
  url.searchParams.delete("ticket");
  return new Request(url, new Request(request, { headers }));
}

async function refuse(request: Request, error: WireError): Promise<Response> {
  await request.body?.cancel().catch(() => {});
  return new Response(errorBody(error), { status: error.status, headers: JSON_HEADERS });
}

const JSON_HEADERS = {
  "content-type": "application/json",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: JSON_HEADERS });
}
