/** Texts of the page of one cron workflow. */
import { grouped, plural } from "../en.ts";

// The page of one cron workflow

/** Links to the list of schedules. */
export const listLink = "Schedules";
export const resumeButton = "Resume";
export const suspendButton = "Suspend";
export const runNowButton = "Run now";
export const nowSuspended = "Suspended: no runs start";
export const nowResumed = "Resumed";
export const scheduleTab = "Schedule";
export const partsLabel = "Parts of the schedule";

export const schedulesField = "Schedules";
/** Shows the concurrency policy. */
export const concurrencyPolicyField = "If a run is still active";
export const allowPolicy = "start another run";
export const forbidPolicy = "skip the new run";
export const replacePolicy = "stop it and start another run";
export const conditionField = "Condition";
export const lastTimeField = "Last run";
export const noLastTime = "none yet";

export const nextTimesHeading = "Next runs";
/** The user's own time zone, next to that of the schedule. */
export const userZone = (zone: string) => `${zone} (yours)`;
export const fromNowField = "From now";
export const stopsWhenField = "Stops permanently when";
export const missedTimesField = "Missed times";
export const startingDeadline = (seconds: number) =>
  seconds === 0 ? "skipped" : `started up to ${grouped(seconds)} s late`;
export const historyLimitsField = "History limits";
export const historyLimits = (succeeded: number, failed: number) =>
  `the last ${grouped(succeeded)} that succeeded, the last ${grouped(failed)} that failed`;
export const runCountsField = "Runs so far";
export const runCounts = (succeeded: number, failed: number) =>
  `${grouped(succeeded)} succeeded, ${grouped(failed)} failed`;
export const activeRunsField = "Active runs";
export const missedField = "Missed since";
export const missed = (count: number, isMore: boolean, first: string, last: string) =>
  count === 1 ? first : `${isMore ? "more than " : ""}${grouped(count)} times, from ${first} to ${last}`;
/** Clock changes: `skippedTimes` when scheduled times do not occur that day, `repeatedTimes` when they occur twice. */
export const skippedTimes = (moment: string, times: readonly string[], isMore: boolean) =>
  `The clocks go forward at ${moment}: ${timesText(times, isMore)} ${
    plural(times.length, "does", "do")
  } not come that day.`;
export const repeatedTimes = (moment: string, times: readonly string[], isMore: boolean) =>
  `The clocks go back at ${moment}: ${timesText(times, isMore)} ${
    plural(times.length, "comes", "come")
  } twice that day.`;
const timesText = (times: readonly string[], isMore: boolean) => `${times.join(", ")}${isMore ? " and more" : ""}`;

// The calendar of a schedule

export const calendarHeading = "Calendar";
export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** The runs to come on a day. */
export const planned = (count: number, isMore: boolean) =>
  `${isMore ? "more than " : ""}${grouped(count)} ${plural(count, "run", "runs")} planned`;
