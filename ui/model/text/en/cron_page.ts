/** Words of the page of one cron workflow. */

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
