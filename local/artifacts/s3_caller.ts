/** The caller of the embedded store: the namespace whose keys signed a request. */
import { timingSafeEqual } from "node:crypto";
import { signHeaders } from "@tiphys/stores/s3/signature";
import type { ArtifactStore } from "./artifact_store.ts";
import { namespaceOf, secretKeyOf } from "./credentials.ts";
import { MAX_SKEW_MILLIS } from "./limits.ts";
import { S3Error } from "./s3_error.ts";
import type { S3Target } from "./s3_request.ts";

/** Headers that signing a request adds. */
const MADE_BY_SIGNING = new Set(["host", "x-amz-date", "x-amz-content-sha256"]);

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/\s]{1,300})\/(\d{8})\/([\w-]{1,64})\/s3\/aws4_request, ?SignedHeaders=([\w;-]{1,2048}), ?Signature=([0-9a-f]{64})$/;

/**
 * Returns the namespace that signed a request. The body is not verified here: its hash is in `x-amz-content-sha256`.
 * @throws {S3Error} 403 for an invalid or expired signature.
 */
export function callerOf(
  store: ArtifactStore,
  { method, headers }: Request,
  { path, query }: S3Target,
  now: number,
): string {
  const authorization = headers.get("authorization");
  if (!authorization) throw new S3Error(403, "AccessDenied", "The request has no signature in its headers");
  const [, accessKey = "", , region = "", names = "", signature = ""] = AUTHORIZATION.exec(authorization) ?? [];
  if (!signature) {
    throw new S3Error(400, "AuthorizationHeaderMalformed", "The signature is not of the kind AWS4-HMAC-SHA256");
  }
  const time = timeOf(headers.get("x-amz-date"));
  const namespace = namespaceOf(accessKey);
  if (namespace === undefined) {
    throw new S3Error(403, "InvalidAccessKeyId", "The access key is not known to this store");
  }
  const given = names.split(";").filter((name) => !MADE_BY_SIGNING.has(name)).map((name) =>
    [name, headers.get(name) ?? ""] as const
  );
  const expected = signHeaders(
    {
      method,
      path,
      query,
      host: headers.get("host") ?? "",
      headers: Object.fromEntries(given),
      payload: headers.get("x-amz-content-sha256") ?? "",
    },
    { accessKey, secretKey: secretKeyOf(store, namespace) },
    { service: "s3", region, at: time },
  );
  const ours = expected.authorization.slice(-signature.length);
  const isSame = timingSafeEqual(new TextEncoder().encode(ours), new TextEncoder().encode(signature));
  if (!isSame) throw new S3Error(403, "SignatureDoesNotMatch", "The signature does not match the request");
  // The clock is checked last, so that only authenticated callers learn about it.
  if (Math.abs(now - time) > MAX_SKEW_MILLIS) {
    throw new S3Error(403, "RequestTimeTooSkewed", "The time of the request differs too much from that of the store");
  }
  return namespace;
}

function timeOf(text: string | null): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "") ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw new S3Error(403, "AccessDenied", "The request has no time in the header x-amz-date");
  return time;
}
