/** A response of an API server and its body, with any of the three HTTP encodings of its length. */
import { Body, framingOf, type ResponseHead } from "@tiphys/base/http1";
import type { Connection } from "./connection.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The headers of a response; names are case-insensitive. */
export interface ResponseHeaders {
  get(name: string): string | null;
}

/** A response, compatible with that of `fetch`. Its body is read once, or discarded with `body.cancel()`. */
export interface TransportResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  json(): Promise<unknown>;
  text(): Promise<string>;
  /**
   * Returns the parts of the body as they arrive, each valid only until the next one is read. For long-lived streams
   * that must not buffer. Undefined if only `body` is available.
   */
  parts?(): AsyncIterableIterator<Uint8Array<ArrayBuffer>>;
}

const decoder = new TextDecoder();

/** Callbacks for the end of a response, used by the connection pool. */
export interface ResponseEnd {
  /** The body was read, so the connection can be reused. */
  whole(): void;
  /** The body was discarded or is incomplete. Returns the error to throw. */
  broken(cause: unknown): unknown;
}

/** A response over one of our own connections. */
export class ConnectionResponse implements TransportResponse {
  readonly #head: ResponseHead;
  readonly #end: ResponseEnd;
  readonly #content: Body;
  #done = false;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  constructor(connection: Connection, method: string, head: ResponseHead, end: ResponseEnd) {
    this.#head = head;
    this.#end = end;
    this.#content = new Body(connection, framingOf(method, head));
    if (this.#content.isComplete) this.#finish();
  }

  get status(): number {
    return this.#head.status;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get statusText(): string {
    return this.#head.statusText;
  }

  get headers(): ResponseHeaders {
    const { headers } = this.#head;
    return { get: (name) => headers.get(name.toLowerCase()) ?? null };
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async text(): Promise<string> {
    if (this.#isCompressed) return await new Response(this.body).text();
    const first = await this.#next();
    if (first === undefined) return "";
    // Nearly every response arrives whole with its head and is not copied.
    if (this.#content.isComplete) {
      const text = decoder.decode(first);
      this.#finish();
      return text;
    }
    const parts = [first.slice()];
    for (let part = await this.#next(); part !== undefined; part = await this.#next()) parts.push(part.slice());
    return decoder.decode(parts.length === 1 ? parts[0] : joinedBytes(parts));
  }

  async *parts(): AsyncIterableIterator<Uint8Array<ArrayBuffer>> {
    if (this.#isCompressed) return yield* this.body;
    try {
      for (let part = await this.#next(); part !== undefined; part = await this.#next()) yield part;
    } finally {
      this.#discard();
    }
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= this.#isCompressed
      ? this.#stream().pipeThrough(new DecompressionStream("gzip"))
      : this.#stream();
  }

  #stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (stream) => {
        const part = await this.#next();
        part === undefined ? stream.close() : stream.enqueue(part.slice());
      },
      cancel: () => this.#discard(),
    }, { highWaterMark: 0 });
  }

  get #isCompressed(): boolean {
    return this.#head.headers.get("content-encoding") === "gzip";
  }

  /** Returns the next bytes of the body, valid until the next call; undefined at its end. */
  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#done) return undefined;
    try {
      return await this.#content.next() ?? this.#finish();
    } catch (error) {
      this.#done = true;
      throw this.#end.broken(error);
    }
  }

  #finish(): undefined {
    if (this.#done) return;
    this.#done = true;
    this.#end.whole();
  }

  #discard(): void {
    if (this.#done) return;
    this.#done = true;
    this.#end.broken(undefined);
  }
}
