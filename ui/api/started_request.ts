/** Requests that start before the code that needs the result is ready. Each result is taken once. */

/** A started request. */
export interface StartedRequest<T> {
  /** Returns the result. From then on the signal cancels the request. */
  take(signal?: AbortSignal): T;
  /** Cancels the request. */
  cancel(): void;
}

/** Starts a request for one response. */
export function startRequest<T>(ask: (signal: AbortSignal) => Promise<T>): StartedRequest<Promise<T>> {
  const left = new AbortController();
  const answer = ask(left.signal);
  // The caller that takes the response handles errors; if it is never taken, errors are ignored.
  answer.catch(() => {});
  return startedRequest(left, () => answer);
}

/** Opens a stream and reads its first item. */
export function startStream<T>(open: (signal: AbortSignal) => AsyncIterable<T>): StartedRequest<AsyncIterable<T>> {
  const left = new AbortController();
  const stream = open(left.signal)[Symbol.asyncIterator]();
  const first = stream.next();
  first.catch(() => {});
  return startedRequest(left, () => resumeStream(stream, first));
}

function startedRequest<T>(left: AbortController, hand: () => T): StartedRequest<T> {
  return {
    take(signal) {
      const leave = () => left.abort(signal?.reason);
      if (signal?.aborted) leave();
      signal?.addEventListener("abort", leave, { once: true });
      return hand();
    },
    cancel: () => left.abort(),
  };
}

async function* resumeStream<T>(stream: AsyncIterator<T>, first: Promise<IteratorResult<T>>): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await stream.next()) yield next.value;
  } finally {
    await stream.return?.();
  }
}
