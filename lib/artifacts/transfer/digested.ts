/** Computes the digest of a file while the store's driver reads it, which saves a separate read. */
import { createHash, type Hash } from "node:crypto";
import { type Bytes, type Source, tapStream } from "@tiphys/base/net";

/** The same source, with the digest of the content read. */
export interface DigestedSource {
  readonly source: Source;
  /** Returns the digest in hexadecimal; undefined if the content was not read sequentially to its end. */
  sha256(): string | undefined;
}

/** Computes the digest of a source, again each time it is read from its beginning. */
export function withDigest(source: Source): DigestedSource {
  const { size, whole } = source;
  let hash: Hash | undefined;
  let offset = 0;
  const begin = () => {
    hash = createHash("sha256");
    offset = 0;
  };
  const seen = (from: number, part: Bytes) => {
    if (from !== offset) return;
    hash?.update(part);
    offset += part.length;
  };
  const once = () => {
    const bytes = whole!();
    begin();
    seen(0, bytes);
    return bytes;
  };
  return {
    source: {
      size,
      ...(whole ? { whole: once } : {}),
      open(from, to) {
        if (from === 0) begin();
        let next = from;
        const see = (part: Bytes) => {
          seen(next, part);
          next += part.length;
        };
        return tapStream(source.open(from, to), { see });
      },
    },
    sha256: () => offset === size ? (hash ?? createHash("sha256")).copy().digest("hex") : undefined,
  };
}
