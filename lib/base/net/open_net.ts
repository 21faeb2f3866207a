/** HTTP/1.1 over connections that are kept. */
import { parseArgoDuration } from "../go/duration.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import { byteStream, type ReadNext } from "./byte_stream.ts";
import { basic, dial, proxyAuthorization } from "./dial.ts";
import { type Head, Incoming } from "./incoming.ts";
import { KEPT_MILLIS, MAX_DISCARDED_BYTES, MAX_KEPT, MAX_TEXT_BYTES, STALL_MILLIS } from "./limits.ts";
import { type Bytes, type HttpRequest, type HttpResponse, type Net, NetError, type TlsOptions } from "./net.ts";
import { headersOf, headOf, sendAll } from "./outgoing.ts";
import { type Environment, proxyFor } from "./proxy.ts";
import type { Reach } from "./reach.ts";
import { Watchdog } from "./watchdog.ts";
import { Wire } from "./wire.ts";

/** The options of connections. */
export interface NetOptions {
  readonly clock?: Clock;
  /**
   * The time in which a server may neither send nor take anything, milliseconds; when absent, `ARTIFACT_STALL_TIMEOUT`
   * decides.
   */
  readonly stallMillis?: number;
  /**
   * The environment with `ARTIFACT_STALL_TIMEOUT`, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; without it no proxy is
   * used.
   */
  readonly env?: Environment;
  /** Decides which addresses are connected to, where others name the servers; all of them when absent. */
  readonly reach?: Reach | undefined;
}

/** A {@link Net} with connections. */
export interface OpenNet extends Net {
  /** Ends all connections, also those in use. */
  close(): void;
}

/** Methods after which the same request may be sent again when a kept connection ended without an answer. */
const REPEATABLE = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "MKCOL"]);

/** Opens nothing yet: a connection is made when a request needs one. */
export function openNet(options: NetOptions = {}): OpenNet {
  return new Connections(options);
}

/**
 * The stall time that the environment sets, milliseconds; the default where it sets none.
 * @throws {NetError} when that is no duration.
 */
function stallOf(env: Environment): number {
  const text = env("ARTIFACT_STALL_TIMEOUT");
  if (!text) return STALL_MILLIS;
  try {
    const millis = Number(parseArgoDuration(text) / 1_000_000n);
    if (millis > 0) return millis;
  } catch { /* It is said below. */ }
  throw new NetError(
    `ARTIFACT_STALL_TIMEOUT is ${JSON.stringify(text)}: expected seconds, or a duration as 90s`,
    false,
  );
}

/** The outcome of a request on one connection. */
type Outcome = { readonly head: Head; readonly whole: boolean } | { readonly unanswered: NetError };

class Connections implements OpenNet {
  readonly #clock: Clock;
  readonly #dog: Watchdog;
  readonly #env: Environment;
  readonly #reach: Reach | undefined;
  readonly #kept = new Map<string, Wire[]>();
  readonly #all = new Set<Wire>();
  readonly #tlsNames = new WeakMap<TlsOptions, string>();
  #closed = false;

  constructor({ clock = systemClock, env = () => undefined, stallMillis = stallOf(env), reach }: NetOptions) {
    this.#reach = reach;
    this.#clock = clock;
    this.#dog = new Watchdog(clock, stallMillis);
    this.#env = env;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { url, stop } = request;
    stop.throwIfAborted();
    if (this.#closed) throw new NetError(`${url.origin}: connections are closed`, false);
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new NetError(`${url.protocol}// is not spoken here: expected http or https`, false);
    }
    const proxy = proxyFor(url, this.#env);
    const key = `${url.origin} ${proxy?.href ?? ""} ${this.#nameOf(request.tls)}`;
    const through = proxy && url.protocol === "http:" ? { authorization: proxyAuthorization(proxy) } : undefined;
    const named = headersOf(request).some(([name]) => name.toLowerCase() === "authorization");
    const head = headOf(request, url.username !== "" && !named ? basic(url, url.origin) : undefined, through);
    const kept = REPEATABLE.has(request.method) ? this.#take(key) : undefined;
    if (kept) {
      const answer = await this.#ask(request, head, kept, key);
      if (!("unanswered" in answer)) return answer;
      // The server closed it meanwhile: once more, on one that nobody can have closed.
    }
    const carrier = await dial({ url, tls: request.tls, proxy, clock: this.#clock, stop, reach: this.#reach });
    const wire = new Wire(carrier, this.#clock, url.origin);
    if (this.#closed) wire.close();
    this.#all.add(wire);
    const answer = await this.#ask(request, head, wire, key);
    if ("unanswered" in answer) throw answer.unanswered;
    return answer;
  }

  close(): void {
    this.#closed = true;
    for (const wire of this.#all) this.#drop(wire);
    this.#kept.clear();
  }

  async #ask(request: HttpRequest, head: Bytes, wire: Wire, key: string) {
    const { stop } = request;
    const cut = () => wire.fail(stop.reason);
    const end = () => {
      stop.removeEventListener("abort", cut);
      this.#dog.forget(wire);
    };
    stop.addEventListener("abort", cut, { once: true });
    this.#dog.watch(wire);
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

  /** A connection that the server has not closed as far as is known, the youngest first. */
  #take(key: string): Wire | undefined {
    const kept = this.#kept.get(key);
    for (let wire = kept?.pop(); wire; wire = kept?.pop()) {
      if (!wire.failed && this.#clock.now() - wire.idleSince < KEPT_MILLIS) return wire;
      this.#drop(wire);
    }
    return undefined;
  }

  #keep(wire: Wire, key: string): void {
    const kept = this.#kept.get(key) ?? [];
    this.#kept.set(key, kept);
    if (this.#closed || wire.failed || kept.length >= MAX_KEPT) return this.#drop(wire);
    wire.idleSince = this.#clock.now();
    kept.push(wire);
  }

  #drop(wire: Wire): void {
    this.#all.delete(wire);
    wire.close();
  }

  /** Options that are equal share connections. */
  #nameOf(tls: TlsOptions | undefined): string {
    if (!tls) return "";
    const known = this.#tlsNames.get(tls) ?? JSON.stringify([tls.caCerts, tls.cert, tls.key, tls.insecureSkipVerify]);
    this.#tlsNames.set(tls, known);
    return known;
  }
}

/**
 * Sends a request and reads the head of its answer, both at once: a server that refuses a large body says so before it
 * has all of it. `unanswered` is a kept connection that ended before a byte of an answer came.
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
    // After a failure of the connection the answer of the server may still be read; after any other there is none.
    if (!(error instanceof NetError && error.passes)) wire.fail(error);
  });
  const early = await Promise.race([answer, sending]);
  const accepted = early !== undefined && "head" in early && early.head.status < 300;
  if (early === undefined || accepted) await sending;
  const gaveUp = wire.failed;
  wire.sent();
  const result = await answer;
  if ("head" in result) return { head: result.head, whole };
  const { error } = result;
  const lost = error instanceof NetError && !incoming.begun && wire.answers > 0 && !gaveUp && !wire.failed;
  if (lost) return { unanswered: error };
  throw error;
}
