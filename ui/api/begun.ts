/** Requests that start before the code that needs the result is ready. Each result is taken once. */

/** A started request. */
export interface Begun<T> {
  /** Returns the result. From then on the signal cancels the request. */
  taken(signal?: AbortSignal): T;
  /** Cancels the request. */
  drop(): void;
}

/** Starts a request for one response. */
export function begunAnswer<T>(ask: (signal: AbortSignal) => Promise<T>): Begun<Promise<T>> {
  const left = new AbortController();
  const answer = ask(left.signal);
  // The caller that takes the response handles errors; if it is never taken, errors are ignored.
  answer.catch(() => {});
  return begun(left, () => answer);
}

/** Opens a stream and reads its first item. */
export function begunStream<T>(open: (signal: AbortSignal) => AsyncIterable<T>): Begun<AsyncIterable<T>> {
  const left = new AbortController();
  const stream = open(left.signal)[Symbol.asyncIterator]();
  const first = stream.next();
  first.catch(() => {});
  return begun(left, () => continued(stream, first));
}

function begun<T>(left: AbortController, hand: () => T): Begun<T> {
  return {
    taken(signal) {
      const leave = () => left.abort(signal?.reason);
      if (signal?.aborted) leave();
      signal?.addEventListener("abort", leave, { once: true });
      return hand();
    },
    drop: () => left.abort(),
  };
}

async function* continued<T>(stream: AsyncIterator<T>, first: Promise<IteratorResult<T>>): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await stream.next()) yield next.value;
  } finally {
    await stream.return?.();
  }
}
