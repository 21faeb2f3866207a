/** Texts of the last lines of a log. */

export const tailLabel = (node: string) => `Last log lines of ${node}`;
export const noLog = "No log lines are available: the pod wrote none, or is gone. Set archiveLogs: true to keep logs.";
export const logRefused = (reason: string) => `The log cannot be read: ${reason}`;
/** Prefixes that screen readers read before a line of a log. */
export const errorMark = "Error:";
export const warningMark = "Warning:";
