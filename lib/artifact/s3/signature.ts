/**
 * Signatures of version 4, as AWS checks them. Their sums are made at once, not by the runtime's other threads as Web
 * Crypto makes them: a request has some hundred bytes to sign, and waking a thread costs more than they do.
 */
import { createHash, createHmac } from "node:crypto";

const encoder = new TextEncoder();

/** The keys that requests are signed with. */
export interface AwsKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}

/** The parts of a request that are signed. */
export interface Signed {
  readonly method: string;
  /** As it is sent: every byte that must be escaped is. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, or `UNSIGNED-PAYLOAD`. */
  readonly payload: string;
}

/** The service, the region and the moment that a signature is for. */
export interface SignedFor {
  readonly service: string;
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The headers of a request, its signature among them; those that were given are small letters. */
export function signed(request: Signed, keys: AwsKeys, { service, region, at }: SignedFor) {
  const time = new Date(at).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
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
  const scope = [day, region, service, "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const signature = hmac(signingKey(keys, scope), text).toHex();
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/${
      scope.join("/")
    }, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** A query as it is signed and sent: sorted, everything escaped. */
export function queryText(query: readonly (readonly [string, string])[]): string {
  return query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort().join("&");
}

/** Text with all bytes escaped but letters, digits and `-._~`; `keep` are characters that stay, too. */
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

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The last key that was made of each secret: it is good for a day, a region and a service. */
const signingKeys = new WeakMap<AwsKeys, { readonly scope: string; readonly key: Uint8Array }>();

/** The key that signs within a scope. */
function signingKey(keys: AwsKeys, scope: readonly string[]): Uint8Array {
  const name = scope.join("/");
  const last = signingKeys.get(keys);
  if (last?.scope === name) return last.key;
  const start: Uint8Array = encoder.encode(`AWS4${keys.secretKey}`);
  const key = scope.reduce(hmac, start);
  signingKeys.set(keys, { scope: name, key });
  return key;
}

function hmac(key: Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}
