/** Requests to a bucket: signed, and corrected once if the store reports how. */
import type { Bytes, HttpResponse, Net, Source, TlsOptions } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { kindOfStatus, retryAfter, send, statusText } from "@tiphys/artifacts/store_request";
import type { CredentialSource } from "./credentials.ts";
import { kindOfCode, readError, type S3ErrorBody } from "./errors.ts";
import type { BucketAddress } from "./settings.ts";
import { escaped, queryText, signHeaders } from "./signature.ts";

/** Maximum number of bytes of an error body that are read. */
const ERROR_BYTES = 65_536;

/** A request to a bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes | Source;
  readonly stop: AbortSignal;
}

/** An unsuccessful response. */
export interface S3Failure {
  readonly status: number;
  readonly error: S3ErrorBody;
  readonly retryAfterMillis: number | undefined;
}

/** The outcome of a request: a success with an unread body, or a failure. */
export type S3Response = { readonly ok: HttpResponse } | { readonly failed: S3Failure };

/** Sends requests to one bucket. */
export class S3Client {
  #region: string;
  /** Milliseconds by which the store's clock is ahead of ours. */
  #skew = 0;

  constructor(
    readonly address: BucketAddress,
    readonly net: Net,
    readonly now: () => number,
    readonly credentials: CredentialSource,
    readonly tls: TlsOptions | undefined,
  ) {
    this.#region = address.region;
  }

  get region(): string {
    return this.#region;
  }

  /**
   * Sends a request. If the store reports another region, a wrong clock or an expired renewable token, the request is
   * repeated after a correction, once for each of them.
   * @throws {StoreError} when there is no response, or no credentials.
   */
  async send(request: S3Request): Promise<S3Response> {
    const tried = new Set<string>();
    for (;;) {
      const response = await this.#send(request);
      if (response.status < 300 || response.status === 304) return { ok: response };
      const text = await response.text(ERROR_BYTES).catch(() => "");
      const error = readError(text);
      const remedy = await this.#correctCause(response, error);
      if (remedy === undefined || tried.has(remedy)) {
        return { failed: { status: response.status, error, retryAfterMillis: retryAfter(response, this.now) } };
      }
      tried.add(remedy);
    }
  }

  /**
   * Same as {@link send}, but throws a failure, whose message begins with `operation`.
   * @throws {StoreError} of the kind of the failure.
   */
  async sendOrThrow(request: S3Request, operation: string): Promise<HttpResponse> {
    const answer = await this.send(request);
    if ("ok" in answer) return answer.ok;
    throw this.failure(answer.failed, operation);
  }

  /** Converts a failure to an error of its kind. */
  failure({ status, error: { code, message }, retryAfterMillis }: S3Failure, operation: string): StoreError {
    const kind = kindOfCode(status, code) ?? kindOfStatus(status);
    const words = [statusText(status), code, message?.replaceAll(/\s+/g, " ").slice(0, 300)].filter(Boolean).join(": ");
    const hint = code === "AccessDenied" ? " (without the right s3:ListBucket, missing keys are refused as well)" : "";
    return new StoreError(`${operation} failed: ${words}${hint}`, kind, retryAfterMillis);
  }

  async #send(request: S3Request): Promise<HttpResponse> {
    const { address: { url, base } } = this;
    const path = request.key === undefined ? base || "/" : `${base}/${escaped(request.key, "/")}`;
    const query = request.query ?? [];
    const payload = request.body === undefined ? EMPTY : await payloadOf(request.body);
    const keys = await this.credentials.get(request.stop);
    const headers = keys === undefined ? { ...request.headers } : signHeaders(
      { method: request.method, path, query, host: url.host, headers: request.headers ?? {}, payload },
      keys,
      { service: "s3", region: this.#region, at: this.now() + this.#skew },
    );
    const target = query.length === 0 ? path : `${path}?${queryText(query)}`;
    const { method, body, stop } = request;
    return await send(this.net, {
      method,
      url,
      target,
      headers,
      stop,
      ...(body ? { body } : {}),
      ...(this.tls ? { tls: this.tls } : {}),
    }, `s3: asking ${url.host}`);
  }

  /** Corrects the cause of a failed request and returns its name; undefined when nothing can be corrected. */
  async #correctCause(response: HttpResponse, { code, region }: S3ErrorBody): Promise<string | undefined> {
    const { status, headers } = response;
    const other = headers.get("x-amz-bucket-region") ?? region;
    if ((status === 301 || status === 307 || status === 400) && other && other !== this.#region) {
      this.#region = other;
      return "region";
    }
    if (code === "RequestTimeTooSkewed") {
      const theirs = Date.parse(headers.get("date") ?? "");
      if (Number.isNaN(theirs)) return undefined;
      this.#skew = theirs - this.now();
      return "clock";
    }
    if (/^(ExpiredToken|ExpiredTokenException|InvalidToken|TokenRefreshRequired)$/.test(code ?? "")) {
      return await this.credentials.renew() ? "token" : undefined;
    }
    return undefined;
  }
}

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Maximum size of a body whose digest is signed. Larger bodies are protected by TLS or a checksum. */
const SIGNED_BYTES = 1 << 20;

async function payloadOf(body: Bytes | Source): Promise<string> {
  if (!(body instanceof Uint8Array) || body.length > SIGNED_BYTES) return "UNSIGNED-PAYLOAD";
  return (await import("node:crypto")).createHash("sha256").update(body).digest("hex");
}
