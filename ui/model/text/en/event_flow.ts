/** Words of the flow of events, and of the dialog about one thing of it. */
import { grouped, plural } from "../en.ts";
import { aboutBindings } from "./event_pages.ts";

export const runsToggle = "Runs";
/** Shows the runs that the flow folds. */
export const allToggle = "All runs";
export const followToggle = "Follow";
export const noneYet = "No event starts runs yet";
export const aboutInstalled = `${aboutBindings} Event sources of Argo Events bring events in, and sensors act on them.`;
export const aboutUninstalled =
  `${aboutBindings} Argo Events, which brings events in from elsewhere, is not installed here.`;

/** The lines below what the flow shows. */
export const sensor = "sensor";
export const condition = "condition";
export const submits = (template: string) => `submits ${template}`;
export const anyEvent = "any event";
export const postedToApi = "posted to the API";
export const eventOf = (type: string, source: string) => `${type} of ${source}`;
export const eventOfAbsent = (source: string) => `of ${source}, which is not there`;
export const moreRuns = (count: number) => `${grouped(count)} more ${plural(count, "run", "runs")}`;

/** The tabs about one thing. */
export const aboutLabel = (thing: string) => `About ${thing}`;
export const summaryTab = "Summary";
export const logsTab = "Logs";
export const eventsTab = "Events";

export const logLabel = "Log";
export const readingLog = "Reading the log …";
export const logIsEmpty = "Nothing was written yet.";
export const bindingsHaveNoLog = "The server itself carries the events of bindings: its own log tells of them.";
export const timeField = "Time";
export const levelField = "Level";

export const readingEvents = "Reading the events …";
export const noEventKnown = "No event is known. Kubernetes forgets events after an hour.";
