/** A clock that is passed as an argument, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `act` once, after `millis` milliseconds. Returns a function that cancels the call. */
  after(millis: number, act: () => void): () => void;
}

/** The longest delay of one timer, in milliseconds. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1;

/**
 * The system clock. Its timers are abort signals, since `setTimeout` makes Deno load 1.5 MB of Node's timer code, which
 * would delay the start of every user's command.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(millis, act) {
    let cancel = () => {};
    const arm = (remaining: number) => {
      const part = Math.min(Math.max(0, remaining), MAX_TIMER_MILLIS);
      const timer = AbortSignal.timeout(part);
      const fire = () => remaining > part ? arm(remaining - part) : act();
      timer.addEventListener("abort", fire, { once: true });
      cancel = () => timer.removeEventListener("abort", fire);
    };
    arm(millis);
    return () => cancel();
  },
};

/**
 * Waits `millis` milliseconds.
 * @throws the signal's reason when the signal is aborted first.
 */
export async function pause(clock: Clock, millis: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal!.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const cancel = clock.after(millis, resolve);
  try {
    await promise;
  } finally {
    cancel();
    signal?.removeEventListener("abort", abort);
  }
}
