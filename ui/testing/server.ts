/** The fake server of DOM tests: responds to the requests of `ui/api` by method and path. */
import { EXTENSIONS } from "@tiphys/model/api/extensions";
import { BASE, faults } from "./dom.ts";

/** A request that the server received. */
export interface ServedRequest {
  readonly method: string;
  /** Below the base, without `api/`: `v1/workflows/argo/hello`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON body, or the form; undefined without one. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Returns the response to a request: a JSON value, or a `Response`. */
export type Answer = (request: ServedRequest) => unknown;

/** Responses by `METHOD path`, such as `GET v1/workflows/argo/hello`: JSON values, or functions that return them. */
export type Answers = Readonly<Record<string, unknown>>;

/** A response that never arrives. */
export const hangs: Answer = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Returns an error response of the server. */
export function refusal(status: number, message = `the test answers ${status}`): Answer {
  return () => Response.json({ code: 2, message }, { status });
}

/** Returns results as server-sent events, on a stream that stays open. */
export function stream(...results: readonly unknown[]): Answer {
  return ({ signal }) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`: open\n\n${eventsOf(results)}`));
        signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

/** Returns results as server-sent events, on a stream that then ends, like the log of a finished container. */
export function endedStream(...results: readonly unknown[]): Answer {
  return () => new Response(eventsOf(results), { headers: { "content-type": "text/event-stream" } });
}

function eventsOf(results: readonly unknown[]): string {
  return results.map((result) => `data: ${JSON.stringify({ result })}\n\n`).join("");
}

/** The settings of a server with all extensions. */
export const INFO = { managedNamespace: "", links: [], columns: [], navColor: "", modals: {}, extensions: EXTENSIONS };

/** The default responses. */
const USUAL: Answers = {
  "GET v1/info": INFO,
  "GET v1/version": { version: "v1.2.3" },
};

/** The fake server. */
export interface Server {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Requests in arrival order. */
  readonly requests: readonly ServedRequest[];
  /** The number of requests in flight, except those that hang. */
  readonly inFlight: number;
  readonly hasHanging: boolean;
}

/** Starts a server. A request without a configured response is recorded as a fault and fails the test. */
export function serve(answers: Answers): Server {
  const requests: ServedRequest[] = [];
  const all: Answers = { ...USUAL, ...answers };
  let inFlight = 0;
  let hasHanging = false;
  function answerTo({ method, path }: ServedRequest): unknown {
    const key = `${method} ${path}`;
    if (Object.hasOwn(all, key)) return all[key];
    if (method === "GET" && /\/(activity|can|pod-times|why)$/.test(path)) return {};
    if (path.startsWith("v1/workflow-events/") || path.startsWith("v1/stream/")) return stream();
    faults.push(`The test names no answer for ${key}`);
    return refusal(404);
  }
  return {
    requests,
    get inFlight() {
      return inFlight;
    },
    get hasHanging() {
      return hasHanging;
    },
    async fetch(url, { method = "GET", body, signal }) {
      signal?.throwIfAborted();
      const { pathname, searchParams } = new URL(url);
      const request: ServedRequest = {
        method,
        path: decodeURIComponent(pathname.slice(new URL(BASE).pathname.length).replace(/^api\//, "")),
        query: searchParams,
        body: typeof body === "string" ? JSON.parse(body) : body ?? undefined,
        signal: signal ?? undefined,
      };
      requests.push(request);
      const answer = answerTo(request);
      const isCounted = answer !== hangs;
      if (isCounted) inFlight++;
      else hasHanging = true;
      try {
        const value: unknown = typeof answer === "function" ? await answer(request) : answer;
        const response = value instanceof Response ? value : Response.json(value);
        Object.defineProperty(response, "url", { value: response.url || url });
        return response;
      } finally {
        if (isCounted) inFlight--;
      }
    },
  };
}
