/** Compares content with the digest in its store. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type Bytes, tapStream } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";

/** Returns the MD5 of bytes in base64, as in headers. */
export function md5Of(bytes: Bytes): string {
  return createHash("md5").update(bytes).digest("base64");
}

/** Returns a stream that fails at its end when its MD5 (base64) differs. */
export function verifyMd5(stream: ReadableStream<Bytes>, md5: string, title: string): ReadableStream<Bytes> {
  const hash = createHash("md5");
  return tapStream(stream, {
    see: (part) => void hash.update(part),
    atEnd() {
      const is = hash.digest("base64");
      if (Buffer.from(md5, "base64").toString("base64") === is) return;
      throw new StoreError(`${title}: the MD5 of the content is ${is}, expected ${md5}`, "transient");
    },
  });
}
