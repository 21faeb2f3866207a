/** Parses the status line and headers of a response. */
import type { ByteSource } from "./arrivals.ts";
import { ascii, latin1 } from "./latin1.ts";
import { MessageError, NoResponseError } from "./message_error.ts";

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** By lower-case name. Values of repeated headers are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the connection can be reused. */
  readonly keep: boolean;
}

/** Maximum bytes of the head, including informational responses (status 1xx) before it. */
const MAX_HEAD_BYTES = 65_536;
/** Maximum number of headers. */
const MAX_HEADERS = 1000;
const LF = 10;
const CR = 13;

/**
 * Reads the head of the final response. Informational responses (status 1xx) are skipped; `early` is called for each.
 * @throws {NoResponseError} when no byte arrives; {@link MessageError} for a head that is incomplete, too large or not
 * HTTP/1.1.
 */
export async function readResponseHead(
  from: ByteSource,
  onInformational: () => void = () => {},
): Promise<ResponseHead> {
  for (let before = 0;;) {
    const text = await headText(from, before);
    const head = parseHead(text);
    if (head.status >= 200) return head;
    before += text.length;
    onInformational();
  }
}

/**
 * Reads all lines up to and including the empty one. `before` is the number of bytes in earlier informational
 * responses.
 */
async function headText(from: ByteSource, before: number): Promise<string> {
  let text = "";
  for (;;) {
    const { bytes } = from;
    const { count, isWhole, isAscii } = headPart(bytes, text);
    if (before + text.length + count > MAX_HEAD_BYTES) {
      throw new MessageError(`the response head has more than ${MAX_HEAD_BYTES} bytes`, false);
    }
    const part = bytes.subarray(0, count);
    text += isAscii ? ascii(part) : latin1(part);
    from.consume(count);
    if (isWhole) return text;
    const begun = before + text.length > 0;
    const more = await from.readMore().catch((cause: unknown) => {
      throw begun ? cause : new NoResponseError({ cause });
    });
    if (!more) throw begun ? new MessageError("the response ended within its head", true) : new NoResponseError();
  }
}

/** Returns how many of the bytes belong to a head that began with `before`: up to the end of an empty line, or all. */
function headPart(bytes: Uint8Array, before: string) {
  let lineIsEmpty = before.endsWith("\n") || before.endsWith("\n\r");
  let lastIsCr = before.endsWith("\r");
  let all = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    all |= byte;
    if (byte === LF) {
      if (lineIsEmpty) return { count: offset + 1, isWhole: true, isAscii: all < 128 };
      lineIsEmpty = true;
    } else if (byte !== CR || lastIsCr) lineIsEmpty = false;
    lastIsCr = byte === CR;
  }
  return { count: bytes.length, isWhole: false, isAscii: all < 128 };
}

function parseHead(text: string): ResponseHead {
  const lines = text.split(/\r?\n/);
  const [first = ""] = lines;
  const [, minor, code, statusText = ""] = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(first) ?? [];
  if (code === undefined) {
    throw new MessageError(`not an HTTP/1.1 response: ${JSON.stringify(first.slice(0, 60))}`, false);
  }
  // Without the empty line and the part that split() returns after it.
  const headers = headersOf(lines.slice(1, -2));
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  const isReusable = minor === "1" ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { status: Number(code), statusText, headers, keep: isReusable };
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  if (lines.length > MAX_HEADERS) throw new MessageError(`the response has more than ${MAX_HEADERS} headers`, false);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new MessageError("a response header has no name", false);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || value.includes("\0") || value.includes("\r")) {
      throw new MessageError(`the response header ${JSON.stringify(name)} is invalid`, false);
    }
    const same = headers.get(name);
    headers.set(name, same === undefined ? value : `${same}, ${value}`);
  }
  return headers;
}
