/** Texts of the pages about events. */
import { grouped, plural } from "../en.ts";

// All pages about events

export const heading = "Events";
/** Selects the flow, or the list of one kind of object. */
export const kindsLabel = "Kinds";
export const flowTab = "Flow";
export const bindingsTab = "Bindings";
export const sourcesTab = "Event sources";
export const sensorsTab = "Sensors";
export const aboutBindings =
  "A binding submits a template for each event that is posted to the API and that its selector matches.";
/** Shown when the address names an object that does not exist. */
export const objectNotFound = (name: string) => `${name} was not found: it was deleted, or is in another namespace.`;

// The lists of event bindings, event sources and sensors

export const notInstalled = "Argo Events is not installed here";
export const noBindingsYet = "No bindings yet";
export const noSourcesYet = "No event sources yet";
export const noSensorsYet = "No sensors yet";
export const aboutSources = "An event source of Argo Events receives events from outside the cluster.";
export const aboutSensors = "A sensor of Argo Events acts when its events have arrived.";
/** The events that trigger a binding or a sensor. */
export const waitsForField = "Waits for";
export const eventsField = "Events";
/** The actions of a binding or a sensor. */
export const actionsField = "Actions";
export const createdField = "Created";
export const itsRunsLink = "Show runs";
export const newSourceButton = "New event source";
export const newSensorButton = "New sensor";
export const manifestLabel = "Manifest";
export const logOf = "Log of";
export const allParts = "All parts";

// The event flow, and the dialog about one of its items

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
export const aboutLabel = (noun: string) => `About ${noun}`;
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

// The view of the event flow

export const flowLabel = "Event flow";
/** Kinds of items, which screen readers read before the name. */
export const eventKind = "event";
export const triggerKind = "trigger";
export const bindingKind = "binding";
export const runKind = "run";
