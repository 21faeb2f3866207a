/** The pause between two tries to reach a server: short while it has just gone, longer the longer it is away. Pure. */

const FIRST_MILLIS = 500;
const LONGEST_MILLIS = 30_000;
/** A server that starts anew is away for a while: who looks at its list waits no longer than this for it to be right. */
const AWAY_MILLIS = 1_500;
/** Beyond that a pause is so much of the time for which the server has been away. */
const AWAY_SHARE = 0.15;

/** What is known of the tries before. */
export interface Tries {
  readonly failures: number;
  /** The time since the first failure; undefined where the server answered, and asked for patience. */
  readonly awayMillis: number | undefined;
}

/** The pause, in milliseconds; `chance` from 0 to 1 spreads those of many pages. */
export function pauseBetweenTries({ failures, awayMillis }: Tries, chance: number): number {
  const growing = FIRST_MILLIS * 2 ** Math.max(0, failures - 1);
  const most = awayMillis === undefined ? LONGEST_MILLIS : Math.max(AWAY_MILLIS, awayMillis * AWAY_SHARE);
  return Math.min(LONGEST_MILLIS, growing, most) * (0.5 + chance / 2);
}
