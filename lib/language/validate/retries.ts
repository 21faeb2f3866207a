/** Retry strategies that never give up. */
import type { RetryStrategy } from "@tiphys/model/api";
import type { Place, Report } from "./report.ts";

/** Warns, in lint only, of a strategy with a backoff and without limit, maxDuration or expression. */
export function checkRetries(report: Report, strategy: RetryStrategy | undefined, place: Place): void {
  if (!report.judgesExpressions || !strategy?.backoff) return;
  const { limit, expression, backoff: { maxDuration } } = strategy;
  if (limit !== undefined || expression || maxDuration) return;
  const message = "without limit, maxDuration or expression, it retries until the workflow is stopped";
  report.find(place.at("retryStrategy", "backoff"), { offset: 0, severity: "warning", message });
}
