/** Variables of Argo's controller that have no effect here, each with the reason. */
const RETRIES =
  "A request with a transient failure is retried after the server's `Retry-After`, or by the next pass with exponential back-off.";

/** The reasons, by name of the variable. */
export const UNUSED_VARIABLES: Readonly<Record<string, string>> = {
  ALL_POD_CHANGES_SIGNIFICANT: "Every change of a pod is processed.",
  ARGO_PPROF: "It starts a profiler for Go programs.",
  ARGO_TRACE: "It traces Go programs; `--loglevel debug` logs more.",
  CRON_SYNC_PERIOD:
    "Children of cron workflows are counted, and old ones deleted, when they end: there is no interval.",
  GZIP_IMPLEMENTATION: "It selects one of two Go libraries.",
  HEALTHZ_AGE:
    "`/healthz` fails if no pass completes for a minute, or the event loop is blocked; waiting workflows do not affect it.",
  PROMETHEUS_LEGACY_NAME_VALIDATION_SCHEME: "Metric names are valid in all versions of Prometheus.",
  RETRY_BACKOFF_DURATION: RETRIES,
  RETRY_BACKOFF_FACTOR: RETRIES,
  RETRY_BACKOFF_STEPS: RETRIES,
  SEMAPHORE_NOTIFY_DELAY: "The next holder of a lock is notified at once.",
  TLS_MIN_VERSION: "Metrics are served with TLS 1.2 and 1.3; Deno's server does not support other settings.",
};

/** Returns the variables of the table that are set. */
export function unusedVariables(env: (name: string) => string | undefined): string[] {
  return Object.keys(UNUSED_VARIABLES).filter((name) => env(name));
}
