/** The digest of a file that is added up while its store's driver reads it, so that nobody reads it for that alone. */
import { createHash, type Hash } from "node:crypto";
import { type Bytes, passedOn, type Source } from "../../net/mod.ts";

/** A source that is the same, and what it was read to be. */
export interface Digested {
  readonly source: Source;
  /** Hexadecimal; undefined where the content was not read in its order to the end. */
  sha256(): string | undefined;
}

/** Adds up the digest of a source, anew each time that it is read from its beginning. */
export function digested(source: Source): Digested {
  const { size, whole } = source;
  let hash: Hash | undefined;
  let at = 0;
  const begin = () => {
    hash = createHash("sha256");
    at = 0;
  };
  const seen = (from: number, part: Bytes) => {
    if (from !== at) return;
    hash?.update(part);
    at += part.length;
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
        return passedOn(source.open(from, to), { see });
      },
    },
    sha256: () => at === size ? (hash ?? createHash("sha256")).copy().digest("hex") : undefined,
  };
}
