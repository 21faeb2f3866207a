/** The next run of a cron workflow, by the same reading of schedules as the controller's. */
import type { CronWorkflow } from "../../lib/api/mod.ts";
import { shortDuration, timestamp } from "../../lib/status/mod.ts";
import { CronError } from "../../lib/template/cron/field.ts";
import { inTimezone, parseSchedule } from "../../lib/template/cron/schedule.ts";

/**
 * The time of the next run, by all schedules together; undefined where one cannot be read or none comes, and while the
 * cron workflow is suspended or stopped.
 */
function nextRun({ spec, status }: CronWorkflow, now: Date): Date | undefined {
  if (spec.suspend || status?.phase === "Stopped") return undefined;
  try {
    const times = (spec.schedules ?? []).flatMap((text) => {
      const at = parseSchedule(inTimezone(text, spec.timezone)).next(now);
      return at ? [at.getTime()] : [];
    });
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return undefined;
  }
}

/** The time until then, or undefined. */
export function nextRunText(cron: CronWorkflow, now: Date): string | undefined {
  const next = nextRun(cron, now);
  return next && shortDuration(next.getTime() - now.getTime());
}

/** That moment in words, or undefined. */
export function nextTimeText(cron: CronWorkflow, now: Date): string | undefined {
  const next = nextRun(cron, now);
  return next && `${timestamp(next.toISOString(), now)} (assumes workflow-controller is in UTC)`;
}
