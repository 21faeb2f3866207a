/** An answer of an API server and its body, in whichever of the three ways that comes. */
import { type AnswerHead, Body, framingOf } from "../../http1/mod.ts";
import type { Connection } from "./connection.ts";
import { joinedBytes } from "../../joined_bytes.ts";

/** The headers of an answer, by name in any case. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/** An answer: that of `fetch` fits. Its body is read once, or given up with `body.cancel()`. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  json(): Promise<unknown>;
  text(): Promise<string>;
  /**
   * The parts of the body as they come, each only until the next one is asked for: for who reads a stream that lasts, and
   * wants no more between. Absent where there is only `body`.
   */
  parts?(): AsyncIterableIterator<Uint8Array<ArrayBuffer>>;
}

const decoder = new TextDecoder();

/** The end of an answer, for the keeper of its connection. */
export interface AnswerEnd {
  /** The body was read: the connection is free. */
  whole(): void;
  /** The body was given up, or broke off; answers the error to throw. */
  broken(cause: unknown): unknown;
}

/** An answer over a connection of ours. */
export class ConnectionAnswer implements Answer {
  readonly #head: AnswerHead;
  readonly #end: AnswerEnd;
  readonly #content: Body;
  #done = false;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  constructor(connection: Connection, method: string, head: AnswerHead, end: AnswerEnd) {
    this.#head = head;
    this.#end = end;
    this.#content = new Body(connection, framingOf(method, head));
    if (this.#content.isOver) this.#over();
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

  get headers(): AnswerHeaders {
    const { headers } = this.#head;
    return { get: (name) => headers.get(name.toLowerCase()) ?? null };
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async text(): Promise<string> {
    if (this.#isPacked) return await new Response(this.body).text();
    const first = await this.#next();
    if (first === undefined) return "";
    // Nearly every answer comes whole with its head: nothing of it is copied.
    if (this.#content.isOver) {
      const text = decoder.decode(first);
      this.#over();
      return text;
    }
    const parts = [first.slice()];
    for (let part = await this.#next(); part !== undefined; part = await this.#next()) parts.push(part.slice());
    return decoder.decode(parts.length === 1 ? parts[0] : joinedBytes(parts));
  }

  async *parts(): AsyncIterableIterator<Uint8Array<ArrayBuffer>> {
    if (this.#isPacked) return yield* this.body;
    try {
      for (let part = await this.#next(); part !== undefined; part = await this.#next()) yield part;
    } finally {
      this.#giveUp();
    }
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= this.#isPacked ? this.#stream().pipeThrough(new DecompressionStream("gzip")) : this.#stream();
  }

  #stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (stream) => {
        const part = await this.#next();
        part === undefined ? stream.close() : stream.enqueue(part.slice());
      },
      cancel: () => this.#giveUp(),
    }, { highWaterMark: 0 });
  }

  get #isPacked(): boolean {
    return this.#head.headers.get("content-encoding") === "gzip";
  }

  /** The bytes of the body that came next, which are overwritten by the next ones; undefined at its end. */
  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#done) return undefined;
    try {
      return await this.#content.next() ?? this.#over();
    } catch (error) {
      this.#done = true;
      throw this.#end.broken(error);
    }
  }

  #over(): undefined {
    if (this.#done) return;
    this.#done = true;
    this.#end.whole();
  }

  #giveUp(): void {
    if (this.#done) return;
    this.#done = true;
    this.#end.broken(undefined);
  }
}
