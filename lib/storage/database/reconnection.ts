/** Delays between attempts after a broken connection, from `reconnectionConfig`. */
import type { DatabaseSettings } from "@tiphys/model/api";

/** The number of retries after a broken connection, and the delays before them. */
export interface Reconnection {
  readonly retries: number;
  /** Returns the delay in milliseconds before retry number `attempt`, starting at 1. */
  delay(attempt: number): number;
}

/**
 * Returns the policy of `reconnectionConfig` with Argo's defaults, which differ between a missing block and fields that
 * are 0.
 */
export function createReconnection(config: DatabaseSettings["reconnectionConfig"]): Reconnection {
  const base = config?.baseDelaySeconds ? config.baseDelaySeconds * 1000 : 100;
  const longest = config?.maxDelaySeconds ? config.maxDelaySeconds * 1000 : 30_000;
  const multiple = config === undefined ? 2 : config.retryMultiple || 1;
  return {
    retries: config?.maxRetries || 5,
    delay: (attempt) => Math.min(base * attempt * multiple, longest),
  };
}
