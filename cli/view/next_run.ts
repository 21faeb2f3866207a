/** The next run of a cron workflow, computed as in the controller. */
import type { CronWorkflow } from "@tiphys/model/api";
import { shortDuration, timestamp } from "@tiphys/model/status";
import { CronError } from "@tiphys/language/template/cron/field";
import { inTimezone, parseSchedule } from "@tiphys/language/template/cron/schedule";

/**
 * Returns the earliest next time of all schedules; undefined if a schedule is invalid or no time follows, and while the
 * cron workflow is suspended or stopped.
 */
function nextRun({ spec, status }: CronWorkflow, now: Date): Date | undefined {
  if (spec.suspend || status?.phase === "Stopped") return undefined;
  try {
    const times = (spec.schedules ?? []).flatMap((text) => {
      const next = parseSchedule(inTimezone(text, spec.timezone)).next(now);
      return next ? [next.getTime()] : [];
    });
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return undefined;
  }
}

/** Returns the duration until the next run, or undefined. */
export function nextRunText(cron: CronWorkflow, now: Date): string | undefined {
  const next = nextRun(cron, now);
  return next && shortDuration(next.getTime() - now.getTime());
}

/** Returns the time of the next run as text, or undefined. */
export function nextTimeText(cron: CronWorkflow, now: Date): string | undefined {
  const next = nextRun(cron, now);
  return next && `${timestamp(next.toISOString(), now)} (assumes workflow-controller is in UTC)`;
}
