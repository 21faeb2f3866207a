/** The first lines of an answer: its status and its headers. */
import type { Arrivals } from "./arrivals.ts";
import { ascii, latin1 } from "./latin1.ts";
import { MessageError, NoAnswer } from "./message_error.ts";

/** The status of an answer, its headers by their names in lower case, and whether its connection may be used again. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  /** Those of one name are one, with commas between. */
  readonly headers: ReadonlyMap<string, string>;
  readonly keep: boolean;
}

/** The longest head of an answer, with those that go before it (status 1xx), bytes. */
const MAX_HEAD_BYTES = 65_536;
/** The most headers of an answer. */
const MAX_HEADERS = 1000;
const LF = 10;
const CR = 13;

/**
 * Reads the head of the final answer; what servers say before it (status 1xx) is passed over, `early` is called for each.
 * @throws {NoAnswer} when nothing came; {@link MessageError} for a head that breaks off, has no bounds or is no HTTP/1.1.
 */
export async function readAnswerHead(from: Arrivals, early: () => void = () => {}): Promise<AnswerHead> {
  for (let before = 0;;) {
    const text = await headText(from, before);
    const head = parsed(text);
    if (head.status >= 200) return head;
    before += text.length;
    early();
  }
}

/** All lines up to the empty one, which is taken too. `before`: the bytes that the answer had before them. */
async function headText(from: Arrivals, before: number): Promise<string> {
  let text = "";
  for (;;) {
    const { bytes } = from;
    const { count, isWhole, isAscii } = headPart(bytes, text);
    if (before + text.length + count > MAX_HEAD_BYTES) {
      throw new MessageError(`the head of its answer has more than ${MAX_HEAD_BYTES} bytes`, false);
    }
    const part = bytes.subarray(0, count);
    text += isAscii ? ascii(part) : latin1(part);
    from.take(count);
    if (isWhole) return text;
    const begun = before + text.length > 0;
    const more = await from.more().catch((cause: unknown) => {
      throw begun ? cause : new NoAnswer({ cause });
    });
    if (!more) throw begun ? new MessageError("its answer broke off in its head", true) : new NoAnswer();
  }
}

/** The bytes that belong to a head of which `before` came before: up to the end of an empty line, or all. */
function headPart(bytes: Uint8Array, before: string) {
  let lineIsEmpty = before.endsWith("\n") || before.endsWith("\n\r");
  let lastIsCr = before.endsWith("\r");
  let all = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    all |= byte;
    if (byte === LF) {
      if (lineIsEmpty) return { count: at + 1, isWhole: true, isAscii: all < 128 };
      lineIsEmpty = true;
    } else if (byte !== CR || lastIsCr) lineIsEmpty = false;
    lastIsCr = byte === CR;
  }
  return { count: bytes.length, isWhole: false, isAscii: all < 128 };
}

function parsed(text: string): AnswerHead {
  const lines = text.split(/\r?\n/);
  const [first = ""] = lines;
  const [, minor, code, statusText = ""] = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(first) ?? [];
  if (code === undefined) {
    throw new MessageError(`it does not speak HTTP/1.1: ${JSON.stringify(first.slice(0, 60))}`, false);
  }
  // The empty line, and what split() found behind it.
  const headers = headersOf(lines.slice(1, -2));
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  const keep = minor === "1" ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { status: Number(code), statusText, headers, keep };
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  if (lines.length > MAX_HEADERS) throw new MessageError(`its answer has more than ${MAX_HEADERS} headers`, false);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new MessageError("a header of its answer has no name", false);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || value.includes("\0") || value.includes("\r")) {
      throw new MessageError(`the header ${JSON.stringify(name)} of its answer cannot be read`, false);
    }
    const same = headers.get(name);
    headers.set(name, same === undefined ? value : `${same}, ${value}`);
  }
  return headers;
}
