/** Streams that begin before anybody reads them. */

/** The values of a stream, of which the first is asked for at once. */
export function begun<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  const stream = values[Symbol.asyncIterator]();
  const first = stream.next();
  // Who reads it is told of what went wrong; where nobody does, nobody wants to know.
  first.catch(() => {});
  return continued(first, stream);
}

async function* continued<T>(first: Promise<IteratorResult<T>>, stream: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await stream.next()) yield next.value;
  } finally {
    await stream.return?.();
  }
}
