/** Pauses in long work, so that the page stays responsive. */

/** The time for which work runs before it yields the thread. */
const SLICE_MILLIS = 12;
/** If more than a third of the slice is used at the end of the work, the caller's work starts in a new task. */
const THIRD_MILLIS = 4;

/** The scheduler API of newer browsers, which resumes before other pending tasks. */
interface YieldingScheduler {
  readonly scheduler?: { readonly yield?: () => Promise<void> };
}

/** Yields to pending tasks. */
export function yieldToTasks(): Promise<void> {
  const { scheduler } = globalThis as YieldingScheduler;
  return scheduler?.yield ? scheduler.yield() : yieldBehindTasks();
}

/**
 * Yields behind all pending tasks, for long work without urgency. It uses a message, because a timer of 0 would wait 4
 * ms each time.
 */
export function yieldBehindTasks(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Returns a function that pauses if work has run long enough since the last pause. */
export function createPacer(pause = yieldToTasks): (sliceMillis?: number) => Promise<void> {
  let began = performance.now();
  return async (sliceMillis = SLICE_MILLIS) => {
    if (performance.now() - began < sliceMillis) return;
    await pause();
    began = performance.now();
  };
}

/**
 * Runs work that yields, and pauses when it has run long enough; also at its end, because the caller continues in the
 * same task.
 */
export async function runWithPauses<T>(work: Generator<undefined, T>): Promise<T> {
  const rest = createPacer();
  while (true) {
    const { done, value } = work.next();
    if (done) {
      await rest(THIRD_MILLIS);
      return value;
    }
    await rest();
  }
}
