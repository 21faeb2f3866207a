/** Texts of the list of cron workflows. */

export const heading = "Schedules";
export const newButton = "New schedule";
export const manifestLabel = "Manifest of the cron workflow";
export const noneYet = "No schedules yet";
/** Describes cron workflows, above a command that creates one. */
export const about = "A cron workflow starts runs on a schedule. Create one here, or in a terminal:";
export const stateField = "State";
export const scheduleField = "Schedule";
export const nextField = "Next";
export const lastField = "Last";
export const usualZone = "UTC";
