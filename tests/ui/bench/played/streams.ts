/** Streams of events that a played server has open: they are counted, and can be cut as by a proxy. */

const encoder = new TextEncoder();

/** Pieces of a stream. */
export type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** A message of a stream. */
export function messageOf(result: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ result })}\n\n`);
}

/** A stream that says nothing until the signal is aborted. */
export async function* silence(signal: AbortSignal): Pieces {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}

interface Open {
  readonly left: AbortController;
  cut(): void;
}

/** The streams that are open. */
export class Streams {
  readonly #open = new Set<Open>();

  /** The number of those that somebody reads. */
  get count(): number {
    return this.#open.size;
  }

  /** Answers with a stream, whose signal is aborted when nobody reads it any more. */
  respond(pieces: (signal: AbortSignal) => Pieces): Response {
    const left = new AbortController();
    const chunks = pieces(left.signal);
    let open: Open | undefined;
    const end = () => {
      if (open) this.#open.delete(open);
      left.abort();
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        open = { left, cut: () => controller.error(new Error("cut")) };
        this.#open.add(open);
        controller.enqueue(encoder.encode(":\n\n"));
      },
      async pull(controller) {
        const { done, value } = await chunks.next();
        // Who was cut meanwhile is told nothing more.
        if (left.signal.aborted) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: end,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Breaks all of them off. */
  cut(): void {
    for (const open of this.#open) {
      open.left.abort();
      open.cut();
    }
    this.#open.clear();
  }
}

/** Messages told to all who listen; who is busy with one misses what comes meanwhile, as with a server that tells the newest. */
export class Announcements<T> {
  readonly #waiting = new Set<(message: T) => void>();

  /** The number of those who wait for the next one. */
  get listeners(): number {
    return this.#waiting.size;
  }

  announce(message: T): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const tell of waiting) tell(message);
  }

  async *listen(signal: AbortSignal): AsyncGenerator<T> {
    while (!signal.aborted) {
      const told = Promise.withResolvers<T | undefined>();
      const end = () => told.resolve(undefined);
      this.#waiting.add(told.resolve);
      signal.addEventListener("abort", end, { once: true });
      const message = await told.promise;
      signal.removeEventListener("abort", end);
      this.#waiting.delete(told.resolve);
      if (message !== undefined) yield message;
    }
  }
}
