/**
 * An HTTP/1.1 client for external servers: object stores, git, web servers. It is independent of artifacts. It does not
 * use `fetch`, which cannot send a stream with a Content-Length, decompresses bodies, retries silently, and normalizes
 * paths that must be sent unchanged.
 */
export {
  type Bytes,
  type HttpRequest,
  type HttpResponse,
  type Net,
  NetError,
  type Source,
  type TlsOptions,
} from "./net.ts";
export { abortableFetch } from "./abortable_fetch.ts";
export { byteStream, type ReadNext, type StreamHooks, tapStream } from "./byte_stream.ts";
export { chunksOf, freeBuffer, partsOf, sliceOf, type TransientChunks } from "./chunks.ts";
export { allowedConnections } from "./connection_room.ts";
export { duplexOf } from "./duplex.ts";
export { type NetOptions, type OpenNet, openNet } from "./open_net.ts";
export { type AddressPolicy, addressPolicy, addressPolicyOf, ALLOW_ALL, ALLOWED_ADDRESSES } from "./reach.ts";
export { Redactor } from "./redactor.ts";
export { type SocketCarrier, socketCarrier } from "./socket_carrier.ts";
export type { Carrier } from "./wire.ts";
