/** Checks durations in templates: lint reports invalid ones, which would fail their nodes. */
import { DurationError, parseArgoDuration, parseDuration } from "@tiphys/base/go/duration";
import type { PathSegments, RetryStrategy, Template } from "@tiphys/model/api";
import { containsPlaceholder } from "../template/scope.ts";
import type { FieldLocation, Report } from "./report.ts";

/** Reports invalid durations of a template. */
export function checkDurations(report: Report, template: Template, fieldPath: FieldLocation): void {
  const { timeout, pendingTimeout, suspend, memoize } = template;
  checkDuration(report, timeout, fieldPath, "timeout");
  checkDuration(report, pendingTimeout, fieldPath, "pendingTimeout");
  checkDuration(report, suspend?.duration, fieldPath, "suspend", "duration");
  checkDuration(report, memoize?.maxAge, fieldPath, "memoize", "maxAge");
}

/** Reports invalid durations of a backoff. */
export function checkBackoff(report: Report, backoff: RetryStrategy["backoff"], fieldPath: FieldLocation): void {
  for (const field of ["duration", "cap", "maxDuration"] as const) {
    checkDuration(report, backoff?.[field], fieldPath, "retryStrategy", "backoff", field);
  }
}

function checkDuration(
  report: Report,
  text: string | undefined,
  fieldPath: FieldLocation,
  ...field: PathSegments
): void {
  // A value with a tag is known only at run time.
  if (!report.judgesExpressions || !text || text.includes("{{") || containsPlaceholder(text)) return;
  try {
    // Unlike all others, the age of a memoized result needs a unit.
    if (field.at(-1) === "maxAge") parseDuration(text);
    else parseArgoDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    report.addFinding(fieldPath.pathTo(...field), { offset: 0, severity: "error", message: error.message });
  }
}
