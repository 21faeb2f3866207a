/** Writes HTTP/1.1 requests: the head, and the body with its length. */
import { requestHead } from "../http1/mod.ts";
import { chunksOf, freeBuffer } from "./chunks.ts";
import { type Bytes, type HttpRequest, NetError, type Source } from "./net.ts";
import type { Wire } from "./wire.ts";

const encoder = new TextEncoder();

/** Bodies up to this many bytes are sent together with the head. */
const MAX_BYTES_WITH_HEAD = 65_536;

/** An HTTP proxy for plain HTTP: its requests have the whole URL and the credentials for the proxy. */
export interface HttpProxy {
  readonly authorization: string | undefined;
}

/** Returns the head of a request. @throws {TypeError} for a header with a line break. */
export function headOf(request: HttpRequest, authorization: string | undefined, through: HttpProxy | undefined): Bytes {
  const { method, url, body, host = url.host, target = url.pathname + url.search } = request;
  const isEmptyWrite = body === undefined && (method === "POST" || method === "PUT" || method === "PATCH");
  const headers: (readonly [string, string])[] = [];
  if (authorization !== undefined) headers.push(["Authorization", authorization]);
  if (through?.authorization !== undefined) headers.push(["Proxy-Authorization", through.authorization]);
  for (const header of headersOf(request)) {
    if (!/^(host|content-length|transfer-encoding|connection)$/i.test(header[0])) headers.push(header);
  }
  const length = body !== undefined ? sizeOf(body) : isEmptyWrite ? 0 : undefined;
  return encoder.encode(requestHead({ method, target, origin: through && url.origin, host, headers, length }));
}

/** Returns the headers of a request in order. */
export function headersOf({ headers = {}, headerList = [] }: HttpRequest): readonly (readonly [string, string])[] {
  return [...Object.entries(headers), ...headerList];
}

/** Returns the bytes of a body. */
export function sizeOf(body: Bytes | Source): number {
  return body instanceof Uint8Array ? body.length : body.size;
}

/**
 * Sends head and body. `enough` returns true when the response has arrived, so that the rest need not be sent. Resolves
 * to whether everything was sent.
 * @throws {NetError} that is not retryable, when the content has a different size than announced.
 */
export async function sendAll(wire: Wire, head: Bytes, body: Bytes | Source | undefined, enough: () => boolean) {
  if (body === undefined || sizeOf(body) === 0) {
    await wire.write(head);
    return true;
  }
  if (body instanceof Uint8Array) return await sendBytes(wire, head, body, enough);
  const whole = body.whole?.();
  if (!whole) return await sendSource(wire, head, body, enough);
  if (whole.length === body.size) return await sendBytes(wire, head, whole, enough);
  throw changedError(body.size, whole.length);
}

async function sendBytes(wire: Wire, head: Bytes, bytes: Bytes, enough: () => boolean): Promise<boolean> {
  if (bytes.length <= MAX_BYTES_WITH_HEAD) await writeWithHead(wire, head, bytes);
  else {
    await wire.write(head);
    for (let offset = 0; offset < bytes.length; offset += 1_048_576) {
      if (enough()) return false;
      await wire.write(bytes.subarray(offset, offset + 1_048_576));
    }
  }
  return true;
}

async function sendSource(wire: Wire, head: Bytes, source: Source, enough: () => boolean): Promise<boolean> {
  let unsent: Bytes | undefined = head;
  let sent = 0;
  for await (const part of chunksOf(source.open(0, source.size), source.size)) {
    sent += part.length;
    if (sent > source.size) break;
    if (unsent && part.length <= MAX_BYTES_WITH_HEAD) await writeWithHead(wire, unsent, part);
    else {
      if (unsent) await wire.write(unsent);
      await wire.write(part);
    }
    unsent = undefined;
    if (enough() && sent < source.size) return false;
  }
  if (sent === source.size) return true;
  throw changedError(source.size, sent);
}

function changedError(size: number, sent: number): NetError {
  const had = sent > size ? "more" : sent;
  return new NetError(`The content changed while it was sent: expected ${size} bytes, got ${had}`, false);
}

async function writeWithHead(wire: Wire, head: Bytes, part: Bytes): Promise<void> {
  const all = new Uint8Array(head.length + part.length);
  all.set(head);
  all.set(part, head.length);
  await wire.write(all);
  freeBuffer(all.buffer);
}
