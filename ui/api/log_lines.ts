/**
 * Log lines as they arrive: hundreds of thousands per second, nearly all in one format, which is read without a JSON
 * parser.
 */
import { messagesOf } from "./exchange.ts";
import { objectOf } from "./read.ts";
import type { LogBatch, LogLine } from "./source.ts";

/** The message formats of Tiphys' and Argo's server: the text before each value. */
const FORMS = [
  { first: 'data: {"result":{"content":"', second: '","podName":"', isPodFirst: false },
  { first: 'data: {"result":{"podName":"', second: '","content":"', isPodFirst: true },
] as const;
const END = '"}}';

/** Parses a message in a usual format without escapes; returns undefined for other messages. */
export function plainLogLine(message: string): LogLine | undefined {
  const end = message.length - END.length;
  const form = FORMS.find(({ first }) => message.startsWith(first));
  // Without escapes a quote ends a string, so the positions of the quotes determine the fields.
  if (!form || !message.endsWith(END) || message.includes("\\")) return undefined;
  const start = form.first.length;
  const middle = message.indexOf('"', start);
  if (!message.startsWith(form.second, middle)) return undefined;
  const next = middle + form.second.length;
  if (message.indexOf('"', next) !== end) return undefined;
  const [one, other] = [message.slice(start, middle), message.slice(next, end)];
  return form.isPodFirst ? { podName: one, content: other } : { podName: other, content: one };
}

/** Reads a log line from parsed JSON. */
export function readLogLine(value: unknown): LogLine {
  const { podName, content } = objectOf(value, "a line of a log");
  return {
    podName: typeof podName === "string" ? podName : "",
    content: typeof content === "string" ? content : "",
  };
}

/** The maximum number of bytes that are processed first: one screen of lines rather than all available megabytes. */
const FIRST_BYTES = 32 * 1024;

/** Yields the lines in the bytes of a stream. @throws {Refusal} like event streams */
export async function* logBatches(stream: AsyncIterable<Uint8Array>, tried: string): AsyncGenerator<LogBatch> {
  const reader = new LogReader();
  let hasBegun = false;
  for await (const bytes of stream) {
    for (const part of hasBegun ? [bytes] : [bytes.subarray(0, FIRST_BYTES), bytes.subarray(FIRST_BYTES)]) {
      yield* batchesOf(reader.read(part), tried);
    }
    hasBegun ||= bytes.length >= FIRST_BYTES;
  }
  yield* batchesOf(reader.end(), tried);
}

async function* batchesOf(pieces: readonly LogPiece[], tried: string): AsyncGenerator<LogBatch> {
  for (const piece of pieces) {
    if (piece.kind === "plain") {
      yield piece;
      continue;
    }
    const { results, error } = await messagesOf(piece.messages, tried, readLogLine, plainLogLine);
    if (results.length > 0) yield { kind: "lines", lines: results };
    if (error) throw error;
  }
}

/** Lines by their offsets, or messages that need a parser. */
export type LogPiece =
  | Extract<LogBatch, { kind: "plain" }>
  | { readonly kind: "messages"; readonly messages: readonly string[] };

/** Splits the bytes of a stream into lines. */
export class LogReader {
  readonly #decoder = new TextDecoder();
  /** The chunks of an unfinished line. */
  #unfinished: string[] = [];
  /** Whether the last byte ended a character. */
  #isBetweenLetters = true;

  /** Returns the lines that end in these bytes. */
  read(bytes: Uint8Array): readonly LogPiece[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    // Other characters take more bytes than their length, except the replacement of an invalid byte.
    const isAscii = this.#isBetweenLetters && text.length === bytes.length && !text.includes("\ufffd") &&
      !text.includes("\x7f");
    this.#isBetweenLetters = bytes.length === 0 ? this.#isBetweenLetters : bytes.at(-1)! < 0x80;
    const first = text.indexOf("\n");
    this.#unfinished.push(first < 0 ? text : text.slice(0, first));
    if (first < 0) return [];
    const last = text.lastIndexOf("\n");
    const begun = this.#unfinished.join("");
    this.#unfinished = [text.slice(last + 1)];
    if (!isAscii) {
      return [{ kind: "messages", messages: [begun, ...last > first ? text.slice(first + 1, last).split("\n") : []] }];
    }
    return piecesOf(bytes, text, begun, first + 1, last);
  }

  /** Returns the unfinished line. */
  end(): readonly LogPiece[] {
    const last = this.#unfinished.join("") + this.#decoder.decode();
    return last === "" ? [] : [{ kind: "messages", messages: [last] }];
  }
}

function piecesOf(bytes: Uint8Array, text: string, begun: string, from: number, to: number): LogPiece[] {
  const pieces: LogPiece[] = [];
  let messages = [begun];
  let places: number[] = [];
  let form: (typeof FORMS)[number] = FORMS[0];
  let slash = text.indexOf("\\", from);
  for (let offset = from; offset < to;) {
    const lineEnd = text.indexOf("\n", offset);
    // An empty line separates messages.
    if (lineEnd === offset) {
      offset++;
      continue;
    }
    if (slash >= 0 && slash < offset) slash = text.indexOf("\\", offset);
    const end = lineEnd - END.length;
    if (!text.startsWith(form.first, offset)) form = FORMS.find(({ first }) => text.startsWith(first, offset)) ?? form;
    const start = offset + form.first.length;
    const middle = text.indexOf('"', start);
    const next = middle + form.second.length;
    const isPlain = (slash < 0 || slash > lineEnd) && text.startsWith(form.first, offset) &&
      text.startsWith(form.second, middle) && text.indexOf('"', next) === end && text.startsWith(END, end);
    if (isPlain) {
      if (messages.length > 0) {
        pieces.push({ kind: "messages", messages });
        messages = [];
      }
      if (form.isPodFirst) places.push(start, middle, next, end);
      else places.push(next, end, start, middle);
    } else {
      if (places.length > 0) {
        pieces.push({ kind: "plain", bytes, text, places });
        places = [];
      }
      messages.push(text.slice(offset, lineEnd));
    }
    offset = lineEnd + 1;
  }
  if (messages.length > 0) pieces.push({ kind: "messages", messages });
  if (places.length > 0) pieces.push({ kind: "plain", bytes, text, places });
  return pieces;
}
