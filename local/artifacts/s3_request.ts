/** A request to the embedded store as it was sent: nothing of its path is put in order, as the signature is over its bytes. */
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { MAX_KEY_BYTES } from "./limits.ts";
import { S3Error } from "./s3_error.ts";

/** The object or bucket that a request names, with its query. */
export interface S3Target {
  /** The path as it was sent. */
  readonly path: string;
  /** Undefined where the bucket itself is meant. */
  readonly key: string | undefined;
  readonly query: readonly (readonly [string, string])[];
}

/** @throws {S3Error} when the path names no bucket of ours, or no key that there can be. */
export function targetOf(url: string): S3Target {
  const [, path = "/", text = ""] = /^[^:]+:\/\/[^/?#]*(\/[^?#]*)?(?:\?([^#]*))?/.exec(url) ?? [];
  const query = text.split("&").filter(Boolean).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [decoded(pair), ""] as const : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))] as const;
  });
  const [, bucket = "", rest] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  if (decoded(bucket) !== EMBEDDED_STORE.bucket) {
    throw new S3Error(404, "NoSuchBucket", `There is one bucket here, and it is called ${EMBEDDED_STORE.bucket}`);
  }
  return { path, key: rest ? keyOf(rest) : undefined, query };
}

/** The value of a word of the query; undefined when the query has no such word. */
export function valueIn({ query }: S3Target, name: string): string | undefined {
  return query.find(([word]) => word === name)?.[1];
}

function keyOf(text: string): string {
  const key = decoded(text);
  if (new TextEncoder().encode(key).length > MAX_KEY_BYTES) {
    throw new S3Error(400, "KeyTooLongError", `A key has ${MAX_KEY_BYTES} bytes at most`);
  }
  if (key.includes("\0")) throw new S3Error(400, "InvalidArgument", "A key has no NUL in it");
  return key;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "The path or the query is not UTF-8 in the escapes of URLs");
  }
}
