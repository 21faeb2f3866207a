/** The health service of gRPC (`grpc.health.v1.Health/Check`), for probes: it needs no credentials, and tells nothing else. */
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { METHODS } from "../../lib/argo_proto/mod.ts";
import { readBody } from "../wire/body.ts";
import { CODE, WireError, wireErrorOf } from "../wire/errors.ts";
import { withTrailers } from "../wire/trailers.ts";
import { CONTENT_TYPE, refusal } from "./respond.ts";

/** The one method that is there. */
export const HEALTH_PATH = "/grpc.health.v1.Health/Check";

const SERVING = 1;
const NOT_SERVING = 2;
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
export async function answerHealth(request: Request, isServing: boolean): Promise<Response> {
  try {
    const service = serviceOf(await readBody(request, MOST_BYTES));
    if (service !== "" && !SERVICES.has(service)) throw new WireError(CODE.notFound, "unknown service");
    const message = encodeEnvelope(0, new Uint8Array([STATUS, isServing ? SERVING : NOT_SERVING]));
    const response = new Response(message, { headers: { "content-type": CONTENT_TYPE } });
    return withTrailers(response, () => new Headers({ "grpc-status": String(CODE.ok) }));
  } catch (error) {
    return refusal(wireErrorOf(error, () => {}));
  }
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
