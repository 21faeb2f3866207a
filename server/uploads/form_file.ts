/** The file of a form (`multipart/form-data`) as it comes: no more of it is held than is on its way. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { badRequest, CODE, WireError } from "../wire/errors.ts";

/** The limits of a form: it may hold other fields beside the file, which nobody reads. */
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 1024,
  fields: 10,
  files: 1,
  parts: 11,
  headerPairs: 20,
  headerSize: 8192,
};

/** A form as it comes from a client. */
export interface SentForm {
  readonly contentType: string;
  /** The bytes that the client says it sends; undefined where it does not. */
  readonly contentLength?: number | undefined;
  readonly content: ReadableStream<Uint8Array>;
  readonly maxBytes: number;
}

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  /** Fails where the form ends too early, or is too large. */
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * Hands the file of a field to a function, and answers what that does, once the whole form was read.
 * @throws {WireError} 413 for a form that is larger than it may be, and `invalidArgument` for what is no form with such a file.
 */
export async function withFileOf<T>(form: SentForm, field: string, use: (file: FormFile) => Promise<T>): Promise<T> {
  const { contentType, contentLength = 0, content, maxBytes } = form;
  const tooLarge = () =>
    new WireError(CODE.resourceExhausted, `the upload is larger than ${maxBytes} bytes`, { status: 413 });
  if (contentLength > maxBytes) throw tooLarge();
  const given = new AbortController();
  let used: Promise<T> | undefined;
  const parser = parserOf(contentType);
  parser.on("file", (name, stream, fileName) => {
    if (name !== field || used) {
      stream.resume();
      return;
    }
    // The reader of the file hears of its failure; the error of a stream that nobody reads yet would end the process.
    stream.on("error", () => {});
    // A form that breaks breaks its file too, so that no half of one is stored.
    given.signal.addEventListener("abort", () => stream.destroy(given.signal.reason), { once: true });
    used = use({ name: fileName, content: bytesOf(stream) });
    // A failure of `use` ends the form: the rest of it is not read for nothing.
    used.catch((error) => given.abort(error));
  });
  try {
    await pipeline(Readable.from(counted(content, maxBytes, tooLarge)), parser, { signal: given.signal });
  } catch (error) {
    const reason = given.signal.aborted ? given.signal.reason : asRefusal(error);
    given.abort(reason);
    await used?.catch(() => {});
    throw reason;
  }
  if (!used) throw badRequest(`Failed to get file from form: no file in the field ${JSON.stringify(field)}`);
  return await used;
}

function parserOf(contentType: string): Busboy {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw badRequest("Failed to parse multipart form: the content type is not multipart/form-data");
  }
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: LIMITS, preservePath: true });
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return badRequest(`Failed to parse multipart form: ${error instanceof Error ? error.message : String(error)}`);
}

async function* counted(content: ReadableStream<Uint8Array>, maxBytes: number, tooLarge: () => WireError) {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}

function bytesOf(stream: BusboyFileStream): ReadableStream<Uint8Array> {
  return ReadableStream.from(stream as AsyncIterable<Uint8Array>);
}
