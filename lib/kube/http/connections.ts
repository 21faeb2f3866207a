/** Connections to one server that are kept between requests: one request at a time on each. */
import { type AnswerHead, NoAnswer, readAnswerHead, requestHead } from "../../http1/mod.ts";
import type { TlsMaterial } from "../credentials.ts";
import { type Answer, ConnectionAnswer } from "./answer.ts";
import { connect, type Connection } from "./connection.ts";

/** One request. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  readonly tls?: TlsMaterial | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** API servers close a connection that nobody used for 90 seconds; one that is older is not used again, milliseconds. */
const KEPT_MILLIS = 80_000;
const encoder = new TextEncoder();

/**
 * Asks one server. Nothing is sent twice but a GET or HEAD whose kept connection ended without a byte of an answer: of a
 * write nobody could say whether it was done.
 */
export class Connections {
  readonly #url: URL;
  readonly #host: string;
  #kept: Connection[] = [];
  #tls: TlsMaterial | undefined;
  #closed = false;
  /** Connections under other certificates are not kept when their request is over. */
  #generation = 0;

  /** `url`: the server; only its scheme, host and port are used. */
  constructor(url: URL) {
    this.#url = url;
    this.#host = url.host;
  }

  /** @throws the signal's reason, what the system or TLS says, and what is wrong with the answer. */
  async send(request: HttpRequest): Promise<Answer> {
    request.signal?.throwIfAborted();
    this.#use(request.tls);
    const bytes = bytesOf(request, this.#host);
    const kept = this.#take();
    const mayRepeat = request.method === "GET" || request.method === "HEAD";
    if (kept) {
      try {
        return await this.#ask(kept, request, bytes);
      } catch (error) {
        if (!mayRepeat || !(error instanceof NoAnswer) || request.signal?.aborted) throw error;
      }
    }
    return await this.#ask(await connect(this.#url, request.tls, request.signal), request, bytes);
  }

  /** Closes the connections that rest; the others, and those of requests that come after, when their answers are read. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #ask(connection: Connection, request: HttpRequest, bytes: Uint8Array): Promise<Answer> {
    const { signal, method } = request;
    const generation = this.#generation;
    const cut = () => connection.close();
    signal?.addEventListener("abort", cut, { once: true });
    const broken = (cause: unknown) => {
      signal?.removeEventListener("abort", cut);
      connection.close();
      return signal?.aborted ? signal.reason : cause;
    };
    try {
      if (signal?.aborted) cut();
      connection.wake();
      const head = await exchange(connection, bytes);
      connection.answers++;
      return new ConnectionAnswer(connection, method, head, {
        broken,
        whole: () => {
          signal?.removeEventListener("abort", cut);
          const again = head.keep && !this.#closed && generation === this.#generation && connection.usable;
          again ? this.#keep(connection) : connection.close();
        },
      });
    } catch (error) {
      throw broken(error);
    }
  }

  #use(tls: TlsMaterial | undefined): void {
    if (tls === this.#tls) return;
    if (JSON.stringify(tls) !== JSON.stringify(this.#tls)) {
      this.#generation++;
      this.#drop();
    }
    this.#tls = tls;
  }

  #drop(): void {
    for (const connection of this.#kept) connection.close();
    this.#kept = [];
  }

  /** The connection that was used last: the others may grow old. */
  #take(): Connection | undefined {
    const oldest = performance.now() - KEPT_MILLIS;
    for (let connection = this.#kept.pop(); connection; connection = this.#kept.pop()) {
      if (connection.usable && connection.idleSince > oldest) return connection;
      connection.close();
    }
    return undefined;
  }

  #keep(connection: Connection): void {
    this.#kept.push(connection);
    connection.rest(performance.now());
    const [first] = this.#kept;
    if (first && (!first.usable || first.idleSince < performance.now() - KEPT_MILLIS)) {
      this.#kept.shift();
      first.close();
    }
  }
}

/** Head and body at once, in one write. */
function bytesOf({ method, target, headers, body }: HttpRequest, host: string): Uint8Array {
  if (body === undefined) {
    const length = method === "GET" || method === "HEAD" ? undefined : 0;
    return encoder.encode(requestHead({ method, target, host, headers, length }));
  }
  const content = encoder.encode(body);
  const head = encoder.encode(requestHead({ method, target, host, headers, length: content.length }));
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return all;
}

/** Sends all, and reads the head of the answer: a server that refuses says so, perhaps before it has everything. */
async function exchange(connection: Connection, bytes: Uint8Array): Promise<AnswerHead> {
  let sent = false;
  const sending = connection.write(bytes).then(() => void (sent = true), (error: unknown) => ({ error }));
  try {
    const head = await readAnswerHead(connection);
    if (!sent && head.status < 300) await sending;
    return { ...head, keep: head.keep && sent };
  } catch (error) {
    // The failure of sending says more than the lack of an answer.
    const failure = error instanceof NoAnswer && connection.answers === 0 ? await sending : undefined;
    throw failure ? failure.error : error;
  }
}
