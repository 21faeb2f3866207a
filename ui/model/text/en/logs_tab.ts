/** Texts of the logs of a run. */
import { grouped, plural } from "../en.ts";

// The logs of a run

export const label = "Logs";
export const podField = "Pod";
export const allPods = (count: number) => `All pods (${grouped(count)})`;
/** The group of pods that failed. */
export const failedPods = (count: number) => `Failed (${grouped(count)})`;
export const containerField = "Container";

export const findField = "Find in the log";
export const regexToggle = "Regex";
export const invalidRegex = (reason: string) => `Not a valid regular expression: ${reason}`;
export const searching = "searching …";
export const noneFound = "none";
/** The position of the selected match. */
export const matchPosition = (hit: number, all: number) => `${grouped(hit)} of ${grouped(all)}`;
/** Shows matching lines only. */
export const onlyHitsToggle = "Only matches";

/** Selects fields of JSON lines as columns. */
export const columnsButton = "Columns";
export const columnsChosen = (count: number) => `${columnsButton} (${count})`;
/** Shows similar lines as one. */
export const foldToggle = "Fold similar";
export const timesToggle = "Times";
export const wrapToggle = "Wrap";
export const zoneField = "Time zone";
/** The time zone of this browser. */
export const userZone = (zone: string) => `${zone} (yours)`;
export const followToggle = "Follow";

export const lines = (count: number) => `${grouped(count)} ${plural(count, "line", "lines")}`;
export const linesSoFar = (count: number) => `${lines(count)}, more as they are written`;
export const linesPolled = (count: number) =>
  `${lines(count)}, updated every three seconds, because other tabs use all connections of this browser for logs`;
export const linesReconnecting = (count: number) => `${lines(count)}, the connection was lost and is retried`;
export const logTooLarge = "The log is too large for the page: download it with tiphys logs.";
export const noLinesYet = "No log lines yet. New lines appear here as they are written.";
export const noLinesAvailable =
  "No log lines are available: the pods wrote none, or are gone. To keep logs, set archiveLogs: true in the workflow or in the settings of the controller.";
/** Links to the log of a container that was saved as an artifact. */
export const archivedLogLink = "Archived log";
/** Warns that pods are deleted together with their logs. */
export const podsAreDeleted = (strategy: string, delay: string | undefined) =>
  `Pods of this run are deleted${
    delay ? ` ${delay}` : ""
  } after they end, with their logs (podGC: ${strategy}), unless logs are archived.`;

// The log viewer

export const logLabel = "Log";
export const lineLabel = (number: number) => `Line ${number}`;
/** Unfolds similar lines that are shown as one. */
export const similarLinesButton = (count: number) => `${grouped(count)} similar`;
/** Unfolds the frames of a stack trace. */
export const stackTraceButton = (count: number) => `${grouped(count)} lines of stack trace`;
/** Unfold a long line, and copy it whole. */
export const moreCharactersButton = (count: number) => `${grouped(count)} characters`;
export const copyLineButton = "Copy the line";
/** The end of a line that is too long to show. */
export const restOfLine = (characters: number) => `… ${grouped(characters)} more characters: download it`;

// The last lines of a log

export const tailLabel = (node: string) => `Last log lines of ${node}`;
export const noLog = "No log lines are available: the pod wrote none, or is gone. Set archiveLogs: true to keep logs.";
export const logRefused = (reason: string) => `The log cannot be read: ${reason}`;
/** Prefixes that screen readers read before a line of a log. */
export const errorMark = "Error:";
export const warningMark = "Warning:";
