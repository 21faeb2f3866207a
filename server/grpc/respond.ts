/** Responses of gRPC: messages in their frames, compressed as those of the request were, and a status at the end. */
import { type Compression, encodeEnvelope, envelopeCompress } from "@connectrpc/connect/protocol";
import { grpcStatusOk, headerGrpcMessage, headerGrpcStatus } from "@connectrpc/connect/protocol-grpc";
import { VERSION } from "../../lib/version.ts";
import type { WireError } from "../wire/errors.ts";
import { withTrailers } from "../wire/trailers.ts";
import type { Deadline } from "./deadline.ts";

/** Messages below are not worth compressing. */
const MIN_COMPRESSED = 1 << 10;
export const CONTENT_TYPE = "application/grpc";
/** A status travels in a header, and clients bound those. */
const LONGEST_STATUS = 4096;

/** The way in which messages are sent, and whom their end is told. */
export interface Sending {
  /** Null for messages as they are. */
  readonly compression: Compression | null;
  readonly sort: (error: unknown) => WireError;
  readonly limit: Deadline;
  readonly call: AbortController;
}

/** The response with these messages. When it ends, or nobody reads it, the source is told. */
export function respond(source: AsyncGenerator<Uint8Array>, { compression, sort, limit, call }: Sending): Response {
  const headers = new Headers({ "content-type": CONTENT_TYPE, "argo-version": `v${VERSION}` });
  if (compression) headers.set("grpc-encoding", compression.name);
  let status: WireError | undefined;
  const end = (error?: WireError) => {
    status = error;
    limit.end();
    call.abort(error);
    // Nobody waits for the end of a source that nobody reads.
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

/** A response that is a status alone. */
export function refusal(error: WireError): Response {
  const headers = statusOf(error);
  headers.set("content-type", CONTENT_TYPE);
  return new Response(null, { headers });
}

function statusOf(error: WireError | undefined): Headers {
  if (!error) return new Headers({ [headerGrpcStatus]: grpcStatusOk });
  const message = percentEncoded(error.message.slice(0, LONGEST_STATUS));
  return new Headers({ [headerGrpcStatus]: String(error.code), [headerGrpcMessage]: message });
}

const encoder = new TextEncoder();

/**
 * A text as the protocol has it in a header: bytes that are not printable ASCII, and the percent sign, as `%XX`. Clients do
 * not all decode what was encoded beyond that.
 */
function percentEncoded(text: string): string {
  let encoded = "";
  for (const byte of encoder.encode(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
