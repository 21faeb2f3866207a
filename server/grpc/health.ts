/** The health service of gRPC (`grpc.health.v1.Health`), for probes: it needs no credentials, and tells nothing else. */
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { METHODS } from "../../lib/argo_proto/mod.ts";
import { pause, systemClock } from "../../lib/clock/mod.ts";
import { readBody } from "../wire/body.ts";
import { CODE, WireError, wireErrorOf } from "../wire/errors.ts";
import { withTrailers } from "../wire/trailers.ts";
import { Deadline } from "./deadline.ts";
import { CONTENT_TYPE, refusal, respond } from "./respond.ts";

const CHECK = "/grpc.health.v1.Health/Check";
const WATCH = "/grpc.health.v1.Health/Watch";

/** Whether a path is one of the service's methods. */
export function isHealthPath(path: string): boolean {
  return path === CHECK || path === WATCH;
}

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;
/** A watcher is told of a change after this time at most. */
const LOOK_MILLIS = 1_000;
/** A request names a service at most. */
const MOST_BYTES = 1024;
/** The frame before a message: whether it is compressed, and its length. */
const FRAME_BYTES = 5;
/** The field `service`, a text. */
const SERVICE = 0x0a;
/** The field `status`, a number. */
const STATUS = 0x08;

const SERVICES = new Set(METHODS.map(({ path }) => path.split("/")[1] ?? ""));

/** Answers how the server is, or one of its services; all of them are as it is. It throws nothing. */
export async function answerHealth(request: Request, path: string, isServing: () => boolean): Promise<Response> {
  try {
    const service = serviceOf(await readBody(request, MOST_BYTES));
    const isKnown = service === "" || SERVICES.has(service);
    if (path === WATCH) return watching(request, () => isKnown ? statusOf(isServing) : SERVICE_UNKNOWN);
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

/** The status now, and each that it becomes, until the client leaves or its deadline has come. */
function watching(request: Request, status: () => number): Response {
  const call = new AbortController();
  const limit = new Deadline(request, call);
  limit.start();
  const statuses = async function* () {
    for (let told: number | undefined; !call.signal.aborted;) {
      const now = status();
      if (now !== told) yield new Uint8Array([STATUS, told = now]);
      await pause(systemClock, LOOK_MILLIS, call.signal).catch(() => {});
    }
  };
  const sort = (error: unknown) => wireErrorOf(error, () => {});
  return respond(statuses(), { compression: null, sort, limit, call });
}

/** The service that is meant; empty for all of them. */
function serviceOf(body: Uint8Array): string {
  const message = body.subarray(FRAME_BYTES);
  if (message.length === 0) return "";
  const [field, length = 0] = message;
  // Names of services are short: their length is one byte.
  if (body[0] !== 0 || field !== SERVICE || length > 127 || message.length !== length + 2) {
    throw new WireError(CODE.invalidArgument, "expected a HealthCheckRequest");
  }
  return new TextDecoder().decode(message.subarray(2));
}
