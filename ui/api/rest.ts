/** Rests in long work, so that the page can draw and answer in between. */

/** The time for which work goes on before it lets others have the thread. */
const SLICE_MILLIS = 12;
/** What is left of that after a third is enough for what follows a piece of work: beyond, that begins anew. */
const THIRD_MILLIS = 4;

/** The way in which newer browsers let others have the thread, and go on before what was asked for later. */
interface Yielding {
  readonly scheduler?: { readonly yield?: () => Promise<void> };
}

/** Lets the page do the work that waits for the thread. */
export function restNow(): Promise<void> {
  const { scheduler } = globalThis as Yielding;
  return scheduler?.yield ? scheduler.yield() : restBehind();
}

/** The same behind all that waits already, as a message comes: for what is long, and in no hurry. A timer of 0 would wait 4 ms each time. */
export function restBehind(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Gives a function by which work rests, where it has gone on for long since it last did. */
export function pacer(rest = restNow): (sliceMillis?: number) => Promise<void> {
  let began = performance.now();
  return async (sliceMillis = SLICE_MILLIS) => {
    if (performance.now() - began < sliceMillis) return;
    await rest();
    began = performance.now();
  };
}

/**
 * Does work that says at each `yield` that it can rest, and rests when it has gone on for long; also at its end, as what is
 * made of its value goes on in the same task.
 */
export async function rested<T>(work: Generator<undefined, T>): Promise<T> {
  const rest = pacer();
  while (true) {
    const { done, value } = work.next();
    if (done) {
      await rest(THIRD_MILLIS);
      return value;
    }
    await rest();
  }
}
