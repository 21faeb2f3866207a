/** gRPC responses: framed messages, compressed like those of the request, followed by a status. */
import { type Compression, encodeEnvelope, envelopeCompress } from "@connectrpc/connect/protocol";
import { grpcStatusOk, headerGrpcMessage, headerGrpcStatus } from "@connectrpc/connect/protocol-grpc";
import { VERSION } from "@tiphys/base/version";
import type { WireError } from "../wire/errors.ts";
import { withTrailers } from "../wire/trailers.ts";
import type { Deadline } from "./deadline.ts";

/** The minimum size of a message to compress. */
const MIN_COMPRESSED = 1 << 10;
export const CONTENT_TYPE = "application/grpc";
/** The maximum length of a status message, because clients limit the size of headers. */
const MAX_STATUS_CHARACTERS = 4096;

/** The settings of a response, and the objects to notify at its end. */
export interface ResponseOptions {
  /** Null for uncompressed messages. */
  readonly compression: Compression | null;
  readonly sort: (error: unknown) => WireError;
  readonly limit: Deadline;
  readonly call: AbortController;
}

/**
 * Returns a response that streams the messages of a source. When the stream ends or is canceled, the source is closed
 * and the call is aborted.
 */
export function respond(
  source: AsyncGenerator<Uint8Array>,
  { compression, sort, limit, call }: ResponseOptions,
): Response {
  const headers = new Headers({ "content-type": CONTENT_TYPE, "argo-version": `v${VERSION}` });
  if (compression) headers.set("grpc-encoding", compression.name);
  let status: WireError | undefined;
  const end = (error?: WireError) => {
    status = error;
    limit.end();
    call.abort(error);
    // Not awaited: a source that is blocked may never finish.
    source.return(undefined).catch(() => {});
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await limit.race(source.next());
        if (done) {
          end();
          return controller.close();
        }
        const { flags, data } = await envelopeCompress({ flags: 0, data: value }, compression, MIN_COMPRESSED);
        controller.enqueue(encodeEnvelope(flags, data));
      } catch (error) {
        end(limit.reason ?? sort(error));
        controller.close();
      }
    },
    cancel: () => end(),
  }, { highWaterMark: 1 });
  return withTrailers(new Response(body, { headers }), () => statusOf(status));
}

/** Returns a response that consists only of a status. */
export function refusal(error: WireError): Response {
  const headers = statusOf(error);
  headers.set("content-type", CONTENT_TYPE);
  return new Response(null, { headers });
}

function statusOf(error: WireError | undefined): Headers {
  if (!error) return new Headers({ [headerGrpcStatus]: grpcStatusOk });
  const message = percentEncoded(error.message.slice(0, MAX_STATUS_CHARACTERS));
  return new Headers({ [headerGrpcStatus]: String(error.code), [headerGrpcMessage]: message });
}

const encoder = new TextEncoder();

/**
 * Encodes a text for a header of the protocol: the percent sign and all bytes except printable ASCII as `%XX`. Other
 * characters must not be encoded, because some clients do not decode them.
 */
function percentEncoded(text: string): string {
  let encoded = "";
  for (const byte of encoder.encode(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
