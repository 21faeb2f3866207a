/** The open event streams of a test server. They are counted, and can be cut like by a proxy. */

const encoder = new TextEncoder();

/** The chunks of a stream. */
export type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Encodes a message of a stream. */
export function messageOf(result: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ result })}\n\n`);
}

/** A stream without messages, which ends when the signal is aborted. */
export async function* silence(signal: AbortSignal): Pieces {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}

interface Open {
  readonly left: AbortController;
  cut(): void;
}

/** The open streams. */
export class Streams {
  readonly #open = new Set<Open>();

  /** The number of streams with a reader. */
  get count(): number {
    return this.#open.size;
  }

  /** Responds with a stream. Its signal is aborted when the client disconnects. */
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
        // A stream that was cut in the meantime gets no more messages.
        if (left.signal.aborted) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: end,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Cuts all streams. */
  cut(): void {
    for (const open of this.#open) {
      open.left.abort();
      open.cut();
    }
    this.#open.clear();
  }
}

/**
 * Sends messages to all listeners. A listener that is busy misses messages, like a client of a server that only sends
 * the newest state.
 */
export class Announcements<T> {
  readonly #waiting = new Set<(message: T) => void>();

  /** The number of listeners that wait for the next message. */
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
