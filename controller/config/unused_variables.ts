/** Variables of Argo's controller that change nothing here, each with the reason. */
const OWN_PATIENCE =
  "A request that fails for a reason that passes is made again: by the server's `Retry-After`, or with the next pass, after growing waits.";

/** The reason why nothing reads a variable, by the variable's name. */
export const UNUSED_VARIABLES: Readonly<Record<string, string>> = {
  ALL_POD_CHANGES_SIGNIFICANT: "Each change of a pod is looked at.",
  ARGO_PPROF: "It is a profiler of Go programs.",
  ARGO_TRACE: "It is about statements of Go programs; `--loglevel debug` says more here.",
  CRON_SYNC_PERIOD: "Children of cron workflows are counted, and old ones deleted, as they end: there is no period.",
  GZIP_IMPLEMENTATION: "It chooses between two libraries of Go.",
  HEALTHZ_AGE:
    "`/healthz` fails when no pass comes to its end for a minute, or the thread is held up; a workflow that waits does not make it sick.",
  PROMETHEUS_LEGACY_NAME_VALIDATION_SCHEME: "Names of metrics are those that every Prometheus reads.",
  RETRY_BACKOFF_DURATION: OWN_PATIENCE,
  RETRY_BACKOFF_FACTOR: OWN_PATIENCE,
  RETRY_BACKOFF_STEPS: OWN_PATIENCE,
  SEMAPHORE_NOTIFY_DELAY: "Who is next for a lock is woken at once.",
  TLS_MIN_VERSION: "Metrics are served with TLS 1.2 and 1.3; the server of Deno has no switch for it.",
};

/** The variables of the table that are set: their values go nowhere. */
export function unusedVariables(env: (name: string) => string | undefined): string[] {
  return Object.keys(UNUSED_VARIABLES).filter((name) => env(name));
}
