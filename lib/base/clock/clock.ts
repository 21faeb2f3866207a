/** Time, handed in: the machine's own, or one that a test moves. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `act` once, after so many milliseconds; calling the answer before that takes it back. */
  after(millis: number, act: () => void): () => void;
}

/** The longest time a timer takes, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The machine's clock. Its timers are abort signals: `setTimeout` makes Deno load a megabyte and a half of Node's timers,
 * in front of every user's command.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(millis, act) {
    let takeBack = () => {};
    const arm = (left: number) => {
      const part = Math.min(Math.max(0, left), LONGEST_TIMER);
      const timer = AbortSignal.timeout(part);
      const fire = () => left > part ? arm(left - part) : act();
      timer.addEventListener("abort", fire, { once: true });
      takeBack = () => timer.removeEventListener("abort", fire);
    };
    arm(millis);
    return () => takeBack();
  },
};

/**
 * Waits so many milliseconds.
 * @throws the signal's reason when that is aborted first.
 */
export async function pause(clock: Clock, millis: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cut = () => reject(signal!.reason);
  signal?.addEventListener("abort", cut, { once: true });
  const takeBack = clock.after(millis, resolve);
  try {
    await promise;
  } finally {
    takeBack();
    signal?.removeEventListener("abort", cut);
  }
}
