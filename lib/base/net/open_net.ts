/** An HTTP/1.1 client with connection reuse. */
import { parseArgoDuration } from "../go/duration.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import { byteStream, type ReadNext } from "./byte_stream.ts";
import { basicCredentials, dial, proxyAuthorization } from "./dial.ts";
import { type Head, Incoming } from "./incoming.ts";
import { MAX_DISCARDED_BYTES, MAX_IDLE, MAX_IDLE_MILLIS, MAX_TEXT_BYTES, STALL_MILLIS } from "./limits.ts";
import { type Bytes, type HttpRequest, type HttpResponse, type Net, NetError, type TlsOptions } from "./net.ts";
import { headersOf, headOf, sendAll } from "./outgoing.ts";
import { type Environment, proxyFor } from "./proxy.ts";
import type { AddressPolicy } from "./reach.ts";
import { Watchdog } from "./watchdog.ts";
import { Wire } from "./wire.ts";

/** Options of the client. */
export interface NetOptions {
  readonly clock?: Clock;
  /** Milliseconds without progress after which a server counts as stalled. Default: `ARTIFACT_STALL_TIMEOUT`. */
  readonly stallMillis?: number;
  /**
   * The environment with `ARTIFACT_STALL_TIMEOUT`, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Without it, no proxy is
   * used.
   */
  readonly env?: Environment;
  /** Decides which addresses may be connected to if others choose the servers; all when absent. */
  readonly reach?: AddressPolicy | undefined;
}

/** A {@link Net} that owns its connections. */
export interface OpenNet extends Net {
  /** Closes all connections, including active ones. */
  close(): void;
}

/** Methods that are retried when a reused connection ends without a response. */
const REPEATABLE = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "MKCOL"]);

/** Returns a client. Connections are opened when requests need them. */
export function openNet(options: NetOptions = {}): OpenNet {
  return new Connections(options);
}

/**
 * Returns the stall timeout of the environment in milliseconds, or the default.
 * @throws {NetError} when the value is not a duration.
 */
function stallMillisOf(env: Environment): number {
  const text = env("ARTIFACT_STALL_TIMEOUT");
  if (!text) return STALL_MILLIS;
  try {
    const millis = Number(parseArgoDuration(text) / 1_000_000n);
    if (millis > 0) return millis;
  } catch { /* Reported below. */ }
  throw new NetError(
    `ARTIFACT_STALL_TIMEOUT is ${JSON.stringify(text)}: expected seconds, or a duration such as 90s`,
    false,
  );
}

/** The outcome of a request on one connection. */
type Outcome = { readonly head: Head; readonly whole: boolean } | { readonly unanswered: NetError };

class Connections implements OpenNet {
  readonly #clock: Clock;
  readonly #watchdog: Watchdog;
  readonly #env: Environment;
  readonly #reach: AddressPolicy | undefined;
  readonly #idle = new Map<string, Wire[]>();
  readonly #all = new Set<Wire>();
  readonly #tlsNames = new WeakMap<TlsOptions, string>();
  #closed = false;

  constructor({ clock = systemClock, env = () => undefined, stallMillis = stallMillisOf(env), reach }: NetOptions) {
    this.#reach = reach;
    this.#clock = clock;
    this.#watchdog = new Watchdog(clock, stallMillis);
    this.#env = env;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { url, stop } = request;
    stop.throwIfAborted();
    if (this.#closed) throw new NetError(`${url.origin}: connections are closed`, false);
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new NetError(`${url.protocol}// is not supported: expected http or https`, false);
    }
    const proxy = proxyFor(url, this.#env);
    const key = `${url.origin} ${proxy?.href ?? ""} ${this.#nameOf(request.tls)}`;
    const through = proxy && url.protocol === "http:" ? { authorization: proxyAuthorization(proxy) } : undefined;
    const named = headersOf(request).some(([name]) => name.toLowerCase() === "authorization");
    const head = headOf(
      request,
      url.username !== "" && !named ? basicCredentials(url, url.origin) : undefined,
      through,
    );
    const kept = REPEATABLE.has(request.method) ? this.#take(key) : undefined;
    if (kept) {
      const answer = await this.#exchange(request, head, kept, key);
      if (!("unanswered" in answer)) return answer;
      // The server has closed the connection: retries on a new one.
    }
    const carrier = await dial({ url, tls: request.tls, proxy, clock: this.#clock, stop, reach: this.#reach });
    const wire = new Wire(carrier, this.#clock, url.origin);
    if (this.#closed) wire.close();
    this.#all.add(wire);
    const answer = await this.#exchange(request, head, wire, key);
    if ("unanswered" in answer) throw answer.unanswered;
    return answer;
  }

  close(): void {
    this.#closed = true;
    for (const wire of this.#all) this.#drop(wire);
    this.#idle.clear();
  }

  async #exchange(request: HttpRequest, head: Bytes, wire: Wire, key: string) {
    const { stop } = request;
    const cut = () => wire.fail(stop.reason);
    const end = () => {
      stop.removeEventListener("abort", cut);
      this.#watchdog.forget(wire);
    };
    stop.addEventListener("abort", cut, { once: true });
    this.#watchdog.watch(wire);
    const incoming = new Incoming(wire);
    try {
      if (stop.aborted) cut();
      const outcome = await exchange(request, head, wire, incoming);
      if ("unanswered" in outcome) {
        end();
        this.#drop(wire);
        return outcome;
      }
      wire.answers++;
      return this.#response(outcome.head, incoming, {
        keep: () => {
          end();
          const again = outcome.head.keep && outcome.whole && !incoming.hasMore;
          incoming.release();
          again ? this.#keep(wire, key) : this.#drop(wire);
        },
        drop: () => {
          end();
          this.#drop(wire);
        },
      });
    } catch (error) {
      end();
      this.#drop(wire);
      throw error;
    }
  }

  #response(
    head: Head,
    incoming: Incoming,
    over: { readonly keep: () => void; readonly drop: () => void },
  ): HttpResponse {
    const { framing } = head;
    const next = incoming.body(framing);
    let done = framing.kind === "length" && framing.size === 0;
    if (done) over.keep();
    const pull: ReadNext = async (into) => {
      if (done) return undefined;
      try {
        const part = await next(into);
        if (part === undefined) {
          done = true;
          over.keep();
        }
        return part;
      } catch (error) {
        done = true;
        over.drop();
        throw error;
      }
    };
    const giveUp = () => {
      if (done) return;
      done = true;
      over.drop();
    };
    let body: ReadableStream<Bytes> | undefined;
    return {
      status: head.status,
      headers: head.headers,
      get body() {
        return body ??= byteStream(pull, giveUp);
      },
      async text(maxBytes = MAX_TEXT_BYTES) {
        const parts: Bytes[] = [];
        let bytes = 0;
        for (let part = await pull(); part !== undefined; part = await pull()) {
          parts.push(part.subarray(0, maxBytes - bytes));
          bytes += part.length;
          if (bytes > maxBytes) giveUp();
        }
        return await new Blob(parts).text();
      },
      async discard() {
        if (framing.kind === "length" && framing.size > MAX_DISCARDED_BYTES) return giveUp();
        let bytes = 0;
        for (let part = await pull(); part !== undefined; part = await pull()) {
          bytes += part.length;
          if (bytes > MAX_DISCARDED_BYTES) giveUp();
        }
      },
    };
  }

  /** Returns the most recently used idle connection that the server has not closed as far as known. */
  #take(key: string): Wire | undefined {
    const kept = this.#idle.get(key);
    for (let wire = kept?.pop(); wire; wire = kept?.pop()) {
      if (!wire.isFailed && this.#clock.now() - wire.idleSince < MAX_IDLE_MILLIS) return wire;
      this.#drop(wire);
    }
    return undefined;
  }

  #keep(wire: Wire, key: string): void {
    const kept = this.#idle.get(key) ?? [];
    this.#idle.set(key, kept);
    if (this.#closed || wire.isFailed || kept.length >= MAX_IDLE) return this.#drop(wire);
    wire.idleSince = this.#clock.now();
    kept.push(wire);
  }

  #drop(wire: Wire): void {
    this.#all.delete(wire);
    wire.close();
  }

  /** Returns an equal name for equal options, which share connections. */
  #nameOf(tls: TlsOptions | undefined): string {
    if (!tls) return "";
    const known = this.#tlsNames.get(tls) ?? JSON.stringify([tls.caCerts, tls.cert, tls.key, tls.insecureSkipVerify]);
    this.#tlsNames.set(tls, known);
    return known;
  }
}

/**
 * Sends a request and reads the head of its response concurrently: a server may reject a large body before it was sent
 * completely. The result is `unanswered` when a reused connection ended before the first byte of a response.
 */
async function exchange(request: HttpRequest, head: Bytes, wire: Wire, incoming: Incoming): Promise<Outcome> {
  wire.sending = true;
  let answered = false;
  let whole = false;
  const answer = incoming.head(request.method).then(
    (head) => (answered = true, { head }),
    (error: unknown) => (answered = true, { error }),
  );
  const sending = sendAll(wire, head, request.body, () => answered).then((all) => void (whole = all), (error) => {
    // After a connection error, the server's response may still be readable; after any other error it is not.
    if (!(error instanceof NetError && error.passes)) wire.fail(error);
  });
  const early = await Promise.race([answer, sending]);
  const accepted = early !== undefined && "head" in early && early.head.status < 300;
  if (early === undefined || accepted) await sending;
  const gaveUp = wire.isFailed;
  wire.restartWait();
  const result = await answer;
  if ("head" in result) return { head: result.head, whole };
  const { error } = result;
  const lost = error instanceof NetError && !incoming.begun && wire.answers > 0 && !gaveUp && !wire.isFailed;
  if (lost) return { unanswered: error };
  throw error;
}
