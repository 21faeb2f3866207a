/**
 * Decodes content in chunks (`aws-chunked`), which AWS clients use for streams, and verifies the signatures of the
 * chunks and the checksum in the trailer.
 */
import { createHash, createHmac } from "node:crypto";
import { BlockReader } from "@tiphys/base/blocks";
import type { Bytes } from "@tiphys/base/net";
import { MAX_CHUNK_LINE_BYTES } from "./limits.ts";
import { notImplemented, S3Error } from "./s3_error.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The form of chunked content. */
export interface ChunkedForm {
  readonly isSigned: boolean;
  readonly hasTrailer: boolean;
}

/** Parses the form from the value of `x-amz-content-sha256`. @throws {S3Error} for an unsupported form. */
export function parseChunkedForm(word: string): ChunkedForm {
  const [, signed, trailer] = /^STREAMING-(AWS4-HMAC-SHA256-PAYLOAD|UNSIGNED-PAYLOAD)(-TRAILER)?$/.exec(word) ?? [];
  if (signed === undefined || (signed === "UNSIGNED-PAYLOAD" && !trailer)) {
    throw notImplemented(`content encoding ${word}`);
  }
  return { isSigned: signed !== "UNSIGNED-PAYLOAD", hasTrailer: trailer !== undefined };
}

/** The signatures of content. Each signs a chunk and the previous signature. */
export class SignatureChain {
  readonly #key: Uint8Array;
  #last: string;

  /**
   * @param time the `x-amz-date` of the request.
   * @param scope `DAY/REGION/s3/aws4_request`.
   * @param first the signature of the request.
   */
  constructor(secretKey: string, readonly time: string, readonly scope: string, first: string) {
    this.#last = first;
    const step = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
    this.#key = scope.split("/").reduce<Uint8Array>(
      (key, part) => step(key, part),
      new TextEncoder().encode(`AWS4${secretKey}`),
    );
  }

  /** Returns the signature of the next chunk by its SHA-256. */
  chunk(sha256: string): string {
    return this.#next(["AWS4-HMAC-SHA256-PAYLOAD", this.time, this.scope, this.#last, EMPTY, sha256]);
  }

  /** Returns the signature of the trailer. */
  trailer(lines: string): string {
    const sha256 = createHash("sha256").update(lines).digest("hex");
    return this.#next(["AWS4-HMAC-SHA256-TRAILER", this.time, this.scope, this.#last, sha256]);
  }

  #next(lines: readonly string[]): string {
    return this.#last = createHmac("sha256", this.#key).update(lines.join("\n")).digest("hex");
  }
}

/** The facts about chunked content in the headers of its request. */
export interface ChunkedContent {
  readonly form: ChunkedForm;
  /** The signatures of the chunks; undefined for unsigned chunks. */
  readonly chain?: SignatureChain;
  /** The declared size, in bytes. */
  readonly size: number;
}

/**
 * Yields the decoded bytes. At the end, `trailer` has the headers of the trailer.
 * @throws {S3Error} if the frames, the signatures or the size are wrong.
 */
export async function* decodeChunks(
  body: ReadableStream<Bytes>,
  { form, chain, size }: ChunkedContent,
  trailer: Map<string, string>,
): AsyncGenerator<Bytes> {
  await using blocks = new BlockReader(body);
  let taken = 0;
  for (;;) {
    const [, digits, signature] =
      /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(await readLine(blocks)) ??
        [];
    if (digits === undefined) throw malformedError("a chunk has no length");
    const length = parseInt(digits, 16);
    const hash = createHash("sha256");
    taken += length;
    if (taken > size) throw malformedError(`its chunks have more than the declared ${size} bytes`);
    for await (const part of readExactly(blocks, length)) {
      if (chain) hash.update(part);
      yield part;
    }
    if (chain && chain.chunk(hash.digest("hex")) !== signature) throw forgedError();
    if (length === 0) break;
    if (await readLine(blocks) !== "") throw malformedError("a chunk is longer than declared");
  }
  if (taken !== size) throw malformedError(`its chunks have ${taken} of the declared ${size} bytes`);
  await readTrailer(blocks, form, chain, trailer);
}

async function readTrailer(
  blocks: BlockReader,
  { hasTrailer }: ChunkedForm,
  chain: SignatureChain | undefined,
  trailer: Map<string, string>,
): Promise<void> {
  let signed = "";
  for (let text = await readLine(blocks); text !== ""; text = await readLine(blocks)) {
    const [, name, value] = /^([A-Za-z0-9-]{1,100}):(.*)$/.exec(text) ?? [];
    if (!hasTrailer || name === undefined || trailer.size > 8) {
      throw malformedError("its trailer has an invalid header");
    }
    const small = name.toLowerCase();
    trailer.set(small, value!.trim());
    if (small !== "x-amz-trailer-signature") signed += `${small}:${value!.trim()}\n`;
  }
  if (chain && hasTrailer && chain.trailer(signed) !== trailer.get("x-amz-trailer-signature")) throw forgedError();
}

async function* readExactly(blocks: BlockReader, length: number): AsyncGenerator<Bytes> {
  for (let left = length; left > 0;) {
    const part = await blocks.readUpTo(left);
    if (!part) throw malformedError("it ends early");
    left -= part.length;
    yield part as Bytes;
  }
}

/** Returns the next line without its line end; empty at the end of the content. */
async function readLine(blocks: BlockReader): Promise<string> {
  let text = "";
  while (!text.endsWith("\r\n")) {
    const byte = await blocks.readUpTo(1);
    if (!byte && text === "") return "";
    if (!byte || text.length > MAX_CHUNK_LINE_BYTES) throw malformedError("a line is not terminated");
    text += String.fromCharCode(byte[0]!);
  }
  return text.slice(0, -2);
}

function malformedError(reason: string): S3Error {
  return new S3Error(400, "IncompleteBody", `The chunked content is invalid: ${reason}`);
}

function forgedError(): S3Error {
  return new S3Error(403, "SignatureDoesNotMatch", "The signature of a chunk does not match its content");
}
