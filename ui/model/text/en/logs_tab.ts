/** Words of the logs of a run: the tools above them, and the state of their lines. */
import { grouped, plural } from "../en.ts";

export const label = "Logs";
export const podField = "Pod";
export const allPods = (count: number) => `All pods (${grouped(count)})`;
export const containerField = "Container";

export const findField = "Find in the log";
export const regexToggle = "Regex";
export const noRegex = (reason: string) => `Not a valid regular expression: ${reason}`;
export const searching = "searching …";
export const noneFound = "none";
/** Which of the found lines is marked. */
export const hitOf = (hit: number, all: number) => `${grouped(hit)} of ${grouped(all)}`;
/** Shows the found lines alone. */
export const onlyHitsToggle = "Only these";

/** The choice of fields that lines of JSON have. */
export const columnsButton = "Columns";
export const columnsChosen = (count: number) => `${columnsButton} (${count})`;
/** Shows lines that are alike as one. */
export const foldToggle = "Fold alike";
export const timesToggle = "Times";
export const wrapToggle = "Wrap";
export const zoneField = "Zone of times";
/** The zone of this browser. */
export const ownZone = (zone: string) => `${zone}, yours`;
export const followToggle = "Follow";

export const lines = (count: number) => `${grouped(count)} ${plural(count, "line", "lines")}`;
export const linesSoFar = (count: number) => `${lines(count)}, more as they are written`;
export const linesCrowded = (count: number) =>
  `${
    lines(count)
  }, read every three seconds: other tabs of this browser follow logs, and take the connections that it has`;
export const linesBroken = (count: number) => `${lines(count)}, the connection was lost and is retried`;
export const tooMuch = "The log is too large for the page: download it with tiphys logs.";
export const nothingYet = "No log lines yet. New lines appear here as they are written.";
export const nothingLeft =
  "No log lines are available: the pods wrote none, or are gone. To keep logs, set archiveLogs: true in the workflow or in the settings of the controller.";
/** The log of a container as an artifact of its node. */
export const archivedLogLink = "In the store";
/** Pods, and their logs, do not stay. */
export const podsGo = (strategy: string, delay: string | undefined) =>
  `Pods of this run are deleted${
    delay ? ` ${delay}` : ""
  } after they end, with their logs (podGC: ${strategy}), unless logs are archived.`;
