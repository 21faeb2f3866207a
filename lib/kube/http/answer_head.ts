/** The first lines of an answer, as they come in on a connection. */
import type { Connection } from "./connection.ts";

/** The status of an answer, its headers by their names in lower case, and whether its connection may be used again. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly keep: boolean;
}

/** The longest head of an answer, bytes. */
const MAX_HEAD_BYTES = 65_536;
const LF = 10;
const CR = 13;
const decoder = new TextDecoder();

/** The connection ended before a byte of an answer came. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Reads the head of the final answer; what servers say before it (status 1xx) is passed over.
 * @throws {NoAnswer} and for what is no HTTP/1.1.
 */
export async function readAnswerHead(connection: Connection): Promise<AnswerHead> {
  for (;;) {
    const head = parsed(await headText(connection));
    if (head.status >= 200) return head;
  }
}

/** All lines up to the empty one, which is taken too. */
async function headText(connection: Connection): Promise<string> {
  let before = "";
  for (;;) {
    const bytes = connection.bytes;
    const end = endOf(bytes, before);
    if (end >= 0) {
      const text = before + decoder.decode(bytes.subarray(0, end));
      connection.take(end);
      return text;
    }
    before += decoder.decode(bytes);
    if (before.length > MAX_HEAD_BYTES) throw new Error(`the head of its answer has more than ${MAX_HEAD_BYTES} bytes`);
    const more = await connection.more().catch((cause: unknown) => {
      throw before === "" ? new NoAnswer(cause instanceof Error ? cause.message : String(cause), { cause }) : cause;
    });
    if (more) continue;
    throw before === ""
      ? new NoAnswer("it closed the connection without an answer")
      : new Error("its answer broke off in its head");
  }
}

/** The number of bytes up to the end of an empty line; -1 where there is none yet. `before` came before them. */
function endOf(bytes: Uint8Array, before: string): number {
  // The line that is under way: whether it has no character so far.
  let empty = before.endsWith("\n") || before.endsWith("\n\r");
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF) {
      if (empty) return at + 1;
      empty = true;
    } else if (byte !== CR) empty = false;
  }
  return -1;
}

function parsed(text: string): AnswerHead {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const [, minor, code, statusText = ""] = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(first) ?? [];
  if (code === undefined) throw new Error(`it does not speak HTTP/1.1: ${JSON.stringify(first.slice(0, 60))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    if (line === "") break;
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error("a header of its answer has no name");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const same = headers.get(name);
    headers.set(name, same === undefined ? value : `${same}, ${value}`);
  }
  const connection = headers.get("connection")?.toLowerCase();
  const keep = minor === "1" ? !connection?.includes("close") : connection?.includes("keep-alive") === true;
  return { status: Number(code), statusText, headers, keep };
}
