/** The one stream of this browser, as a tab uses it: the thread that all tabs share holds it. */
import { frameDrawn } from "./frame_drawn.ts";
import { Refusal } from "./refusal.ts";
import {
  type Followed,
  type FromHub,
  HERE_MILLIS,
  NotShared,
  type StreamShare,
  type StreamWatcher,
  type ToHub,
  type Turn,
} from "./stream_talk.ts";
import { startSharedThread } from "./thread_url.ts";

/** The time in which the thread answers, also where much else is at work. */
const ANSWER_MILLIS = 20_000;
/** The time for which a stream that is not there is not asked for again. */
const ABSENT_MILLIS = 60_000;

/** The shared stream, as one tab uses it. The thread starts when something is first followed. */
export class SharedStream implements StreamShare {
  readonly #authorization: () => string | undefined;
  readonly #isAnyToken: boolean;
  readonly #told = new Map<number, (message: FromHub) => void>();
  #port: MessagePort | undefined;
  /** Said before the thread was started. */
  readonly #unsaid: ToHub[] = [];
  /** The moment up to which there is no such stream; a server that starts anew may only seem to have none. */
  #absentUntil = -Infinity;
  #next = 1;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `isAnyToken`: whoever has a token of this server is the same person. */
  constructor(authorization: () => string | undefined, isAnyToken: boolean) {
    this.#authorization = authorization;
    this.#isAnyToken = isAnyToken;
    addEventListener("pagehide", () => this.#say({ kind: "bye" }));
    // A page that comes back from the browser's memory follows nothing any more.
    addEventListener("pageshow", ({ persisted }) => persisted && this.#breakOff());
  }

  /** The person is another one by now, or nobody. */
  renewed(): void {
    this.#say({ kind: "renewed" });
  }

  /**
   * Follows something until the signal is aborted: messages as JSON, those that came together as one batch.
   * @throws {NotShared} before the first one, {Refusal}.
   */
  async *follow(
    { tried, path, from, sharing, signal }: Followed,
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
      end(new NotShared("the thread does not answer"));
    }, ANSWER_MILLIS);
    this.#listen(id, (message) => {
      clearTimeout(late);
      if (message.kind === "open") onOpen?.();
      else if (message.kind === "told") texts.push(...message.texts);
      else if (message.kind === "absent") {
        this.#miss();
        end(new NotShared("the server has no such stream"));
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
      if (isAbsent) throw new NotShared("there is no such stream");
      const authorization = this.#authorization();
      this.#say({ kind: "follow", id, path, from, sharing, authorization, isAnyToken: this.#isAnyToken });
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

  /** Asks for a turn to hold a connection for long. */
  turn(): Turn {
    const id = this.#next++;
    if (this.#isWithout()) return { isMine: Promise.resolve(true), [Symbol.dispose]() {} };
    const answer = Promise.withResolvers<boolean>();
    // A thread that does not answer keeps nobody waiting.
    const late = setTimeout(() => answer.resolve(true), ANSWER_MILLIS);
    this.#listen(id, (message) => {
      if (message.kind === "held") answer.resolve(message.isHeld);
      if (message.kind === "over" || message.kind === "absent") answer.resolve(true);
    });
    this.#say({ kind: "hold", id });
    return {
      isMine: answer.promise.finally(() => clearTimeout(late)),
      [Symbol.dispose]: () => {
        answer.resolve(false);
        this.#drop(id);
      },
    };
  }

  /** Whether nobody counts connections: there is no such thread, or one connection takes many requests. */
  #isWithout(): boolean {
    if (!("SharedWorker" in globalThis)) return true;
    const [page] = performance.getEntriesByType("navigation");
    return page instanceof PerformanceNavigationTiming && /^h[23]/.test(page.nextHopProtocol);
  }

  #listen(id: number, take: (message: FromHub) => void): void {
    this.#told.set(id, take);
    this.#timer ??= setInterval(() => this.#say({ kind: "here" }), HERE_MILLIS);
  }

  #drop(id: number): void {
    this.#told.delete(id);
    this.#say({ kind: "leave", id });
    if (this.#told.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #say(message: ToHub): void {
    if (this.#port) return this.#port.postMessage(message);
    const isStart = message.kind === "follow" || message.kind === "hold" || message.kind === "renewed";
    if (!isStart && this.#unsaid.length === 0 || !("SharedWorker" in globalThis)) return;
    this.#unsaid.push(message);
    if (this.#unsaid.length > 1) return;
    // What was asked for first is drawn first: the start of a thread takes time from it.
    void frameDrawn().then(() => {
      this.#port = this.#start();
      for (const one of this.#unsaid.splice(0)) this.#port.postMessage(one);
    });
  }

  #start(): MessagePort {
    const thread = startSharedThread("stream");
    thread.addEventListener("error", () => {
      this.#miss();
      for (const [id, take] of [...this.#told]) take({ kind: "absent", id });
    });
    thread.port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.kind === "life") { for (const take of [...this.#told.values()]) take(data); }
      else if (data.kind === "forgotten") this.#breakOff();
      else this.#told.get(data.id)?.(data);
    };
    return thread.port;
  }

  #miss(): void {
    this.#absentUntil = performance.now() + ABSENT_MILLIS;
  }

  #breakOff(): void {
    for (const [id, take] of [...this.#told]) take({ kind: "over", id, status: 0, message: "the stream broke off" });
  }
}
