/** A pool of connections to one server, with one request at a time on each. */
import { NoResponseError, readResponseHead, requestHead, type ResponseHead } from "@tiphys/base/http1";
import type { TlsMaterial } from "../credentials.ts";
import { ConnectionResponse, type TransportResponse } from "./answer.ts";
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

/**
 * Maximum idle time of a reused connection, in milliseconds. API servers close connections that are idle for 90
 * seconds.
 */
const MAX_IDLE_MILLIS = 80_000;
const encoder = new TextEncoder();

/**
 * Sends requests to one server. A request is sent again only if it is a GET or HEAD and its reused connection ended
 * without any byte of a response, because it is unknown whether a write was executed.
 */
export class Connections {
  readonly #url: URL;
  readonly #host: string;
  #idle: Connection[] = [];
  #tls: TlsMaterial | undefined;
  #closed = false;
  /** Incremented when the certificates change; connections of an older generation are not reused. */
  #generation = 0;

  /** @param url the server; only its scheme, host and port are used. */
  constructor(url: URL) {
    this.#url = url;
    this.#host = url.host;
  }

  /** @throws the signal's reason, the error of the system or of TLS, and an error for an invalid response. */
  async send(request: HttpRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    this.#useCertificates(request.tls);
    const bytes = bytesOf(request, this.#host);
    const kept = this.#takeIdle();
    const mayRepeat = request.method === "GET" || request.method === "HEAD";
    if (kept) {
      try {
        return await this.#exchange(kept, request, bytes);
      } catch (error) {
        if (!mayRepeat || !(error instanceof NoResponseError) || request.signal?.aborted) throw error;
      }
    }
    return await this.#exchange(await connect(this.#url, request.tls, request.signal), request, bytes);
  }

  /** Closes idle connections; the others are closed when their responses have been read. */
  close(): void {
    this.#closed = true;
    this.#closeIdle();
  }

  async #exchange(connection: Connection, request: HttpRequest, bytes: Uint8Array): Promise<TransportResponse> {
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
      connection.markBusy();
      const head = await exchange(connection, bytes);
      connection.answers++;
      return new ConnectionResponse(connection, method, head, {
        broken,
        whole: () => {
          signal?.removeEventListener("abort", cut);
          const again = head.keep && !this.#closed && generation === this.#generation && connection.isUsable;
          again ? this.#keepIdle(connection) : connection.close();
        },
      });
    } catch (error) {
      throw broken(error);
    }
  }

  #useCertificates(tls: TlsMaterial | undefined): void {
    if (tls === this.#tls) return;
    if (JSON.stringify(tls) !== JSON.stringify(this.#tls)) {
      this.#generation++;
      this.#closeIdle();
    }
    this.#tls = tls;
  }

  #closeIdle(): void {
    for (const connection of this.#idle) connection.close();
    this.#idle = [];
  }

  /** Returns the most recently used connection, so that the others can expire. */
  #takeIdle(): Connection | undefined {
    const oldest = performance.now() - MAX_IDLE_MILLIS;
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (connection.isUsable && connection.idleSince > oldest) return connection;
      connection.close();
    }
    return undefined;
  }

  #keepIdle(connection: Connection): void {
    this.#idle.push(connection);
    connection.markIdle(performance.now());
    const [first] = this.#idle;
    if (first && (!first.isUsable || first.idleSince < performance.now() - MAX_IDLE_MILLIS)) {
      this.#idle.shift();
      first.close();
    }
  }
}

/** Returns head and body as bytes for one write. */
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

/**
 * Sends everything and reads the head of the response. A server may reject the request before it has read all of it.
 */
async function exchange(connection: Connection, bytes: Uint8Array): Promise<ResponseHead> {
  let sent = false;
  const sending = connection.write(bytes).then(() => void (sent = true), (error: unknown) => ({ error }));
  try {
    const head = await readResponseHead(connection);
    if (!sent && head.status < 300) await sending;
    return { ...head, keep: head.keep && sent };
  } catch (error) {
    // The error of sending is more specific than a missing response.
    const failure = error instanceof NoResponseError && connection.answers === 0 ? await sending : undefined;
    throw failure ? failure.error : error;
  }
}
