/** Words of the lists of event bindings, event sources and sensors. */

export const notInstalled = "Argo Events is not installed here";
export const noBindingsYet = "No bindings yet";
export const noSourcesYet = "No event sources yet";
export const noSensorsYet = "No sensors yet";
export const aboutSources = "An event source of Argo Events brings events into the cluster.";
export const aboutSensors = "A sensor of Argo Events acts when the events that it waits for have come.";
/** What makes a binding or a sensor act. */
export const waitsForField = "Waits for";
export const eventsField = "Events";
/** What it does then. */
export const thenField = "Then";
export const createdField = "Created";
export const itsRunsLink = "Its runs";
export const newSourceButton = "New event source";
export const newSensorButton = "New sensor";
export const manifestLabel = "Manifest";
export const logOf = "Log of";
export const allParts = "everything";
