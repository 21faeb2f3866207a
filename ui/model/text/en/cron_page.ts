/** Words of the page of one cron workflow. */
import { grouped, plural } from "../en.ts";

/** The link to all of them. */
export const listLink = "Schedules";
export const resumeButton = "Resume";
export const suspendButton = "Suspend";
export const runNowButton = "Run now";
export const nowSuspended = "Suspended: it makes no runs";
export const nowResumed = "Resumed";
export const scheduleTab = "Schedule";
export const partsLabel = "Parts of the schedule";

export const schedulesField = "Schedules";
/** The field that tells the concurrency policy. */
export const whileOneRunsField = "When one still runs";
export const allowPolicy = "another one starts beside it";
export const forbidPolicy = "none starts";
export const replacePolicy = "it is stopped, and another one starts";
export const onlyWhenField = "Only when";
export const lastTimeField = "Last time";
export const noTimeYet = "none yet";

export const nextTimesHeading = "Next times";
/** The time zone of the person, beside that of the schedule. */
export const ownZone = (zone: string) => `${zone}, yours`;
export const fromNowField = "From now";
export const usualZone = "UTC";
export const stopsWhenField = "Stops for good when";
export const madeUpField = "Missed times";
export const madeUpFor = (seconds: number) =>
  seconds === 0 ? "are not made up for" : `are made up for within ${grouped(seconds)} s`;
export const keptField = "Runs that stay";
export const keptRuns = (succeeded: number, failed: number) =>
  `the last ${grouped(succeeded)} that succeeded, the last ${grouped(failed)} that failed`;
export const countsField = "Runs so far";
export const countedRuns = (succeeded: number, failed: number) =>
  `${grouped(succeeded)} succeeded, ${grouped(failed)} failed`;
export const atWorkField = "At work";
export const missedField = "Missed since";
export const missed = (count: number, isMore: boolean, first: string, last: string) =>
  count === 1 ? first : `${isMore ? "more than " : ""}${grouped(count)} times, from ${first} to ${last}`;
/** A change of the clocks that takes times away, and one that brings them twice. */
export const skips = (moment: string, times: readonly string[], isMore: boolean) =>
  `The clocks go forward at ${moment}: ${timesText(times, isMore)} ${
    plural(times.length, "does", "do")
  } not come that day.`;
export const doubles = (moment: string, times: readonly string[], isMore: boolean) =>
  `The clocks go back at ${moment}: ${timesText(times, isMore)} ${
    plural(times.length, "comes", "come")
  } twice that day.`;
const timesText = (times: readonly string[], isMore: boolean) => `${times.join(", ")}${isMore ? " and more" : ""}`;
