/** Reads the file of a form (`multipart/form-data`) as a stream, without holding it in memory. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { badRequest, CODE, WireError } from "../wire/errors.ts";

/** The limits of a form. Fields other than the file are allowed, and ignored. */
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 1024,
  fields: 10,
  files: 1,
  parts: 11,
  headerPairs: 20,
  headerSize: 8192,
};

/** A form received from a client. */
export interface UploadForm {
  readonly contentType: string;
  /** The size in bytes according to the client; undefined if it is unknown. */
  readonly contentLength?: number | undefined;
  readonly content: ReadableStream<Uint8Array>;
  readonly maxBytes: number;
}

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  /** Fails if the form ends early or is too large. */
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * Passes the file of a field to `use`, and returns its result after the whole form was read.
 * @throws {WireError} with status 413 if the form is too large, or `invalidArgument` if it is not a form with such a
 * file.
 */
export async function withFileOf<T>(form: UploadForm, field: string, use: (file: FormFile) => Promise<T>): Promise<T> {
  const { contentType, contentLength = 0, content, maxBytes } = form;
  const tooLarge = () =>
    new WireError(CODE.resourceExhausted, `the upload is larger than ${maxBytes} bytes`, { status: 413 });
  if (contentLength > maxBytes) throw tooLarge();
  const failed = new AbortController();
  let used: Promise<T> | undefined;
  const parser = parserOf(contentType);
  parser.on("file", (name, stream, fileName) => {
    if (name !== field || used) {
      stream.resume();
      return;
    }
    // The reader of the file receives the error. Without a listener, the error would end the process before it reads.
    stream.on("error", () => {});
    // A broken form also breaks its file, so that no partial file is stored.
    failed.signal.addEventListener("abort", () => stream.destroy(failed.signal.reason), { once: true });
    used = use({ name: fileName, content: bytesOf(stream) });
    // If `use` fails, the rest of the form is not read.
    used.catch((error) => failed.abort(error));
  });
  try {
    await pipeline(Readable.from(limitBytes(content, maxBytes, tooLarge)), parser, { signal: failed.signal });
  } catch (error) {
    const reason = failed.signal.aborted ? failed.signal.reason : toWireError(error);
    failed.abort(reason);
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
    throw toWireError(error);
  }
}

function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return badRequest(`Failed to parse multipart form: ${error instanceof Error ? error.message : String(error)}`);
}

async function* limitBytes(content: ReadableStream<Uint8Array>, maxBytes: number, tooLarge: () => WireError) {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}

/** Returns the bytes of a file. For its reader too, a form that breaks off is an error of the client. */
function bytesOf(stream: BusboyFileStream): ReadableStream<Uint8Array> {
  return ReadableStream.from((async function* () {
    try {
      yield* stream as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw toWireError(error);
    }
  })());
}
