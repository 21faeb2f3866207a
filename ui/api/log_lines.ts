/** Lines of logs as they come: hundreds of thousands a second, nearly all of one form, which is read without a parser. */
import { messagesOf } from "./exchange.ts";
import { objectOf } from "./read.ts";
import type { LogBatch, LogLine } from "./source.ts";

/** The forms in which servers tell a line, ours and Argo's: what stands before each value. */
const FORMS = [
  { first: 'data: {"result":{"content":"', second: '","podName":"', isPodFirst: false },
  { first: 'data: {"result":{"podName":"', second: '","content":"', isPodFirst: true },
] as const;
const END = '"}}';

/** The line of a message of the usual form whose texts need no unescaping; undefined for every other message. */
export function plainLogLine(message: string): LogLine | undefined {
  const end = message.length - END.length;
  const form = FORMS.find(({ first }) => message.startsWith(first));
  // Without an escape a quote ends a text, so the places of the quotes say that there is nothing else.
  if (!form || !message.endsWith(END) || message.includes("\\")) return undefined;
  const start = form.first.length;
  const middle = message.indexOf('"', start);
  if (!message.startsWith(form.second, middle)) return undefined;
  const next = middle + form.second.length;
  if (message.indexOf('"', next) !== end) return undefined;
  const [one, other] = [message.slice(start, middle), message.slice(next, end)];
  return form.isPodFirst ? { podName: one, content: other } : { podName: other, content: one };
}

/** One line of a log that was read as JSON. */
export function readLogLine(value: unknown): LogLine {
  const { podName, content } = objectOf(value, "a line of a log");
  return {
    podName: typeof podName === "string" ? podName : "",
    content: typeof content === "string" ? content : "",
  };
}

/** The bytes that are read at first: as many lines as a screen shows, and not all megabytes that are there. */
const FIRST_BYTES = 32 * 1024;

/** The lines in the bytes of a stream. @throws {Refusal} as streams of events do. */
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

/** Lines that were found by their places, or messages that are to be read one by one. */
export type LogPiece =
  | Extract<LogBatch, { kind: "plain" }>
  | { readonly kind: "messages"; readonly messages: readonly string[] };

/** Cuts the bytes of a stream into lines. */
export class LogReader {
  readonly #decoder = new TextDecoder();
  /** The pieces of the line that has not ended yet. */
  #rest: string[] = [];
  /** No byte of a letter has come without the others. */
  #isBetweenLetters = true;

  /** The lines that end in these bytes. */
  read(bytes: Uint8Array): readonly LogPiece[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    // Other letters take more bytes than they are long, but for one that stands for a byte that is none.
    const isAscii = this.#isBetweenLetters && text.length === bytes.length && !text.includes("\ufffd") &&
      !text.includes("\x7f");
    this.#isBetweenLetters = bytes.length === 0 ? this.#isBetweenLetters : bytes.at(-1)! < 0x80;
    const first = text.indexOf("\n");
    this.#rest.push(first < 0 ? text : text.slice(0, first));
    if (first < 0) return [];
    const last = text.lastIndexOf("\n");
    const begun = this.#rest.join("");
    this.#rest = [text.slice(last + 1)];
    if (!isAscii) {
      return [{ kind: "messages", messages: [begun, ...last > first ? text.slice(first + 1, last).split("\n") : []] }];
    }
    return piecesOf(bytes, text, begun, first + 1, last);
  }

  /** The line that was not ended. */
  end(): readonly LogPiece[] {
    const last = this.#rest.join("") + this.#decoder.decode();
    return last === "" ? [] : [{ kind: "messages", messages: [last] }];
  }
}

function piecesOf(bytes: Uint8Array, text: string, begun: string, from: number, to: number): LogPiece[] {
  const pieces: LogPiece[] = [];
  let messages = [begun];
  let places: number[] = [];
  let form: (typeof FORMS)[number] = FORMS[0];
  let slash = text.indexOf("\\", from);
  for (let at = from; at < to;) {
    const lineEnd = text.indexOf("\n", at);
    // Between two messages stands an empty line.
    if (lineEnd === at) {
      at++;
      continue;
    }
    if (slash >= 0 && slash < at) slash = text.indexOf("\\", at);
    const end = lineEnd - END.length;
    if (!text.startsWith(form.first, at)) form = FORMS.find(({ first }) => text.startsWith(first, at)) ?? form;
    const start = at + form.first.length;
    const middle = text.indexOf('"', start);
    const next = middle + form.second.length;
    const isPlain = (slash < 0 || slash > lineEnd) && text.startsWith(form.first, at) &&
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
      messages.push(text.slice(at, lineEnd));
    }
    at = lineEnd + 1;
  }
  if (messages.length > 0) pieces.push({ kind: "messages", messages });
  if (places.length > 0) pieces.push({ kind: "plain", bytes, text, places });
  return pieces;
}
