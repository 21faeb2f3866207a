/**
 * The gRPC health service (`grpc.health.v1.Health`), for probes. It requires no credentials and reports nothing else.
 */
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { METHODS } from "@tiphys/proto";
import { pause, systemClock } from "@tiphys/base/clock";
import { readBody } from "../wire/body.ts";
import { CODE, WireError, wireErrorOf } from "../wire/errors.ts";
import { withTrailers } from "../wire/trailers.ts";
import { Deadline } from "./deadline.ts";
import { CONTENT_TYPE, refusal, respond } from "./respond.ts";

const CHECK = "/grpc.health.v1.Health/Check";
const WATCH = "/grpc.health.v1.Health/Watch";

/** Whether a path is a method of the service. */
export function isHealthPath(path: string): boolean {
  return path === CHECK || path === WATCH;
}

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;
/** Milliseconds between two checks of the status in a watch. */
const LOOK_MILLIS = 1_000;
/** The maximum size of a request, which contains at most the name of a service. */
const MAX_BYTES = 1024;
/** The size of the frame header: a compression flag and the length. */
const FRAME_BYTES = 5;
/** The tag of the field `service`, a string. */
const SERVICE = 0x0a;
/** The tag of the field `status`, an enum. */
const STATUS = 0x08;

const SERVICES = new Set(METHODS.map(({ path }) => path.split("/")[1] ?? ""));

/** Responds with the status of the server; all services share it. Never throws. */
export async function answerHealth(request: Request, path: string, isServing: () => boolean): Promise<Response> {
  try {
    const service = serviceOf(await readBody(request, MAX_BYTES));
    const isKnown = service === "" || SERVICES.has(service);
    if (path === WATCH) return watchResponse(request, () => isKnown ? statusOf(isServing) : SERVICE_UNKNOWN);
    if (!isKnown) throw new WireError(CODE.notFound, "unknown service");
    const response = new Response(messageOf(statusOf(isServing)), { headers: { "content-type": CONTENT_TYPE } });
    return withTrailers(response, () => new Headers({ "grpc-status": String(CODE.ok) }));
  } catch (error) {
    return refusal(wireErrorOf(error, () => {}));
  }
}

function statusOf(isServing: () => boolean): number {
  return isServing() ? SERVING : NOT_SERVING;
}

function messageOf(status: number): Uint8Array<ArrayBuffer> {
  return encodeEnvelope(0, new Uint8Array([STATUS, status]));
}

/** Streams the current status and its changes until the client disconnects or the deadline expires. */
function watchResponse(request: Request, status: () => number): Response {
  const call = new AbortController();
  const limit = new Deadline(request, call);
  limit.start();
  const statuses = async function* () {
    for (let sent: number | undefined; !call.signal.aborted;) {
      const now = status();
      if (now !== sent) yield new Uint8Array([STATUS, sent = now]);
      await pause(systemClock, LOOK_MILLIS, call.signal).catch(() => {});
    }
  };
  const sort = (error: unknown) => wireErrorOf(error, () => {});
  return respond(statuses(), { compression: null, sort, limit, call });
}

/** Returns the requested service; empty for all services. */
function serviceOf(body: Uint8Array): string {
  const message = body.subarray(FRAME_BYTES);
  if (message.length === 0) return "";
  const [field, length = 0] = message;
  // Names of services are short, so their length is a single byte.
  if (body[0] !== 0 || field !== SERVICE || length > 127 || message.length !== length + 2) {
    throw new WireError(CODE.invalidArgument, "expected a HealthCheckRequest");
  }
  return new TextDecoder().decode(message.subarray(2));
}
