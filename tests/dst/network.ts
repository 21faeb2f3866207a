/** The network between a process and the API server: latency and faults. */
import { KubeError, type Transport } from "@tiphys/kube";
import type { WebSocketLike } from "@tiphys/kube/connections";
import type { ApiServer } from "../../local/api/mod.ts";
import type { Chance } from "./chance.ts";
import { type Fault, type FaultPlan, NO_FAULTS } from "./faults.ts";
import { type Owner, type VirtualHost, WORLD } from "./host.ts";

const ORIGIN = "http://kubernetes.internal";

/** A process on the network. */
export interface NetworkPeer extends Owner {
  /** Every request is refused until this time, as while roles are being applied. */
  forbiddenUntil: number;
  /** Returns the name of the process's next request or watch, such as `A1 request 17`. */
  nextPlace(kind: "request" | "watch"): string;
}

/** A request and its outcome. */
export interface ApiCall {
  readonly at: number;
  readonly process: string;
  readonly place: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /**
   * The code of the server's response, whether or not it arrived; undefined when the server did not receive the
   * request.
   */
  status?: number;
  readonly fault?: Fault;
}

/** The parts that the network connects, and its callbacks. */
export interface NetworkOptions {
  readonly host: VirtualHost;
  readonly api: ApiServer;
  readonly chance: Chance;
  readonly onCall: (call: ApiCall) => void;
  readonly onCrash: (process: NetworkPeer) => void;
  readonly onPause: (process: NetworkPeer, millis: number) => void;
  readonly onRestart: (millis: number) => void;
  readonly onClockSet: (process: NetworkPeer, millis: number) => void;
}

/** The network of a simulation. Requests are counted for each process; each may have a fault. */
export class Network {
  readonly #options: NetworkOptions;
  readonly #streams = new Map<NetworkPeer, Set<(error: Error) => void>>();
  /** The faults from now on. */
  faults: FaultPlan = NO_FAULTS;
  /** The faults that occurred, in order. */
  readonly trace: Fault[] = [];
  /** The time before which the server does not respond. */
  #downUntil = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** The transport through which a process reaches the server. */
  transportOf(process: NetworkPeer): Transport {
    return {
      fetch: (path, init = {}) => {
        init.signal?.throwIfAborted();
        return path.includes("watch=true") ? this.#watch(process, path, init) : this.#request(process, path, init);
      },
      webSocket: (path, protocols) => this.#socket(process, path, protocols),
      close: () => {},
    };
  }

  /** Closes all connections of a process, which is not notified. */
  forget(process: NetworkPeer): void {
    for (const cut of this.#streams.get(process) ?? []) cut(new Error("the process is gone"));
    this.#streams.delete(process);
  }

  /** Makes the server unavailable for a while; every open watch ends. */
  restart(millis: number): void {
    this.#downUntil = this.#options.host.now + millis;
    for (const streams of this.#streams.values()) for (const cut of [...streams]) cut(new Error("connection reset"));
  }

  get #isDown(): boolean {
    return this.#options.host.now < this.#downUntil;
  }

  #take(process: NetworkPeer, fault: Fault | undefined): Fault | undefined {
    if (!fault) return undefined;
    this.trace.push(fault);
    const { onClockSet, onCrash, onPause, onRestart } = this.#options;
    switch (fault.kind) {
      case "clockSet":
        onClockSet(process, fault.value!);
        break;
      case "crashBefore":
        onCrash(process);
        break;
      case "pause":
        onPause(process, fault.value!);
        break;
      case "restart":
        onRestart(fault.value!);
        break;
      case "forbidden":
        process.forbiddenUntil = this.#options.host.now + fault.value!;
    }
    return fault;
  }

  /** After how many seconds a busy server asks to retry. */
  #wait(place: string): number {
    const { chance } = this.#options;
    return chance.numberFor(place, "busy") < 0.8 ? 1 : Math.ceil(chance.integerBetween(2, 30, place, "busy long"));
  }

  #latency(place: string, way: string): number {
    return this.#options.chance.integerBetween(0.3, 6, place, way);
  }

  #request(process: NetworkPeer, path: string, init: RequestInit): Promise<Response> {
    if (process.isDead) return new Promise(() => {});
    const { host, onCall, onCrash } = this.#options;
    const place = process.nextPlace("request");
    const fault = this.#take(process, this.faults.at("request", place));
    const method = init.method ?? "GET";
    const body = typeof init.body === "string" ? init.body : "";
    const call: ApiCall = {
      at: host.now,
      process: process.name,
      place,
      method,
      path,
      body,
      ...(fault ? { fault } : {}),
    };
    onCall(call);
    if (process.isDead) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      const fail = () => reject(brokenError(method, path));
      const abort = () => reject(init.signal!.reason);
      init.signal?.addEventListener("abort", abort, { once: true });
      const back = (extra: number, answer: () => void) =>
        host.after(this.#latency(place, "back") + extra, process, () => {
          init.signal?.removeEventListener("abort", abort);
          answer();
        });
      host.after(this.#latency(place, "out"), WORLD, () => {
        if (this.#isDown || fault?.kind === "unsent") return back(0, fail);
        if (host.now < process.forbiddenUntil) return back(0, () => resolve(refusal(403, path)));
        if (fault?.kind === "refused") {
          call.status = fault.value!;
          return back(0, () => resolve(refusal(fault.value!, path, this.#wait(place))));
        }
        this.#answer(path, init).then(({ status, headers, text }) => {
          call.status = status;
          if (fault?.kind === "crashAfter") return onCrash(process);
          if (fault?.kind === "answerLost") return back(0, fail);
          const whole = fault?.kind === "answerCut" ? text.slice(0, text.length >> 1) : text;
          back(fault?.kind === "late" ? fault.value! : 0, () => resolve(new Response(whole, { status, headers })));
        });
      });
    });
  }

  async #answer(path: string, { method, headers, body }: RequestInit) {
    const request = new Request(ORIGIN + path, { method, headers, body } as RequestInit);
    const response = await this.#options.api.handler(request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  #watch(process: NetworkPeer, path: string, init: RequestInit): Promise<Response> {
    if (process.isDead) return new Promise(() => {});
    const { host } = this.#options;
    const place = process.nextPlace("watch");
    const fault = this.#take(process, this.faults.at("watch", place));
    return new Promise((resolve, reject) => {
      const abort = () => reject(init.signal!.reason);
      init.signal?.addEventListener("abort", abort, { once: true });
      host.after(this.#latency(place, "out"), WORLD, () => {
        if (this.#isDown || host.now < process.forbiddenUntil) {
          const answer = this.#isDown ? () => reject(brokenError("GET", path)) : () => resolve(refusal(403, path));
          return host.after(this.#latency(place, "back"), process, answer);
        }
        const asked = new Request(ORIGIN + path, { headers: init.headers } as RequestInit);
        this.#options.api.handler(asked).then((response) => {
          const stream = fault?.kind === "expired" ? expiredStream() : response.body!;
          const body = this.#stream(process, place, stream, fault, init.signal ?? undefined);
          host.after(this.#latency(place, "back"), process, () => {
            init.signal?.removeEventListener("abort", abort);
            resolve(new Response(body, { status: response.status, headers: response.headers }));
          });
        });
      });
    });
  }

  /** A watch as its process sees it: the events of the server, each delayed. */
  #stream(
    process: NetworkPeer,
    place: string,
    from: ReadableStream<Uint8Array>,
    fault: Fault | undefined,
    signal: AbortSignal | undefined,
  ): ReadableStream<Uint8Array> {
    const { host } = this.#options;
    const reader = from.getReader();
    const streams = this.#streams.get(process) ?? new Set();
    this.#streams.set(process, streams);
    const limit = fault && ENDING.has(fault.kind) ? fault.value! : Infinity;
    let count = 0;
    let last = 0;
    let over = false;
    return new ReadableStream<Uint8Array>({
      start: (stream) => {
        const deliver = (act: () => void) => {
          const behind = fault?.kind === "behind" ? fault.value! : 0;
          const time = Math.max(last, host.now + this.#latency(place, String(count)) + behind);
          last = time;
          host.after(time - host.now, process, () => {
            if (!over) act();
          });
        };
        const end = () => {
          streams.delete(cut);
          reader.cancel().catch(() => {});
        };
        const cut = (error: Error) => {
          end();
          deliver(() => {
            over = true;
            stream.error(error);
          });
        };
        streams.add(cut);
        signal?.addEventListener("abort", () => {
          end();
          if (over) return;
          over = true;
          stream.error(signal.reason);
        }, { once: true });
        const pump = async () => {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            if (++count > limit) {
              if (fault!.kind === "silent") continue;
              if (fault!.kind === "torn") deliver(() => stream.enqueue(value.slice(0, value.length >> 1)));
              if (fault!.kind !== "ended") return cut(new Error("connection reset"));
              end();
              break;
            }
            deliver(() => stream.enqueue(value));
            if (fault?.kind === "doubled") deliver(() => stream.enqueue(value));
          }
          deliver(() => {
            over = true;
            streams.delete(cut);
            stream.close();
          });
        };
        // The reader that canceled already knows.
        pump().catch(() => {});
      },
      cancel: () => {
        over = true;
        return reader.cancel();
      },
    });
  }

  #socket(process: NetworkPeer, path: string, protocols: string[]): Promise<WebSocketLike> {
    if (process.isDead) return new Promise(() => {});
    const { host, onCall } = this.#options;
    const place = process.nextPlace("request");
    const fault = this.#take(process, this.faults.at("request", place));
    onCall({ at: host.now, process: process.name, place, method: "EXEC", path, body: "", ...(fault ? { fault } : {}) });
    if (process.isDead) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      host.after(this.#latency(place, "out"), process, () => {
        const isRefused = fault !== undefined && !["late", "pause", "clockSet"].includes(fault.kind);
        if (this.#isDown || isRefused) return reject(brokenError("EXEC", path));
        this.#options.api.client().transport.webSocket(path, protocols).then(resolve, reject);
      });
    });
  }
}

/** Faults after which a watch does not continue as it should. */
const ENDING: ReadonlySet<string> = new Set(["cut", "ended", "silent", "torn"]);

function brokenError(method: string, path: string): KubeError {
  const message = `Could not ${method} ${path.split("?")[0]}: connection reset by peer`;
  return new KubeError(message, { status: 0, reason: "NetworkError" });
}

const REASONS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  403: ["Forbidden", 'is forbidden: User "system:serviceaccount:argo:argo" cannot do this: not yet'],
  408: ["Timeout", "the request timed out"],
  409: ["Conflict", "the object has been modified"],
  429: ["TooManyRequests", "the server has received too many requests"],
  500: ["InternalError", "an error on the server has prevented the request from succeeding"],
  502: ["", "bad gateway"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "the server was unable to return a response in the time allotted"],
  507: ["", "mvcc: database space exceeded"],
};

/** The Status object of a refusal, as a real server sends it. */
function refusal(code: number, path: string, retryAfter = 1): Response {
  const [reason, message] = REASONS[code]!;
  const named = code === 403 ? `${path.split("?")[0]!.split("/").at(-1)} ${message}` : message;
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: named, reason, code };
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (code === 429) headers["retry-after"] = String(retryAfter);
  return new Response(JSON.stringify(status), { status: code, headers });
}

function expiredStream(): ReadableStream<Uint8Array> {
  const object = {
    kind: "Status",
    status: "Failure",
    message: "too old resource version",
    reason: "Expired",
    code: 410,
  };
  return ReadableStream.from([new TextEncoder().encode(`${JSON.stringify({ type: "ERROR", object })}\n`)]);
}
