/** Writing HTTP/1.1: the head of a request, and its body with its length. */
import { requestHead } from "../http1/mod.ts";
import { chunksOf, free } from "./chunks.ts";
import { type Bytes, type HttpRequest, NetError, type Source } from "./net.ts";
import type { Wire } from "./wire.ts";

const encoder = new TextEncoder();

/** A body up to this size goes out together with the head, bytes. */
const MOST_TOGETHER = 65_536;

/**
 * The proxy of plain HTTP that a request goes through: it is asked for a whole URL, with the credentials that it knows
 * us by.
 */
export interface Through {
  readonly authorization: string | undefined;
}

/** The head of a request. @throws {TypeError} when a header would end its line. */
export function headOf(request: HttpRequest, authorization: string | undefined, through: Through | undefined): Bytes {
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

/** The headers of a request, in their order. */
export function headersOf({ headers = {}, headerList = [] }: HttpRequest): readonly (readonly [string, string])[] {
  return [...Object.entries(headers), ...headerList];
}

/** Bytes of a body. */
export function sizeOf(body: Bytes | Source): number {
  return body instanceof Uint8Array ? body.length : body.size;
}

/**
 * Sends head and body. `enough` tells that the answer is there already, so that the rest need not be sent; resolves to
 * whether all was.
 * @throws {NetError} that does not pass, when the content has another size than it said.
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
  throw changed(body.size, whole.length);
}

async function sendBytes(wire: Wire, head: Bytes, bytes: Bytes, enough: () => boolean): Promise<boolean> {
  if (bytes.length <= MOST_TOGETHER) await writeTogether(wire, head, bytes);
  else {
    await wire.write(head);
    for (let at = 0; at < bytes.length; at += 1_048_576) {
      if (enough()) return false;
      await wire.write(bytes.subarray(at, at + 1_048_576));
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
    if (unsent && part.length <= MOST_TOGETHER) await writeTogether(wire, unsent, part);
    else {
      if (unsent) await wire.write(unsent);
      await wire.write(part);
    }
    unsent = undefined;
    if (enough() && sent < source.size) return false;
  }
  if (sent === source.size) return true;
  throw changed(source.size, sent);
}

function changed(size: number, sent: number): NetError {
  const had = sent > size ? "more" : sent;
  return new NetError(`The content changed while it was sent: it said ${size} bytes and had ${had}`, false);
}

async function writeTogether(wire: Wire, head: Bytes, part: Bytes): Promise<void> {
  const all = new Uint8Array(head.length + part.length);
  all.set(head);
  all.set(part, head.length);
  await wire.write(all);
  free(all.buffer);
}
