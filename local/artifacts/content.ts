/** The content of a request: held against the sums that its headers name while it is taken in. */
import { createHash, type Hash } from "node:crypto";
import type { Bytes } from "../../lib/net/mod.ts";
import type { ArtifactStore, Received } from "./artifact_store.ts";
import { notImplemented, S3Error } from "./s3_error.ts";

/** The SHA-256 that is signed for a body of which nobody has said what it is. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

/**
 * Takes the content of a request in.
 * @throws {S3Error} when it is not what its headers say: nothing of it is left then.
 */
export async function receiveContent(store: ArtifactStore, { body, headers }: Request): Promise<Received> {
  const signed = headers.get("x-amz-content-sha256") ?? "";
  if (signed.startsWith("STREAMING-")) throw notImplemented(`content of the form ${signed}`);
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
