/**
 * The HTTP interface of artifact stores: request bodies have a length and can be sent again; responses are streamed.
 */

/** A chunk of bytes that only its owner writes to. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Content that can be read repeatedly from any position, so that requests can be retried. */
export interface Source {
  /** Bytes. */
  readonly size: number;
  /** Returns the bytes from `from` (inclusive) to `to` (exclusive). */
  open(from: number, to: number): ReadableStream<Bytes>;
  /** Returns the whole content if it is small and in memory: `size` bytes, the same ones on each call. */
  readonly whole?: () => Bytes;
}

/** The TLS settings of a connection. */
export interface TlsOptions {
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caCerts?: readonly string[];
  /** The client's own certificate chain and key, PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Accepts any certificate of the server; set only on explicit request of the user. */
  readonly insecureSkipVerify?: boolean;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** The path and query, which begins with a slash and is sent unchanged: a URL would remove `.` and `..`. */
  readonly target?: string;
  /** `host` and `content-length` are set by the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional headers, sent after `headers`; names may repeat. */
  readonly headerList?: readonly (readonly [string, string])[];
  /** The value of the `Host` header if it differs from the URL's. */
  readonly host?: string | undefined;
  readonly body?: Bytes | Source;
  readonly tls?: TlsOptions;
  readonly stop: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Fails when fewer bytes arrive than announced, or none for the stall timeout. Its reader may keep every chunk, or
   * provide a buffer (`mode: "byob"`), as `chunksOf` does.
   */
  readonly body: ReadableStream<Bytes>;
  /** Returns the first `maxBytes` of the body as text, for errors, and discards the rest. */
  text(maxBytes?: number): Promise<string>;
  /** Discards the body so that the connection can be reused. */
  discard(): Promise<void>;
}

/** Sends requests. Redirects are not followed and nothing is retried: callers know which requests are idempotent. */
export interface Net {
  /** @throws {NetError} without a response. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** The error of a request without a response, or with an incomplete or invalid one. */
export class NetError extends Error {
  override readonly name = "NetError";

  /**
   * `passes`: the failure is temporary, so a retry may succeed (connection refused, reset, stalled or incomplete; name
   * not resolved).
   */
  constructor(message: string, readonly passes: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}
