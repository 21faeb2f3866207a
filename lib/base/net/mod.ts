/**
 * HTTP to the servers of other people: object stores, git, web servers. It knows nothing of artifacts. HTTP/1.1 is spoken
 * over plain connections: `fetch` cannot send a stream with its length, unpacks what it should leave packed, repeats
 * requests in silence, and puts paths in order that must stay as they are.
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
export { byteStream, type OnTheWay, passedOn, type ReadNext } from "./byte_stream.ts";
export { chunksOf, free, partsOf, type Passing, sliceOf } from "./chunks.ts";
export { connectionRoom } from "./connection_room.ts";
export { duplexOf } from "./duplex.ts";
export { type NetOptions, type OpenNet, openNet } from "./open_net.ts";
export { ALLOWED_ADDRESSES, ANYWHERE, openReach, type Reach, reachOf } from "./reach.ts";
export { Redactor } from "./redactor.ts";
export { type SocketCarrier, socketCarrier } from "./socket_carrier.ts";
export type { Carrier } from "./wire.ts";
