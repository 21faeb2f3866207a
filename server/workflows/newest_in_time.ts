/**
 * Throttles the changes of one workflow: of the states within an interval only the newest is sent, and every deletion.
 */
import type { Workflow } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";

interface Change {
  readonly type: string;
  readonly object: Workflow;
}

/** Yields changes at least `millis` apart. Meanwhile, only the newest state and the last deletion are kept. */
export async function* newestInTime<C extends Change>(
  source: AsyncIterable<C>,
  clock: Clock,
  millis: number,
): AsyncGenerator<C> {
  const items = source[Symbol.asyncIterator]();
  let pending: readonly C[] = [];
  let isDone = false;
  let isEarly = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  let cancelTimer = () => {};
  const read = async () => {
    try {
      for (let next = await items.next(); !next.done; next = await items.next()) {
        pending = appendChange(pending, next.value);
        wake();
      }
    } catch (error) {
      failure = { error };
    }
    isDone = true;
    wake();
  };
  try {
    // Never rejects: a failure is stored and thrown below.
    void read();
    while (true) {
      const [first, ...others] = pending;
      if (first && (!isEarly || isDone)) {
        pending = others;
        isEarly = true;
        cancelTimer();
        cancelTimer = clock.after(millis, () => {
          isEarly = false;
          wake();
        });
        yield first;
        continue;
      }
      if (!first && isDone) {
        if (failure) throw failure.error;
        return;
      }
      await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    cancelTimer();
    // The source ends when its own signal is aborted, so nothing waits for this.
    items.return?.().catch(() => {});
  }
}

/** The pending changes after another one: the last deletion, and the newest state after it. */
function appendChange<C extends Change>(pending: readonly C[], next: C): readonly C[] {
  if (next.type === "DELETED") return [next];
  const last = pending.at(-1);
  const isSame = last !== undefined && last.type !== "DELETED" && last.object.metadata.uid === next.object.metadata.uid;
  const before = pending.filter(({ type }) => type === "DELETED");
  return [...before, isSame && last.type === "ADDED" ? { ...next, type: last.type } : next];
}
