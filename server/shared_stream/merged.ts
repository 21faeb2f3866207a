/** Merges streams in arrival order. A slow reader holds one batch of each stream in memory, not more. */

/** A stream of serialized messages. `push` sends a message in addition to its batches, after those already yielded. */
export type Source = (push: (text: string) => void) => AsyncGenerator<readonly string[]>;

/** Yields the batches of all sources; those that are ready at the same time are combined. Sources must not throw. */
export async function* mergeSources(sources: readonly Source[]): AsyncGenerator<readonly string[]> {
  let ready: { readonly texts: readonly string[]; readonly from?: AsyncGenerator<readonly string[]> }[] = [];
  let open = sources.length;
  let wake = () => {};
  const put = (texts: readonly string[], from?: AsyncGenerator<readonly string[]>) => {
    ready.push(from ? { texts, from } : { texts });
    wake();
  };
  const ask = async (from: AsyncGenerator<readonly string[]>) => {
    const { done, value } = await from.next();
    if (done) open--;
    put(done ? [] : value, done ? undefined : from);
  };
  const started = sources.map((source) => source((text) => put([text])));
  try {
    started.forEach((stream) => void ask(stream));
    while (open > 0 || ready.length > 0) {
      if (ready.length === 0) await new Promise<void>((resolve) => wake = resolve);
      const taken = ready;
      ready = [];
      const texts = taken.flatMap((batch) => batch.texts);
      if (texts.length > 0) yield texts;
      for (const { from } of taken) if (from) void ask(from);
    }
  } finally {
    // Not awaited: the sources may take long to end, and their end is not needed.
    for (const stream of started) void stream.return(undefined);
  }
}
