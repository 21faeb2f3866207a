/** Reads the body of a request, with limits on size and time. */

import { BODY_WITHIN_MS, MAX_BODY_BYTES } from "./limits.ts";
import type { KubeObject } from "@tiphys/kube";
import { badRequest, StatusError } from "./status_error.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/**
 * Returns the bytes of a body.
 * @throws {StatusError} 413 if it is too large, 408 if it is too late, 415 if it is compressed.
 */
export async function bodyBytes(request: Request, within = BODY_WITHIN_MS): Promise<Uint8Array> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    await request.body?.cancel();
    throw new StatusError(
      415,
      "UnsupportedMediaType",
      `the body is encoded as ${JSON.stringify(encoding)}: send it plain`,
    );
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) {
    await request.body?.cancel();
    throw tooLarge();
  }
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel().catch(() => {});
  }, within);
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > MAX_BODY_BYTES) {
        void reader.cancel().catch(() => {});
        throw tooLarge();
      }
      chunks.push(next.value);
    }
    if (isLate) throw new StatusError(408, "Timeout", `the body did not arrive within ${within / 1000} seconds`);
    return chunks.length === 1 ? chunks[0]! : joinedBytes(chunks);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${MAX_BODY_BYTES}`);
}

/** Returns the body as an object with metadata, in which null values are removed. */
export function asObject(body: unknown): KubeObject {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw badRequest("Expected the body to be an object with apiVersion, kind and metadata");
  }
  const object = body as Partial<KubeObject>;
  const { metadata = {} } = object;
  if (typeof metadata !== "object" || metadata === null) throw badRequest("Expected metadata to be an object");
  const present = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...object, metadata: Object.fromEntries(present) };
}
