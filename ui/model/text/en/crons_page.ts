/** Words of the list of cron workflows. */

export const heading = "Schedules";
export const newButton = "New schedule";
export const manifestLabel = "Manifest of the cron workflow";
export const noneYet = "No schedules yet";
/** What a cron workflow is, before the line of a terminal that makes one. */
export const about = "A cron workflow makes runs at set times. Write one here, or in a terminal:";
export const stateField = "State";
export const scheduleField = "Schedule";
export const nextField = "Next";
export const lastField = "Last";
export const usualZone = "UTC";
