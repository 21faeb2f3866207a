/** The log line for a watch that failed. */
import { SilentWatchError } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";

/** Logs that a watch failed. One that was only silent is no sign of trouble: it is opened again and nothing is lost. */
export function logWatchFailure(log: Log, error: unknown): void {
  const fields = { error: String(error) };
  if (error instanceof SilentWatchError) log.info("A watch was silent and is opened again", fields);
  else log.warn("A watch failed and is opened again", fields);
}
