/**
 * Content in chunks, as clients of AWS send it while they read it (`aws-chunked`): taken out of its frames, and held
 * against the signatures of its chunks and the sum behind its end.
 */
import { createHash, createHmac } from "node:crypto";
import { Blocks } from "@tiphys/base/blocks";
import type { Bytes } from "@tiphys/base/net";
import { MAX_CHUNK_LINE_BYTES } from "./limits.ts";
import { notImplemented, S3Error } from "./s3_error.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The form of a content, by the word that is signed in the place of its sum. */
export interface ChunkedForm {
  readonly isSigned: boolean;
  readonly hasTrailer: boolean;
}

/** @throws {S3Error} for a form that this store does not read. */
export function chunkedForm(word: string): ChunkedForm {
  const [, signed, trailer] = /^STREAMING-(AWS4-HMAC-SHA256-PAYLOAD|UNSIGNED-PAYLOAD)(-TRAILER)?$/.exec(word) ?? [];
  if (signed === undefined || (signed === "UNSIGNED-PAYLOAD" && !trailer)) {
    throw notImplemented(`content of the form ${word}`);
  }
  return { isSigned: signed !== "UNSIGNED-PAYLOAD", hasTrailer: trailer !== undefined };
}

/** The signatures of a content: each is of a chunk and of the signature before. */
export class SignatureChain {
  readonly #key: Uint8Array;
  #last: string;

  /** `first`: the signature of the request. `time`: its `x-amz-date`. `scope`: `DAY/REGION/s3/aws4_request`. */
  constructor(secretKey: string, readonly time: string, readonly scope: string, first: string) {
    this.#last = first;
    const step = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
    this.#key = scope.split("/").reduce<Uint8Array>(
      (key, part) => step(key, part),
      new TextEncoder().encode(`AWS4${secretKey}`),
    );
  }

  /** The signature of the next chunk, of which this is the SHA-256. */
  chunk(sha256: string): string {
    return this.#next(["AWS4-HMAC-SHA256-PAYLOAD", this.time, this.scope, this.#last, EMPTY, sha256]);
  }

  /** The signature of the lines behind the last chunk. */
  trailer(lines: string): string {
    const sha256 = createHash("sha256").update(lines).digest("hex");
    return this.#next(["AWS4-HMAC-SHA256-TRAILER", this.time, this.scope, this.#last, sha256]);
  }

  #next(lines: readonly string[]): string {
    return this.#last = createHmac("sha256", this.#key).update(lines.join("\n")).digest("hex");
  }
}

/** The facts about a content that its request tells. */
export interface Chunked {
  readonly form: ChunkedForm;
  /** The signatures of its chunks, where they are signed. */
  readonly chain?: SignatureChain;
  /** The bytes that it says it has. */
  readonly size: number;
}

/**
 * The bytes of a content; when they are over, `trailer` has the headers behind them.
 * @throws {S3Error} when its frames, its signatures or its length are wrong.
 */
export async function* dechunked(
  body: ReadableStream<Bytes>,
  { form, chain, size }: Chunked,
  trailer: Map<string, string>,
): AsyncGenerator<Bytes> {
  await using blocks = new Blocks(body);
  let taken = 0;
  for (;;) {
    const [, digits, signature] = /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(await line(blocks)) ??
      [];
    if (digits === undefined) throw malformed("a chunk has no length");
    const length = parseInt(digits, 16);
    const hash = createHash("sha256");
    taken += length;
    if (taken > size) throw malformed(`its chunks have more than the ${size} bytes that it says`);
    for await (const part of whole(blocks, length)) {
      if (chain) hash.update(part);
      yield part;
    }
    if (chain && chain.chunk(hash.digest("hex")) !== signature) throw forged();
    if (length === 0) break;
    if (await line(blocks) !== "") throw malformed("a chunk is longer than it says");
  }
  if (taken !== size) throw malformed(`its chunks have ${taken} bytes of the ${size} that it says`);
  await readTrailer(blocks, form, chain, trailer);
}

async function readTrailer(
  blocks: Blocks,
  { hasTrailer }: ChunkedForm,
  chain: SignatureChain | undefined,
  trailer: Map<string, string>,
): Promise<void> {
  let signed = "";
  for (let text = await line(blocks); text !== ""; text = await line(blocks)) {
    const [, name, value] = /^([A-Za-z0-9-]{1,100}):(.*)$/.exec(text) ?? [];
    if (!hasTrailer || name === undefined || trailer.size > 8) throw malformed("what follows its chunks is no header");
    const small = name.toLowerCase();
    trailer.set(small, value!.trim());
    if (small !== "x-amz-trailer-signature") signed += `${small}:${value!.trim()}\n`;
  }
  if (chain && hasTrailer && chain.trailer(signed) !== trailer.get("x-amz-trailer-signature")) throw forged();
}

async function* whole(blocks: Blocks, length: number): AsyncGenerator<Bytes> {
  for (let left = length; left > 0;) {
    const part = await blocks.upTo(left);
    if (!part) throw malformed("it breaks off");
    left -= part.length;
    yield part as Bytes;
  }
}

/** The next line without its end; at the end of the content an empty one. */
async function line(blocks: Blocks): Promise<string> {
  let text = "";
  while (!text.endsWith("\r\n")) {
    const byte = await blocks.upTo(1);
    if (!byte && text === "") return "";
    if (!byte || text.length > MAX_CHUNK_LINE_BYTES) throw malformed("a line of it has no end");
    text += String.fromCharCode(byte[0]!);
  }
  return text.slice(0, -2);
}

function malformed(why: string): S3Error {
  return new S3Error(400, "IncompleteBody", `The content in chunks is none: ${why}`);
}

function forged(): S3Error {
  return new S3Error(403, "SignatureDoesNotMatch", "The signature of a chunk is not that of its content");
}
