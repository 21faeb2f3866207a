/** Texts of the event flow and of the dialog about one of its items. */
import { grouped, plural } from "../en.ts";
import { aboutBindings } from "./event_pages.ts";

export const runsToggle = "Runs";
/** Shows the runs that the flow folds. */
export const allRunsToggle = "All runs";
export const followToggle = "Follow";
export const noneYet = "No events start runs yet";
export const aboutInstalled =
  `${aboutBindings} Event sources of Argo Events receive events, and sensors react to them.`;
export const aboutUninstalled =
  `${aboutBindings} Argo Events, which receives events from other systems, is not installed here.`;

/** Second lines of the items of the flow. */
export const sensor = "sensor";
export const condition = "condition";
export const submits = (template: string) => `submits ${template}`;
export const anyEvent = "any event";
export const postedToApi = "posted to the API";
export const eventOf = (type: string, source: string) => `${type} of ${source}`;
export const eventOfMissingSource = (source: string) => `of ${source} (missing)`;
export const moreRuns = (count: number) => `${grouped(count)} more ${plural(count, "run", "runs")}`;

/** The tabs about one item. */
export const aboutLabel = (thing: string) => `About ${thing}`;
export const summaryTab = "Summary";
export const logsTab = "Logs";
export const eventsTab = "Events";

export const logLabel = "Log";
export const readingLog = "Reading the log …";
export const logIsEmpty = "No log lines yet. New lines appear here as they are written.";
export const bindingsHaveNoLog = "The server handles the events of bindings: see the server's log.";
export const timeField = "Time";
export const levelField = "Level";

export const readingEvents = "Reading the events …";
export const noEventKnown = "No events. Kubernetes deletes events after an hour. The Log tab may show more.";
