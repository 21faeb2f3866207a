/** The pause between attempts to reach a server: short at first, and longer the longer it is away. Pure. */

const FIRST_MILLIS = 500;
const MAX_MILLIS = 30_000;
/** A server that restarts is away for a while: this limits how long users wait for an updated list after that. */
const OFFLINE_MILLIS = 1_500;
/** Beyond that, a pause is this share of the time for which the server has been away. */
const OFFLINE_SHARE = 0.15;

/** The previous attempts. */
export interface Attempts {
  readonly failures: number;
  /** The time since the first failure; undefined if the server responded that it is busy. */
  readonly offlineMillis: number | undefined;
}

/** Returns the pause in milliseconds; `chance` from 0 to 1 spreads the attempts of many pages. */
export function pauseBetweenTries({ failures, offlineMillis }: Attempts, chance: number): number {
  const growing = FIRST_MILLIS * 2 ** Math.max(0, failures - 1);
  const max = offlineMillis === undefined ? MAX_MILLIS : Math.max(OFFLINE_MILLIS, offlineMillis * OFFLINE_SHARE);
  return Math.min(MAX_MILLIS, growing, max) * (0.5 + chance / 2);
}
