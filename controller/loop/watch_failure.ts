/** The log message for a watch that failed. */
import { SilentWatchError } from "@tiphys/kube/informers";
import type { Log } from "@tiphys/base/log";

/**
 * Logs that a watch failed. A watch that was only silent is reopened without loss, so this is not logged as a warning.
 */
export function logWatchFailure(log: Log, error: unknown): void {
  const fields = { error: String(error) };
  if (error instanceof SilentWatchError) log.info("A watch received no data, reopening it", fields);
  else log.warn("A watch failed, reopening it", fields);
}
