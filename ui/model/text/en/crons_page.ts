/** Texts of the list of cron workflows, and of schedules in words. */

// The list of cron workflows

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

// Schedules in words

const AND = new Intl.ListFormat("en", { type: "conjunction" });
/** Joins names with commas and a final "and". */
export const listText = (names: readonly string[]) => AND.format(names);
export const everyMinute = "every minute";
export const everyHour = "every hour";
export const everyMinutes = (count: number) => `every ${count} minutes`;
export const everyHours = (count: number, minute: string) => `every ${count} hours at minute ${minute}`;
export const everyHourAt = (minutes: string) => `at minute ${minutes} of every hour`;
export const at = (times: string) => `at ${times}`;
export const atMinutesOfHours = (minutes: string, hours: string) => `at minute ${minutes} of hours ${hours}`;
export const everyInterval = (interval: string) => `every ${interval}`;
export const everyDay = (time: string) => `${time} every day`;
export const onDays = (time: string, days: string) => `${time} on ${days}`;
export const ofTheMonth = (days: string) => `day ${days} of the month`;
export const eitherOf = (days: string, weekdays: string) => `${days} and on ${weekdays}`;
export const inMonths = (text: string, months: string) => `${text} in ${months}`;
export const range = (from: string, to: string) => `${from} to ${to}`;
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
