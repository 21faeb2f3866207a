/** Words of the events of Kubernetes about a run. */

export const readingEvents = "Reading the events …";
export const noEventKnown = "No event is known. Kubernetes forgets events after an hour.";
/** Before a server of Argo's that ends each stream of events as soon as there is one. */
export const notTold =
  "This server cannot tell events: it ends with a mistake of its own as soon as there is one. kubectl events shows them.";
export const typeField = "Type";
export const reasonField = "Reason";
/** The object that an event is about. */
export const aboutField = "About";
export const whenField = "When";
/** In the place of the run's own name, which stands above. */
export const theRun = "the run";
/** Only events about one node are shown. */
export const onlyOfNode = (node: string) => `node: ${node}`;
export const removeNode = (node: string) => `Remove the filter node: ${node}`;
