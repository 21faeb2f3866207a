/** Changes of one workflow, no faster than so often: of states that come meanwhile the newest is told, and every end. */
import type { Workflow } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";

interface Change {
  readonly type: string;
  readonly object: Workflow;
}

/** The changes with the least time between two of them; what comes meanwhile is held as its newest state. */
export async function* newestInTime<C extends Change>(
  source: AsyncIterable<C>,
  clock: Clock,
  millis: number,
): AsyncGenerator<C> {
  const items = source[Symbol.asyncIterator]();
  let held: readonly C[] = [];
  let isOver = false;
  let isEarly = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  let takeBack = () => {};
  const read = async () => {
    try {
      for (let next = await items.next(); !next.done; next = await items.next()) {
        held = withNext(held, next.value);
        wake();
      }
    } catch (error) {
      failure = { error };
    }
    isOver = true;
    wake();
  };
  try {
    // It throws nothing: what went wrong is told below.
    void read();
    while (true) {
      const [first, ...others] = held;
      if (first && (!isEarly || isOver)) {
        held = others;
        isEarly = true;
        takeBack();
        takeBack = clock.after(millis, () => {
          isEarly = false;
          wake();
        });
        yield first;
        continue;
      }
      if (!first && isOver) {
        if (failure) throw failure.error;
        return;
      }
      await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    takeBack();
    // It ends with the signal that it was given; nobody waits for that.
    items.return?.().catch(() => {});
  }
}

/** What is held after a change: the last end of a workflow, and the newest state after it, no more. */
function withNext<C extends Change>(held: readonly C[], next: C): readonly C[] {
  if (next.type === "DELETED") return [next];
  const last = held.at(-1);
  const isSame = last !== undefined && last.type !== "DELETED" && last.object.metadata.uid === next.object.metadata.uid;
  const before = held.filter(({ type }) => type === "DELETED");
  return [...before, isSame && last.type === "ADDED" ? { ...next, type: last.type } : next];
}
