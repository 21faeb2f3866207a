/** HTTP as stores need it: requests whose bodies have a length and can be sent again, answers that are streamed. */

/** A chunk of bytes that nobody else writes to. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Content that can be read again from any byte: what repeating a request needs. */
export interface Source {
  /** Bytes. */
  readonly size: number;
  /** The bytes from `from` to `to`, which is not among them. */
  open(from: number, to: number): ReadableStream<Bytes>;
  /** All of it, where it is small and near at hand: as many bytes as `size` says, the same each time. */
  readonly whole?: () => Bytes;
}

/** The TLS settings of a connection. */
export interface TlsOptions {
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caCerts?: readonly string[];
  /** The client's own certificate chain and key, PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Any certificate of the server is taken, as a user asked for it by name. */
  readonly insecureSkipVerify?: boolean;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** The path and query, beginning with a slash, which are sent byte for byte: a URL would take out `.` and `..`. */
  readonly target?: string;
  /** `host` and `content-length` are ours. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same as a list, sent after them: a name may be there several times. */
  readonly headerList?: readonly (readonly [string, string])[];
  /** The name for the `Host` header, where that is not the one of the URL. */
  readonly host?: string | undefined;
  readonly body?: Bytes | Source;
  readonly tls?: TlsOptions;
  readonly stop: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Ends with an error when fewer bytes come than were announced, or none for as long as a stall may last. A reader of it
   * may keep every chunk; one that brings a buffer (`mode: "byob"`) has that filled, as `chunksOf` does.
   */
  readonly body: ReadableStream<Bytes>;
  /** The first `maxBytes` of the body as text, for errors; the rest is given up. */
  text(maxBytes?: number): Promise<string>;
  /** Gives the body up, so that the connection is free. */
  discard(): Promise<void>;
}

/** Sends requests. Redirects are not followed, and nothing is repeated: callers know which requests allow that. */
export interface Net {
  /** @throws {NetError} when no answer comes. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** A request without an answer, or an answer that broke off. */
export class NetError extends Error {
  override readonly name = "NetError";

  /** `passes`: the same request may fare better later: refused, reset, cut short, stalled, not resolved. */
  constructor(message: string, readonly passes: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}
