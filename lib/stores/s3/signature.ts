/**
 * AWS signatures of version 4. Digests are computed synchronously in JavaScript: a request has a few hundred bytes to
 * sign. Web Crypto would wake another thread for each digest, which costs more, and loading Node's modules takes 20 ms
 * of CPU time and 11 MB, before every command with an input.
 */
import { hmac as hmacOf } from "@noble/hashes/hmac.js";
import { sha256 as sha256Of } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

/** The keys that sign requests. */
export interface AwsKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}

/** The signed parts of a request. */
export interface SignedParts {
  readonly method: string;
  /** The path as it is sent, with all required escapes. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, or `UNSIGNED-PAYLOAD`. */
  readonly payload: string;
}

/** The service, region and time of a signature. */
export interface SignedFor {
  readonly service: string;
  readonly region: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Returns the headers of a request, including its signature. The given headers must have lower-case names. */
export function signHeaders(request: SignedParts, keys: AwsKeys, signedFor: SignedFor) {
  const { service } = signedFor;
  const { time, scope } = scopeOf(signedFor);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-date": time,
    ...(service === "s3" ? { "x-amz-content-sha256": request.payload } : {}),
    ...(keys.sessionToken ? { "x-amz-security-token": keys.sessionToken } : {}),
  };
  const all = Object.entries({ ...headers, host: request.host }).map(([name, value]) =>
    [name.toLowerCase(), value] as const
  )
    .sort(([a], [b]) => a < b ? -1 : 1);
  const names = all.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    ...all.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, " ")}`),
    "",
    names,
    request.payload,
  ].join("\n");
  const signature = signatureOf(canonical, keys, signedFor);
  return {
    ...headers,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Returns the time and scope of a signature. */
function scopeOf({ service, region, at }: SignedFor) {
  const time = new Date(at).toISOString().replace(/[:-]|\.\d{3}/g, "");
  return { time, scope: `${time.slice(0, 8)}/${region}/${service}/aws4_request` };
}

function signatureOf(canonical: string, keys: AwsKeys, signedFor: SignedFor): string {
  const { time, scope } = scopeOf(signedFor);
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  return hmac(signingKey(keys, signedFor), text).toHex();
}

/** The last signing key of each secret. It is valid for one day, region and service. */
const signingKeys = new WeakMap<AwsKeys, { readonly scope: string; readonly key: Uint8Array }>();

function signingKey(keys: AwsKeys, signedFor: SignedFor): Uint8Array {
  const { time, scope } = scopeOf(signedFor);
  const last = signingKeys.get(keys);
  if (last?.scope === scope) return last.key;
  const start: Uint8Array = encoder.encode(`AWS4${keys.secretKey}`);
  const key = [time.slice(0, 8), signedFor.region, signedFor.service, "aws4_request"].reduce(hmac, start);
  signingKeys.set(keys, { scope, key });
  return key;
}

/** A GET request that anyone with its URL may send for a limited time. */
export interface PresignedRequest extends Pick<SignedParts, "host" | "path" | "query"> {
  /** Validity in seconds. */
  readonly seconds: number;
}

/** Returns the URL of such a request without its scheme, with its signature in the query. */
export function presignUrl(
  { host, path, query, seconds }: PresignedRequest,
  keys: AwsKeys,
  signedFor: SignedFor,
): string {
  const { time, scope } = scopeOf(signedFor);
  const all = [
    ...query,
    ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
    ["X-Amz-Credential", `${keys.accessKey}/${scope}`],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", String(seconds)],
    ["X-Amz-SignedHeaders", "host"],
    ...(keys.sessionToken ? [["X-Amz-Security-Token", keys.sessionToken] as const] : []),
  ] as const;
  const text = queryText(all);
  const canonical = ["GET", path, text, `host:${host}`, "", "host", sha256("")].join("\n");
  return `${host}${path}?${text}&X-Amz-Signature=${signatureOf(canonical, keys, signedFor)}`;
}

/** Formats a query as it is signed and sent: sorted and escaped. */
export function queryText(query: readonly (readonly [string, string])[]): string {
  return query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort().join("&");
}

/** Escapes all bytes except letters, digits, `-._~` and the characters in `keep`. */
export function escaped(text: string, keep = ""): string {
  let result = "";
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte);
    result += /[A-Za-z0-9._~-]/.test(character) || keep.includes(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return result;
}

/** Returns the SHA-256 of a short text or a few bytes in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return sha256Of(typeof content === "string" ? encoder.encode(content) : content).toHex();
}

function hmac(key: Uint8Array, text: string): Uint8Array {
  return hmacOf(sha256Of, key, encoder.encode(text));
}
