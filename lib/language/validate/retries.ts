/** Checks retry strategies: invalid durations, and retries without an end. */
import type { RetryStrategy } from "@tiphys/model/api";
import { checkBackoff } from "./durations.ts";
import type { FieldLocation, Report } from "./report.ts";

/** Reports to lint: invalid durations, and a backoff without limit, maxDuration or expression. */
export function checkRetries(report: Report, strategy: RetryStrategy | undefined, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions || !strategy?.backoff) return;
  checkBackoff(report, strategy.backoff, fieldPath);
  const { limit, expression, backoff: { maxDuration } } = strategy;
  if (limit !== undefined || expression || maxDuration) return;
  const message = "without limit, maxDuration or expression, it retries until the workflow is stopped";
  report.addFinding(fieldPath.pathTo("retryStrategy", "backoff"), { offset: 0, severity: "warning", message });
}
