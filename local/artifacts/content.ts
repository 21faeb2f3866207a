/** Receives the content of a request, and verifies the checksums in its headers. */
import { createHash, type Hash } from "node:crypto";
import type { Bytes } from "@tiphys/base/net";
import type { ArtifactStore, ReceivedContent } from "./artifact_store.ts";
import { type ChunkedContent, decodeChunks, parseChunkedForm, SignatureChain } from "./chunked.ts";
import { secretKeyOf } from "./credentials.ts";
import { notImplemented, S3Error } from "./s3_error.ts";

/** The value of `x-amz-content-sha256` for an unsigned body. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

/** The supported checksums in a trailer. */
const TRAILERS = /^(x-amz-checksum-(crc32|sha256))?$/;

/**
 * Receives the content of a request of a namespace.
 * @throws {S3Error} if it does not match its headers. The content is removed.
 */
export async function receiveContent(
  store: ArtifactStore,
  namespace: string,
  request: Request,
): Promise<ReceivedContent> {
  const { headers } = request;
  const signed = headers.get("x-amz-content-sha256") ?? "";
  if (!signed.startsWith("STREAMING-")) return await receiveWhole(store, request, signed);
  const promised = headers.get("x-amz-trailer") ?? "";
  if (!TRAILERS.test(promised)) throw notImplemented(`the trailing checksum ${promised}`);
  const trailer = new Map<string, string>();
  const sha256 = createHash("sha256");
  const content = decodeChunks(
    request.body ?? new Blob([]).stream(),
    chunkedOf(store, namespace, headers, signed),
    trailer,
  );
  const received = await store.receive(hashBody(ReadableStream.from(content), [sha256]));
  const actual = promised.endsWith("sha256") ? sha256.digest("base64") : base64Of(received.crc32);
  if (promised === "" || trailer.get(promised) === actual) return received;
  received[Symbol.dispose]();
  throw new S3Error(400, "BadDigest", "The content does not match its trailing checksum");
}

function chunkedOf(store: ArtifactStore, namespace: string, headers: Headers, word: string): ChunkedContent {
  const form = parseChunkedForm(word);
  const size = Number(headers.get("x-amz-decoded-content-length") ?? NaN);
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new S3Error(
      411,
      "MissingContentLength",
      "Expected the length of the content in x-amz-decoded-content-length",
    );
  }
  if (!form.isSigned) return { form, size };
  // The header was verified when the request was authenticated.
  const authorization = headers.get("authorization") ?? "";
  const [credential = ""] = authorization.slice(authorization.indexOf("=") + 1).split(",");
  const scope = credential.slice(credential.indexOf("/") + 1);
  const signature = authorization.slice(-64);
  const time = headers.get("x-amz-date") ?? "";
  return { form, size, chain: new SignatureChain(secretKeyOf(store, namespace), time, scope, signature) };
}

async function receiveWhole(
  store: ArtifactStore,
  { body, headers }: Request,
  signed: string,
): Promise<ReceivedContent> {
  const sums: [Hash, () => boolean][] = [];
  const expect = (name: string, encoding: "hex" | "base64", value: string | null) => {
    if (value === null) return;
    const hash = createHash(name);
    sums.push([hash, () => hash.digest(encoding) === value]);
  };
  expect("md5", "base64", headers.get("content-md5"));
  expect("sha256", "base64", headers.get("x-amz-checksum-sha256"));
  if (signed !== UNSIGNED) expect("sha256", "hex", signed);
  const received = await store.receive(hashBody(body ?? new Blob([]).stream(), sums.map(([hash]) => hash)));
  const crc = headers.get("x-amz-checksum-crc32");
  const isRight = sums.every(([, isSame]) => isSame()) && (crc === null || crc === base64Of(received.crc32));
  if (isRight) return received;
  received[Symbol.dispose]();
  throw new S3Error(400, "BadDigest", "The content does not match its checksum");
}

/**
 * Receives the body of a request as text. @throws {S3Error} if it exceeds the limit or does not match its signature.
 */
export async function receiveText({ body, headers }: Request, max: number): Promise<string> {
  const parts: Bytes[] = [];
  let size = 0;
  for await (const part of (body ?? new Blob([]).stream()) as ReadableStream<Bytes>) {
    size += part.length;
    if (size > max) throw new S3Error(400, "MalformedXML", `The document has more than ${max} bytes`);
    parts.push(part);
  }
  const bytes = await new Blob(parts).bytes();
  const signed = headers.get("x-amz-content-sha256") ?? "";
  if (signed !== UNSIGNED && createHash("sha256").update(bytes).digest("hex") !== signed) {
    throw new S3Error(400, "XAmzContentSHA256Mismatch", "The content does not match its signature");
  }
  return new TextDecoder().decode(bytes);
}

/** Encodes a CRC in the form of S3. */
export function base64Of(crc32: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, crc32);
  return bytes.toBase64();
}

function hashBody(body: ReadableStream<Bytes>, hashes: readonly Hash[]): ReadableStream<Bytes> {
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
