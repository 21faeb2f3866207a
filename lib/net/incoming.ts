/** Reading HTTP/1.1: the head of an answer, and its body in whichever of the three ways it comes. */
import { MAX_HEAD_BYTES } from "./limits.ts";
import { type Bytes, NetError } from "./net.ts";
import type { Wire } from "./wire.ts";

/** The first lines of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** Whether the connection can be used again when the body was read. */
  readonly keep: boolean;
}

/** The way in which the end of a body is found. */
export type Framing = { readonly kind: "length"; readonly size: number } | { readonly kind: "chunked" | "to the end" };

/** The sizes of what is read at once, bytes: it grows while much comes, and shrinks again. */
const LEAST_READ = 8_192;
const MOST_READ = 65_536;

const CR = 13;
const LF = 10;

/** Reads the answers that come in on a connection. */
export class Incoming {
  #buffer: Bytes = new Uint8Array(LEAST_READ);
  #start = 0;
  #end = 0;
  #readSize = LEAST_READ * 2;

  constructor(readonly wire: Wire) {}

  /** Whether a byte of an answer came. */
  begun = false;

  /** Whether anything came that nobody asked for yet. */
  get hasMore(): boolean {
    return this.#end > this.#start;
  }

  /** Reads the head of the final answer; what servers say before it (status 1xx) is passed over. `none` is the failure when nothing comes. */
  async head(none: () => NetError): Promise<Head> {
    let bytes = 0;
    for (;;) {
      const lines: string[] = [];
      for (let line = await this.#line(bytes, none); line !== ""; line = await this.#line(bytes, none)) {
        bytes += line.length + 2;
        lines.push(line);
      }
      const head = this.#parse(lines);
      if (head.status >= 200) return head;
    }
  }

  #parse([first = "", ...lines]: readonly string[]): Head {
    const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(first) ?? [];
    if (code === undefined) {
      throw this.#broken(`it does not speak HTTP/1.1: ${JSON.stringify(first.slice(0, 60))}`, false);
    }
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon < 1) throw this.#broken("a header of its answer has no name", false);
      try {
        headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
      } catch {
        throw this.#broken(`the header ${JSON.stringify(line.slice(0, colon))} of its answer cannot be read`, false);
      }
    }
    const connection = headers.get("connection")?.toLowerCase() ?? "";
    const keep = minor === "1" ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
    return { status: Number(code), headers, keep };
  }

  /** The way in which the body of an answer ends, as its request and its head decide. */
  framing(method: string, { status, headers }: Head): Framing {
    if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", size: 0 };
    const coding = headers.get("transfer-encoding")?.toLowerCase();
    if (coding === "chunked") return { kind: "chunked" };
    if (coding !== undefined && coding !== "identity") {
      throw this.#broken(`it sends the coding ${coding}, which was not asked for`, false);
    }
    const length = headers.get("content-length");
    if (length === null) return { kind: "to the end" };
    const [size = "", ...others] = new Set(length.split(",").map((text) => text.trim()));
    if (others.length > 0 || !/^\d{1,15}$/.test(size)) {
      throw this.#broken("the Content-Length of its answer is no length", false);
    }
    return { kind: "length", size: Number(size) };
  }

  /** A line without its end. */
  async #line(before: number, none?: () => NetError): Promise<string> {
    let text = "";
    for (;;) {
      const at = this.#buffer.subarray(this.#start, this.#end).indexOf(LF);
      const end = at < 0 ? this.#end : this.#start + at;
      text += latin1(this.#buffer.subarray(this.#start, end));
      this.#start = at < 0 ? end : end + 1;
      if (before + text.length > MAX_HEAD_BYTES) {
        throw this.#broken(`the head of its answer has more than ${MAX_HEAD_BYTES} bytes`, false);
      }
      if (at >= 0) return text.charCodeAt(text.length - 1) === CR ? text.slice(0, -1) : text;
      if (await this.#fill() === 0) {
        throw before + text.length === 0 && none ? none() : this.#broken("its answer broke off in its head", true);
      }
    }
  }

  /** Reads more into the empty buffer; 0 at the end. */
  async #fill(): Promise<number> {
    this.#start = this.#end = 0;
    this.#end = await this.wire.read(this.#buffer) ?? 0;
    if (this.#end > 0) this.begun = true;
    return this.#end;
  }

  /**
   * The bytes of a body, `undefined` at its end.
   * @throws {NetError} that passes, when it is shorter than announced.
   */
  body(framing: Framing): () => Promise<Bytes | undefined> {
    if (framing.kind === "length") return this.#sized(framing.size);
    if (framing.kind === "chunked") return this.#chunked();
    return () => this.#some(Infinity);
  }

  #sized(size: number): () => Promise<Bytes | undefined> {
    let left = size;
    return async () => {
      if (left === 0) return undefined;
      const part = await this.#some(left);
      if (part === undefined) throw this.#broken(`its answer broke off after ${size - left} of ${size} bytes`, true);
      left -= part.length;
      return part;
    };
  }

  #chunked(): () => Promise<Bytes | undefined> {
    let left = 0;
    let first = true;
    let over = false;
    const cut = () => this.#broken("its answer broke off before its end", true);
    return async () => {
      if (over) return undefined;
      if (left === 0) {
        if (!first && await this.#line(0, cut) !== "") {
          throw this.#broken("a chunk of its answer is longer than it says", false);
        }
        first = false;
        const [, digits] = /^([0-9a-f]{1,13})\s*(?:;|$)/i.exec(await this.#line(0, cut)) ?? [];
        if (digits === undefined) throw this.#broken("a chunk of its answer has no length", false);
        left = parseInt(digits, 16);
        if (left === 0) {
          over = true;
          for (let bytes = 0, line = "-"; line !== ""; bytes += line.length) line = await this.#line(bytes, cut);
          return undefined;
        }
      }
      const part = await this.#some(left);
      if (part === undefined) throw cut();
      left -= part.length;
      return part;
    };
  }

  /** Reads at most `most` bytes: those that came already, else those that come next; undefined at the end of the connection. */
  async #some(most: number): Promise<Bytes | undefined> {
    if (this.hasMore) {
      const end = Math.min(this.#end, this.#start + most);
      const part = this.#buffer.slice(this.#start, end);
      this.#start = end;
      return part;
    }
    const into = new Uint8Array(Math.min(most, this.#readSize));
    const size = await this.wire.read(into);
    if (size === null) return undefined;
    if (size === this.#readSize) this.#readSize = Math.min(MOST_READ, size * 2);
    else if (size < this.#readSize / 4 && most > this.#readSize) {
      this.#readSize = Math.max(LEAST_READ, this.#readSize / 2);
    }
    return into.subarray(0, size);
  }

  #broken(words: string, passes: boolean): NetError {
    return new NetError(`${this.wire.server}: ${words}`, passes);
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
