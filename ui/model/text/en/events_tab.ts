/** Texts of the tab that lists the Kubernetes events of a run. */

export const readingEvents = "Reading the events …";
export const noEventKnown =
  "No events. Kubernetes deletes events after an hour. The Tree tab shows the message of each node.";
/** Shown for versions of Argo's server that end every event stream at the first event. */
export const eventsUnavailable =
  "This server cannot list events: its event stream ends with an error. Run kubectl events instead.";
export const typeField = "Type";
export const reasonField = "Reason";
/** The object that an event is about. */
export const aboutField = "About";
export const whenField = "Time";
/** Shown instead of the name of the run, which the page already shows. */
export const theRun = "the run";
/** A filter: only events about one node. */
export const onlyOfNode = (node: string) => `node: ${node}`;
export const removeNode = (node: string) => `Remove the filter node: ${node}`;
