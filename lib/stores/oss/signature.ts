/** Signatures of requests to OSS: version 4 if the region is known, version 1 otherwise. */
import { createHash, createHmac } from "node:crypto";
import type { OssKeys } from "./credentials.ts";

/** A request before it is signed. */
export interface Unsigned {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  /** The parameters by name. One with an empty value is written as its name alone. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Query parameters that version 1 signs. */
const SIGNED_BY_V1 = new Set(["delete", "lifecycle", "partNumber", "uploadId", "uploads"]);

/** Returns the region of an endpoint; undefined if its name does not contain it. */
export function regionOf(host: string): string | undefined {
  return /(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com(?:\.cn)?$/.exec(host)?.[1];
}

/** Returns the headers of a request, with its signature. */
export function signHeaders(
  request: Unsigned,
  keys: OssKeys,
  { now, region }: { readonly now: number; readonly region: string | undefined },
): Record<string, string> {
  return region ? signedV4(request, keys, now, region) : signedV1(request, keys, now);
}

function signedV4(
  request: Unsigned,
  { id, secret, token }: OssKeys,
  now: number,
  region: string,
): Record<string, string> {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-oss-content-sha256": "UNSIGNED-PAYLOAD",
    "x-oss-date": time,
    ...token ? { "x-oss-security-token": token } : {},
  };
  const own = Object.keys(headers).filter((name) =>
    name.startsWith("x-oss-") || name === "content-type" || name === "content-md5"
  ).sort();
  const canonical = [
    request.method,
    encodedPath(`/${request.bucket}/${request.key}`),
    queryText(request.query),
    ...own.map((name) => `${name}:${headers[name]!.trim()}`),
    "",
    "",
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${date}/${region}/oss/aliyun_v4_request`;
  const text = ["OSS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = [date, region, "oss", "aliyun_v4_request"].reduce<string | Uint8Array>(
    (key, part) => createHmac("sha256", key).update(part).digest(),
    `aliyun_v4${secret}`,
  );
  const signature = createHmac("sha256", key).update(text).digest("hex");
  return { ...headers, authorization: `OSS4-HMAC-SHA256 Credential=${id}/${scope},Signature=${signature}` };
}

function signedV1(request: Unsigned, { id, secret, token }: OssKeys, now: number): Record<string, string> {
  const headers: Record<string, string> = {
    ...request.headers,
    date: new Date(now).toUTCString(),
    ...token ? { "x-oss-security-token": token } : {},
  };
  const own = Object.keys(headers).filter((name) => name.startsWith("x-oss-")).sort();
  const named = Object.entries(request.query).filter(([name]) => SIGNED_BY_V1.has(name)).sort(([a], [b]) =>
    a < b ? -1 : 1
  )
    .map(([name, value]) => value === "" ? name : `${name}=${value}`).join("&");
  const text = [
    request.method,
    headers["content-md5"] ?? "",
    headers["content-type"] ?? "",
    headers.date,
    ...own.map((name) => `${name}:${headers[name]}`),
    `/${request.bucket}/${request.key}${named === "" ? "" : `?${named}`}`,
  ].join("\n");
  const signature = createHmac("sha1", secret).update(text, "utf8").digest("base64");
  return { ...headers, authorization: `OSS ${id}:${signature}` };
}

/** Formats a query as it is sent and signed. */
export function queryText(query: Readonly<Record<string, string>>): string {
  return Object.entries(query).map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => value === "" ? name : `${name}=${value}`).join("&");
}

/** Formats a path as it is sent and signed. */
export function encodedPath(path: string): string {
  return path.split("/").map(encoded).join("/");
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
