/** Questions that are asked before anybody waits for the answer: who does later takes what has begun, once. */

/** What was asked. */
export interface Begun<T> {
  /** Hands it out; from then on it is left where the signal is aborted. */
  taken(signal?: AbortSignal): T;
  /** Leaves it: nobody wants it any more. */
  drop(): void;
}

/** Asks for one answer. */
export function begunAnswer<T>(ask: (signal: AbortSignal) => Promise<T>): Begun<Promise<T>> {
  const left = new AbortController();
  const answer = ask(left.signal);
  // Who takes it is told of what went wrong; where nobody does, nobody wants to know.
  answer.catch(() => {});
  return begun(left, () => answer);
}

/** Opens a stream and reads the first of it. */
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
