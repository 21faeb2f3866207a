/** The stream that all tabs of this browser share, as one tab uses it. A shared worker holds the connection. */
import { waitForPaint } from "./wait_for_paint.ts";
import { Refusal } from "./refusal.ts";
import {
  type FromHub,
  HEARTBEAT_MILLIS,
  NoSharedStreamError,
  type StreamShare,
  type StreamSubscription,
  type StreamWatcher,
  type ToHub,
  type Turn,
} from "./stream_talk.ts";
import { startSharedThread } from "./thread_url.ts";

/** The maximum time that the worker may take to respond, also on a busy machine. */
const ANSWER_MILLIS = 20_000;
/** The time for which a missing stream is not requested again. */
const ABSENT_MILLIS = 60_000;

/** The shared stream for one tab. The worker starts with the first subscription. */
export class SharedStream implements StreamShare {
  readonly #authorization: () => string | undefined;
  readonly #isAnyToken: boolean;
  readonly #callbacks = new Map<number, (message: FromHub) => void>();
  #port: MessagePort | undefined;
  /** Messages before the worker has started. */
  readonly #unsent: ToHub[] = [];
  /** The time at which a missing stream is requested again: a server that restarts may only seem to lack it. */
  #absentUntil = -Infinity;
  #next = 1;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `isAnyToken`: all tokens of this server belong to the same user. */
  constructor(authorization: () => string | undefined, isAnyToken: boolean) {
    this.#authorization = authorization;
    this.#isAnyToken = isAnyToken;
    addEventListener("pagehide", () => this.#send({ kind: "bye" }));
    // A page restored from the back/forward cache has lost its subscriptions.
    addEventListener("pageshow", ({ persisted }) => persisted && this.#breakOff());
  }

  /** The user changed or logged out. */
  updateLogin(): void {
    this.#send({ kind: "renewed" });
  }

  /**
   * Follows a stream until the signal is aborted; yields messages as JSON, batched as they arrive.
   * @throws {NoSharedStreamError} before the first message, {Refusal}.
   */
  async *follow(
    { tried, path, from, sharing, signal }: StreamSubscription,
    { onOpen, onLife }: StreamWatcher = {},
  ): AsyncGenerator<readonly string[]> {
    const id = this.#next++;
    let texts: string[] = [];
    let failure: Error | undefined;
    let isOver = false;
    let wake = () => {};
    const end = (error?: Error) => {
      isOver = true;
      failure = error;
      wake();
    };
    const late = setTimeout(() => {
      this.#miss();
      end(new NoSharedStreamError("the shared worker does not respond"));
    }, ANSWER_MILLIS);
    this.#listen(id, (message) => {
      clearTimeout(late);
      if (message.kind === "open") onOpen?.();
      else if (message.kind === "told") texts.push(...message.texts);
      else if (message.kind === "absent") {
        this.#miss();
        end(new NoSharedStreamError("the server does not provide the shared stream"));
      } else if (message.kind === "over") {
        end(message.status === undefined ? undefined : new Refusal(tried, message.status, message.message));
      }
      if (message.kind !== "taken") onLife?.();
      wake();
    });
    const stop = () => wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const isAbsent = !("SharedWorker" in globalThis) || performance.now() < this.#absentUntil;
      if (isAbsent) throw new NoSharedStreamError("the server does not provide the shared stream");
      const authorization = this.#authorization();
      this.#send({ kind: "follow", id, path, from, sharing, authorization, isAnyToken: this.#isAnyToken });
      while (true) {
        signal.throwIfAborted();
        const batch = texts;
        texts = [];
        if (batch.length > 0) {
          yield batch;
          continue;
        }
        if (failure) throw failure;
        if (isOver) return;
        await new Promise<void>((resolve) => wake = resolve);
      }
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
      this.#drop(id);
    }
  }

  /** Requests a turn to hold a connection for long. */
  requestTurn(): Turn {
    const id = this.#next++;
    if (this.#isUnlimited()) return { isMine: Promise.resolve(true), [Symbol.dispose]() {} };
    const answer = Promise.withResolvers<boolean>();
    // A worker that does not respond must not block the caller.
    const late = setTimeout(() => answer.resolve(true), ANSWER_MILLIS);
    this.#listen(id, (message) => {
      if (message.kind === "held") answer.resolve(message.isHeld);
      if (message.kind === "over" || message.kind === "absent") answer.resolve(true);
    });
    this.#send({ kind: "hold", id });
    return {
      isMine: answer.promise.finally(() => clearTimeout(late)),
      [Symbol.dispose]: () => {
        answer.resolve(false);
        this.#drop(id);
      },
    };
  }

  /** Reports whether connections are not limited: there is no shared worker, or a connection carries many requests. */
  #isUnlimited(): boolean {
    if (!("SharedWorker" in globalThis)) return true;
    const [page] = performance.getEntriesByType("navigation");
    return page instanceof PerformanceNavigationTiming && /^h[23]/.test(page.nextHopProtocol);
  }

  #listen(id: number, take: (message: FromHub) => void): void {
    this.#callbacks.set(id, take);
    this.#timer ??= setInterval(() => this.#send({ kind: "here" }), HEARTBEAT_MILLIS);
  }

  #drop(id: number): void {
    this.#callbacks.delete(id);
    this.#send({ kind: "leave", id });
    if (this.#callbacks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #send(message: ToHub): void {
    if (this.#port) return this.#port.postMessage(message);
    const isStart = message.kind === "follow" || message.kind === "hold" || message.kind === "renewed";
    if (!isStart && this.#unsent.length === 0 || !("SharedWorker" in globalThis)) return;
    this.#unsent.push(message);
    if (this.#unsent.length > 1) return;
    // The first content is drawn first, because starting the worker takes time.
    void waitForPaint().then(() => {
      this.#port = this.#start();
      for (const message of this.#unsent.splice(0)) this.#port.postMessage(message);
    });
  }

  #start(): MessagePort {
    const thread = startSharedThread("stream");
    thread.addEventListener("error", () => {
      this.#miss();
      for (const [id, take] of [...this.#callbacks]) take({ kind: "absent", id });
    });
    thread.port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.kind === "life") { for (const take of [...this.#callbacks.values()]) take(data); }
      else if (data.kind === "forgotten") this.#breakOff();
      else this.#callbacks.get(data.id)?.(data);
    };
    return thread.port;
  }

  #miss(): void {
    this.#absentUntil = performance.now() + ABSENT_MILLIS;
  }

  #breakOff(): void {
    for (const [id, take] of [...this.#callbacks]) {
      take({ kind: "over", id, status: 0, message: "the stream was interrupted" });
    }
  }
}
