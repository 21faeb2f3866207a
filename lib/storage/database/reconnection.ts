/** The waits between attempts after a connection broke, from `reconnectionConfig`. */
import type { DatabaseSettings } from "@tiphys/model/api";

/** The number of repetitions of work that met a broken connection, and the pauses before them. */
export interface Reconnection {
  readonly retries: number;
  /** Before the attempt of this number; the first repetition has 1. Milliseconds. */
  delay(attempt: number): number;
}

/**
 * The policy that `reconnectionConfig` sets, with Argo's defaults, which are others when the block is there and a field
 * of it is 0.
 */
export function reconnection(config: DatabaseSettings["reconnectionConfig"]): Reconnection {
  const base = config?.baseDelaySeconds ? config.baseDelaySeconds * 1000 : 100;
  const longest = config?.maxDelaySeconds ? config.maxDelaySeconds * 1000 : 30_000;
  const multiple = config === undefined ? 2 : config.retryMultiple || 1;
  return {
    retries: config?.maxRetries || 5,
    delay: (attempt) => Math.min(base * attempt * multiple, longest),
  };
}
