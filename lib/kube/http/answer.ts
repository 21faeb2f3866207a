/** An answer of an API server and its body, in whichever of the three ways that comes. */
import type { AnswerHead } from "./answer_head.ts";
import type { Connection } from "./connection.ts";

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

/** The longest line in front of a chunk, bytes: a length, and words that nobody reads. */
const MAX_CHUNK_LINE = 4096;
const LF = 10;
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
  readonly #connection: Connection;
  readonly #head: AnswerHead;
  readonly #end: AnswerEnd;
  /** Bytes until the end of the body, or of its chunk. */
  #left: number;
  readonly #chunked: boolean;
  #first = true;
  #done = false;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  constructor(connection: Connection, method: string, head: AnswerHead, end: AnswerEnd) {
    this.#connection = connection;
    this.#head = head;
    this.#end = end;
    const none = method === "HEAD" || head.status === 204 || head.status === 304;
    this.#chunked = !none && isChunked(head);
    this.#left = none || this.#chunked ? 0 : lengthOf(head);
    if (this.#left === 0 && !this.#chunked) this.#over();
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
    if (this.#left === 0 && !this.#chunked) {
      const text = decoder.decode(first);
      this.#over();
      return text;
    }
    const parts = [first.slice()];
    for (let part = await this.#next(); part !== undefined; part = await this.#next()) parts.push(part.slice());
    return decoder.decode(parts.length === 1 ? parts[0] : joined(parts));
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
      if (this.#chunked && this.#left === 0 && !await this.#nextChunk()) return undefined;
      if (this.#left === 0) return this.#over();
      let bytes = this.#connection.bytes;
      if (bytes.length === 0) {
        if (!await this.#connection.more()) {
          if (this.#left === Infinity) return this.#over();
          throw new Error("its answer broke off before its end");
        }
        bytes = this.#connection.bytes;
      }
      const part = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
      this.#connection.take(part.length);
      this.#left -= part.length;
      return part;
    } catch (error) {
      this.#done = true;
      throw this.#end.broken(error);
    }
  }

  /** Reads the line in front of a chunk; false at the end of the body. */
  async #nextChunk(): Promise<boolean> {
    if (!this.#first && await this.#line() !== "") throw new Error("a chunk of its answer is longer than it says");
    this.#first = false;
    const [, digits] = /^([0-9a-f]{1,13})\s*(?:;|$)/i.exec(await this.#line()) ?? [];
    if (digits === undefined) throw new Error("a chunk of its answer has no length");
    this.#left = parseInt(digits, 16);
    if (this.#left > 0) return true;
    while (await this.#line() !== "") { /* Headers behind the body, which nobody reads. */ }
    this.#over();
    return false;
  }

  async #line(): Promise<string> {
    let text = "";
    for (;;) {
      const bytes = this.#connection.bytes;
      const at = bytes.indexOf(LF);
      text += decoder.decode(at < 0 ? bytes : bytes.subarray(0, at));
      if (text.length > MAX_CHUNK_LINE) throw new Error("a line in front of a chunk of its answer is too long");
      this.#connection.take(at < 0 ? bytes.length : at + 1);
      if (at >= 0) return text.endsWith("\r") ? text.slice(0, -1) : text;
      if (!await this.#connection.more()) throw new Error("its answer broke off before its end");
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

function isChunked({ headers }: AnswerHead): boolean {
  const coding = headers.get("transfer-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "chunked" && coding !== "identity") {
    throw new Error(`it sends the coding ${JSON.stringify(coding)}, which was not asked for`);
  }
  return coding === "chunked";
}

/** The length of a body; infinite where it ends with its connection. */
function lengthOf({ headers }: AnswerHead): number {
  const text = headers.get("content-length");
  if (text === undefined) return Infinity;
  if (!/^\d{1,15}$/.test(text)) throw new Error("the Content-Length of its answer is no length");
  return Number(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
