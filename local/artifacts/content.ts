/** The content of a request: held against the sums that its headers name while it is taken in. */
import { createHash, type Hash } from "node:crypto";
import type { Bytes } from "@tiphys/base/net";
import type { ArtifactStore, Received } from "./artifact_store.ts";
import { type Chunked, chunkedForm, dechunked, SignatureChain } from "./chunked.ts";
import { secretKeyOf } from "./credentials.ts";
import { notImplemented, S3Error } from "./s3_error.ts";

/** The SHA-256 that is signed for a body of which nobody has said what it is. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

/** The sums that may stand behind the end of a content. */
const TRAILERS = /^(x-amz-checksum-(crc32|sha256))?$/;

/**
 * Takes the content of a request of a namespace in.
 * @throws {S3Error} when it is not what its headers say: nothing of it is left then.
 */
export async function receiveContent(store: ArtifactStore, namespace: string, request: Request): Promise<Received> {
  const { headers } = request;
  const signed = headers.get("x-amz-content-sha256") ?? "";
  if (!signed.startsWith("STREAMING-")) return await receiveWhole(store, request, signed);
  const promised = headers.get("x-amz-trailer") ?? "";
  if (!TRAILERS.test(promised)) throw notImplemented(`the sum ${promised} behind a content`);
  const trailer = new Map<string, string>();
  const sha256 = createHash("sha256");
  const content = dechunked(
    request.body ?? new Blob([]).stream(),
    chunkedOf(store, namespace, headers, signed),
    trailer,
  );
  const received = await store.receive(hashed(ReadableStream.from(content), [sha256]));
  const actual = promised.endsWith("sha256") ? sha256.digest("base64") : base64Of(received.crc32);
  if (promised === "" || trailer.get(promised) === actual) return received;
  received[Symbol.dispose]();
  throw new S3Error(400, "BadDigest", "The content is not what the sum behind it says");
}

function chunkedOf(store: ArtifactStore, namespace: string, headers: Headers, word: string): Chunked {
  const form = chunkedForm(word);
  const size = Number(headers.get("x-amz-decoded-content-length") ?? NaN);
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new S3Error(
      411,
      "MissingContentLength",
      "Expected the length of the content in x-amz-decoded-content-length",
    );
  }
  if (!form.isSigned) return { form, size };
  // The header has been read, and compared, where the request was let in.
  const authorization = headers.get("authorization") ?? "";
  const [credential = ""] = authorization.slice(authorization.indexOf("=") + 1).split(",");
  const scope = credential.slice(credential.indexOf("/") + 1);
  const signature = authorization.slice(-64);
  const time = headers.get("x-amz-date") ?? "";
  return { form, size, chain: new SignatureChain(secretKeyOf(store, namespace), time, scope, signature) };
}

async function receiveWhole(store: ArtifactStore, { body, headers }: Request, signed: string): Promise<Received> {
  const sums: [Hash, () => boolean][] = [];
  const expect = (name: string, encoding: "hex" | "base64", value: string | null) => {
    if (value === null) return;
    const hash = createHash(name);
    sums.push([hash, () => hash.digest(encoding) === value]);
  };
  expect("md5", "base64", headers.get("content-md5"));
  expect("sha256", "base64", headers.get("x-amz-checksum-sha256"));
  if (signed !== UNSIGNED) expect("sha256", "hex", signed);
  const received = await store.receive(hashed(body ?? new Blob([]).stream(), sums.map(([hash]) => hash)));
  const crc = headers.get("x-amz-checksum-crc32");
  const isRight = sums.every(([, isSame]) => isSame()) && (crc === null || crc === base64Of(received.crc32));
  if (isRight) return received;
  received[Symbol.dispose]();
  throw new S3Error(400, "BadDigest", "The content is not what its check sum says");
}

/** The text of a request that is a document. @throws {S3Error} when it is longer, or is not what was signed. */
export async function receiveText({ body, headers }: Request, most: number): Promise<string> {
  const parts: Bytes[] = [];
  let size = 0;
  for await (const part of (body ?? new Blob([]).stream()) as ReadableStream<Bytes>) {
    size += part.length;
    if (size > most) throw new S3Error(400, "MalformedXML", `The document has more than ${most} bytes`);
    parts.push(part);
  }
  const bytes = await new Blob(parts).bytes();
  const signed = headers.get("x-amz-content-sha256") ?? "";
  if (signed !== UNSIGNED && createHash("sha256").update(bytes).digest("hex") !== signed) {
    throw new S3Error(400, "XAmzContentSHA256Mismatch", "The content is not what was signed");
  }
  return new TextDecoder().decode(bytes);
}

/** A CRC as S3 writes it. */
export function base64Of(crc32: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, crc32);
  return bytes.toBase64();
}

function hashed(body: ReadableStream<Bytes>, hashes: readonly Hash[]): ReadableStream<Bytes> {
  if (hashes.length === 0) return body;
  return body.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(part, stream) {
        for (const hash of hashes) hash.update(part);
        stream.enqueue(part);
      },
    }),
  );
}
