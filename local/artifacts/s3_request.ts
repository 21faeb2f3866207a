/** Parses requests to the embedded store. Paths are not normalized, because the signature covers their bytes. */
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { MAX_KEY_BYTES } from "./limits.ts";
import { S3Error } from "./s3_error.ts";

/** The object or bucket that a request names, with its query. */
export interface S3Target {
  /** The unnormalized path. */
  readonly path: string;
  /** Undefined for the bucket itself. */
  readonly key: string | undefined;
  readonly query: readonly (readonly [string, string])[];
}

/** Parses a URL. @throws {S3Error} for another bucket or an invalid key. */
export function targetOf(url: string): S3Target {
  const [, path = "/", text = ""] = /^[^:]+:\/\/[^/?#]*(\/[^?#]*)?(?:\?([^#]*))?/.exec(url) ?? [];
  const query = text.split("&").filter(Boolean).map((pair) => {
    const index = pair.indexOf("=");
    return index < 0
      ? [decodeText(pair), ""] as const
      : [decodeText(pair.slice(0, index)), decodeText(pair.slice(index + 1))] as const;
  });
  const [, bucket = "", rest] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  if (decodeText(bucket) !== EMBEDDED_STORE.bucket) {
    throw new S3Error(404, "NoSuchBucket", `The only bucket is ${EMBEDDED_STORE.bucket}`);
  }
  return { path, key: rest ? keyOf(rest) : undefined, query };
}

/** Returns the value of a query parameter; undefined without it. */
export function valueIn({ query }: S3Target, name: string): string | undefined {
  return query.find(([word]) => word === name)?.[1];
}

function keyOf(text: string): string {
  const key = decodeText(text);
  if (new TextEncoder().encode(key).length > MAX_KEY_BYTES) {
    throw new S3Error(400, "KeyTooLongError", `A key may have at most ${MAX_KEY_BYTES} bytes`);
  }
  if (key.includes("\0")) throw new S3Error(400, "InvalidArgument", "A key must not contain NUL");
  return key;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "The path or the query is not valid percent-encoded UTF-8");
  }
}
