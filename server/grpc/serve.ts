/** The gRPC server as a function from requests to responses with trailers: unary and server-streaming methods. */
import { ConnectError } from "@connectrpc/connect";
import {
  compressionNegotiate,
  type EnvelopedMessage,
  pipe,
  transformDecompressEnvelope,
  transformSplitEnvelope,
} from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import { MessageError, METHODS, readMessage, writeMessage } from "@tiphys/proto";
import { LIMITS } from "@tiphys/base/limits";
import { messageBody, type TextWorker } from "@tiphys/language/text_worker";
import type { Answer, Route, RouteInput } from "../routes/route.ts";
import { type BodyReader, inLargePieces, type JsonObject, valueOf } from "../wire/body.ts";
import { badRequest, CODE, type Code, WireError } from "../wire/errors.ts";
import type { FieldMask } from "../wire/field_mask.ts";
import { batchesOf } from "../wire/streams.ts";
import { type BridgedMethod, bridgeMethods, inputOf } from "./bridge.ts";
import { Deadline } from "./deadline.ts";
import { CONTENT_TYPE, refusal, respond } from "./respond.ts";

/** The maximum size of a message in both directions, in bytes. */
export const MAX_MESSAGE = 100 << 20;

/** Runs a route. `read` is called after the caller is authenticated. */
export type RunRoute = (call: {
  readonly request: Request;
  readonly address: string;
  readonly route: Route;
  readonly read: (key: string) => Promise<RouteInput>;
  readonly signal: AbortSignal;
}) => Promise<{ readonly answer: Answer; readonly mask: FieldMask }>;

/** The properties of a request that are known before its message is read. */
export interface RequestContext {
  readonly path: string;
  /** The address of the client. */
  readonly address: string;
  /** Whether the caller exceeded the rate limit. */
  readonly isOver: boolean;
  /** Converts an error. */
  readonly sort: (error: unknown) => WireError;
}

/** Whether a request is a gRPC request. */
export function isGrpc(request: Request): boolean {
  return (request.headers.get("content-type") ?? "").startsWith(CONTENT_TYPE);
}

/** Creates the gRPC server for a table of routes. It never throws: every error becomes a status. */
export function grpcServer(perform: RunRoute, routes: readonly Route[], texts: TextWorker) {
  const methods = bridgeMethods(METHODS, routes);
  return async (request: Request, context: RequestContext): Promise<Response> => {
    const call = new AbortController();
    const limit = new Deadline(request, call);
    const sort = (error: unknown) => context.sort(toWireError(error));
    try {
      if (context.isOver) throw new WireError(CODE.resourceExhausted, "Too Many Requests");
      const bridged = methods.get(context.path);
      if (!bridged) throw unknownMethodError(context.path);
      limit.start();
      const compression = negotiateCompression(request);
      const read = async (key: string) =>
        inputOf(bridged.route, await readRequest(request, bridged, compression, { texts, key }));
      const { answer, mask } = await limit.race(
        perform({ request, address: context.address, route: bridged.route, read, signal: limit.signal }),
      );
      // The response is compressed if the request was, like in Argo's clients and server.
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

type NegotiatedCompression = ReturnType<typeof compressionNegotiate>;

function negotiateCompression({ headers }: Request): NegotiatedCompression {
  const [encoding, accepted] = [headers.get("grpc-encoding"), headers.get("grpc-accept-encoding")];
  return compressionNegotiate([compressionGzip], encoding, accepted, "grpc-accept-encoding");
}

function unknownMethodError(path: string): WireError {
  const index = path.lastIndexOf("/");
  const [service, method] = [path.slice(1, Math.max(index, 1)), path.slice(index + 1)];
  const isKnown = METHODS.some((candidate) => candidate.path.startsWith(`/${service}/`));
  return new WireError(
    CODE.unimplemented,
    isKnown ? `unknown method ${method} for service ${service}` : `unknown service ${service}`,
  );
}

/** Converts errors of the library into {@link WireError}, so that one function handles all errors. */
function toWireError(error: unknown): unknown {
  if (error instanceof ConnectError) return new WireError(error.code as Code, error.rawMessage, { cause: error });
  return error instanceof MessageError ? badRequest(error.message) : error;
}

/** Reads the single message of a request. */
async function readRequest(
  request: Request,
  { method, route }: BridgedMethod,
  compression: NegotiatedCompression,
  { texts, key }: BodyReader,
): Promise<JsonObject> {
  if (compression.error) throw compression.error;
  const max = Math.min(route.maxBody || MAX_MESSAGE, MAX_MESSAGE);
  const envelopes = pipe(
    inLargePieces(request.body ?? []),
    transformSplitEnvelope(max),
    transformDecompressEnvelope(compression.request, max),
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
  return valueOf(
    await texts.run("messageBody", input, { key, runHere: messageBody, characters: input.bytes.length }),
  ) as JsonObject;
}

async function* messagesOf({ method }: BridgedMethod, answer: Answer, mask: FieldMask): AsyncGenerator<Uint8Array> {
  if ("response" in answer) throw new WireError(CODE.unimplemented, "the response cannot be sent as a message");
  if ("json" in answer) {
    yield requireWithinLimit(writeMessage(method.output, answer.json));
    return;
  }
  for await (const batch of batchesOf(answer)) {
    for (const message of batch) {
      const { result } = mask.apply({ result: message }) as { readonly result?: unknown };
      yield requireWithinLimit(writeMessage(method.output, result ?? {}));
    }
  }
}

function requireWithinLimit(message: Uint8Array): Uint8Array {
  if (message.length <= MAX_MESSAGE) return message;
  throw new WireError(
    CODE.resourceExhausted,
    `the response has ${message.length} bytes, and the limit is ${MAX_MESSAGE}`,
  );
}
