/** Streams told as one, as their messages come; who reads slowly holds one batch of each, and no more. */

/** A stream of written messages; `push` tells one beside its batches, after those that were taken. */
export type Source = (push: (text: string) => void) => AsyncGenerator<readonly string[]>;

/** The batches of all sources, those that are there together as one. No source throws. */
export async function* merged(sources: readonly Source[]): AsyncGenerator<readonly string[]> {
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
    started.forEach((one) => void ask(one));
    while (open > 0 || ready.length > 0) {
      if (ready.length === 0) await new Promise<void>((resolve) => wake = resolve);
      const taken = ready;
      ready = [];
      const texts = taken.flatMap((one) => one.texts);
      if (texts.length > 0) yield texts;
      for (const { from } of taken) if (from) void ask(from);
    }
  } finally {
    // Nobody waits for the end of sources that nobody reads.
    for (const one of started) void one.return(undefined);
  }
}
