/** gRPC as a function from requests to responses with trailers: one message in, one message or a stream of them out. */
import { ConnectError } from "@connectrpc/connect";
import {
  compressionNegotiate,
  type EnvelopedMessage,
  pipe,
  transformDecompressEnvelope,
  transformSplitEnvelope,
} from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import { MessageError, METHODS, readMessage, writeMessage } from "../../lib/argo_proto/mod.ts";
import { LIMITS } from "../../lib/limits.ts";
import { messageBody, type TextWorker } from "../../lib/text_worker/mod.ts";
import type { Answer, Given, Route } from "../routes/route.ts";
import { type BodyReader, inLargePieces, type JsonObject, valueOf } from "../wire/body.ts";
import { badRequest, CODE, type Code, WireError } from "../wire/errors.ts";
import type { FieldMask } from "../wire/field_mask.ts";
import { batchesOf } from "../wire/streams.ts";
import { bridge, type Bridged, givenBy } from "./bridge.ts";
import { Deadline } from "./deadline.ts";
import { CONTENT_TYPE, refusal, respond } from "./respond.ts";

/** The most bytes of a message, both ways. */
export const MAX_MESSAGE = 100 << 20;

/** Does what a route is for; `read` is called once it is known who calls. */
export type Perform = (asked: {
  readonly request: Request;
  readonly route: Route;
  readonly read: (key: string) => Promise<Given>;
  readonly signal: AbortSignal;
}) => Promise<{ readonly answer: Answer; readonly mask: FieldMask }>;

/** The facts about a request that are known before it is read. */
export interface Asked {
  readonly path: string;
  /** Whether the caller has asked too often. */
  readonly isOver: boolean;
  /** Sorts what was thrown. */
  readonly sort: (error: unknown) => WireError;
}

/** Whether a request is one of gRPC. */
export function isGrpc(request: Request): boolean {
  return (request.headers.get("content-type") ?? "").startsWith(CONTENT_TYPE);
}

/** The server of gRPC over a table of routes. It throws nothing: whatever happens is a status. */
export function grpcServer(perform: Perform, routes: readonly Route[], texts: TextWorker) {
  const methods = bridge(METHODS, routes);
  return async (request: Request, asked: Asked): Promise<Response> => {
    const call = new AbortController();
    const limit = new Deadline(request, call);
    const sort = (error: unknown) => asked.sort(ownError(error));
    try {
      if (asked.isOver) throw new WireError(CODE.resourceExhausted, "Too Many Requests");
      const bridged = methods.get(asked.path);
      if (!bridged) throw unknownMethod(asked.path);
      limit.start();
      const compression = negotiate(request);
      const read = async (key: string) =>
        givenBy(bridged.route, await readRequest(request, bridged, compression, { texts, key }));
      const { answer, mask } = await limit.race(perform({ request, route: bridged.route, read, signal: limit.signal }));
      // Answers are compressed as the request was, as Argo's own clients and server do it.
      const chosen = compression.request ? compression.response : null;
      return respond(messagesOf(bridged, answer, mask), { compression: chosen, sort, limit, call });
    } catch (error) {
      const status = limit.reason ?? sort(error);
      limit.end();
      call.abort(status);
      request.body?.cancel().catch(() => {});
      return refusal(status);
    }
  };
}

type Negotiated = ReturnType<typeof compressionNegotiate>;

function negotiate({ headers }: Request): Negotiated {
  const [encoding, accepted] = [headers.get("grpc-encoding"), headers.get("grpc-accept-encoding")];
  return compressionNegotiate([compressionGzip], encoding, accepted, "grpc-accept-encoding");
}

function unknownMethod(path: string): WireError {
  const at = path.lastIndexOf("/");
  const [service, method] = [path.slice(1, Math.max(at, 1)), path.slice(at + 1)];
  const isKnown = METHODS.some((one) => one.path.startsWith(`/${service}/`));
  return new WireError(
    CODE.unimplemented,
    isKnown ? `unknown method ${method} for service ${service}` : `unknown service ${service}`,
  );
}

/** The library's errors in our own words' class, so that one function sorts all of them. */
function ownError(error: unknown): unknown {
  if (error instanceof ConnectError) return new WireError(error.code as Code, error.rawMessage, { cause: error });
  return error instanceof MessageError ? badRequest(error.message) : error;
}

/** The one message of a request. */
async function readRequest(
  request: Request,
  { method, route }: Bridged,
  compression: Negotiated,
  { texts, key }: BodyReader,
): Promise<JsonObject> {
  if (compression.error) throw compression.error;
  const most = Math.min(route.maxBody || MAX_MESSAGE, MAX_MESSAGE);
  const envelopes = pipe(
    inLargePieces(request.body ?? []),
    transformSplitEnvelope(most),
    transformDecompressEnvelope(compression.request, most),
  );
  let found: EnvelopedMessage | undefined;
  for await (const envelope of envelopes) {
    if (found) throw badRequest("the request has more than one message");
    found = envelope;
  }
  if (!found) throw badRequest("the request has no message");
  const { data } = found;
  if (data.length <= LIMITS.inlineCharacters) return readMessage(method.input, data) as JsonObject;
  const input = { method: method.id, bytes: data.toBase64() };
  return valueOf(await texts.run("messageBody", input, { key, here: messageBody })) as JsonObject;
}

async function* messagesOf({ method }: Bridged, answer: Answer, mask: FieldMask): AsyncGenerator<Uint8Array> {
  if ("response" in answer) throw new WireError(CODE.unimplemented, "the answer is no message");
  if ("json" in answer) {
    yield bounded(writeMessage(method.output, answer.json));
    return;
  }
  for await (const batch of batchesOf(answer)) {
    for (const one of batch) {
      const { result } = mask.apply({ result: one }) as { readonly result?: unknown };
      yield bounded(writeMessage(method.output, result ?? {}));
    }
  }
}

function bounded(message: Uint8Array): Uint8Array {
  if (message.length <= MAX_MESSAGE) return message;
  throw new WireError(CODE.resourceExhausted, `the answer has ${message.length} bytes, more than ${MAX_MESSAGE}`);
}
