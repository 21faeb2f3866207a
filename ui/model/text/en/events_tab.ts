/** Words of the events of Kubernetes about a run. */

export const readingEvents = "Reading the events …";
export const noEventKnown = "No event is known. Kubernetes forgets events after an hour.";
export const typeField = "Type";
export const reasonField = "Reason";
/** The object that an event is about. */
export const aboutField = "About";
export const whenField = "When";
